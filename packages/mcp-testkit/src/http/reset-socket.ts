import type { Socket } from "node:net";

/** The other side sees the connection reset, not ended; one that is ending already just ends at once. */
export function resetSocket(socket: Socket | null): void {
  // A reset of a socket that is being shut down throws EINVAL.
  if (socket?.writableEnded === false) socket.resetAndDestroy();
  socket?.destroy();
}
