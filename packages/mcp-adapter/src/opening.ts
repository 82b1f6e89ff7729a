import {
  type MCPConnection,
  type MCPTransport,
  MCPTransportError,
  type OpenOptions,
} from "@x/mcp-transport";
import { ClockStopped, startClock } from "./clock.ts";
import { MCPConnectionError } from "./errors.ts";
import type { Emit } from "./event.ts";

/** How one connection to the server is made. */
export interface Opening {
  readonly server: string;
  readonly transport: MCPTransport;
  readonly emit: Emit;
  /** Given to every `open`. */
  readonly open: Pick<OpenOptions, "clientInfo" | "onElicit" | "roots">;
  /** Runs on each new connection before it counts as ready. */
  readonly onConnected: (connection: MCPConnection) => Promise<void>;
}

export interface OpeningOptions {
  readonly timeoutMs: number;
  readonly authorizationResponse?: URLSearchParams | undefined;
}

/**
 * One attempt within one deadline; nothing is left running when it fails.
 * @throws MCPConnectionError
 */
export async function openOnce(
  opening: Opening,
  { timeoutMs, authorizationResponse }: OpeningOptions,
  signal: AbortSignal,
): Promise<MCPConnection> {
  const { transport, emit } = opening;
  const startedAt = performance.now();
  const clock = startClock(timeoutMs, signal);
  emit({ type: "connect.start", attempted: transport.description });
  try {
    const connection = await transport.open({
      ...opening.open,
      timeoutMs,
      signal,
      onStderr: (text) => emit({ type: "stderr", text }),
      ...(authorizationResponse && { authorizationResponse }),
    });
    await readied(connection, clock.race(opening.onConnected(connection)));
    const { protocolVersion, era, pid } = connection.info;
    const durationMs = performance.now() - startedAt;
    emit({
      type: "connect.end",
      durationMs,
      protocolVersion,
      era,
      ...(pid !== undefined && { pid }),
    });
    return connection;
  } catch (cause) {
    const error = connectionError(opening, cause);
    emit({ type: "connect.error", durationMs: performance.now() - startedAt, error });
    throw error;
  } finally {
    clock.stop();
  }
}

export function connectionError(
  { server, transport }: Pick<Opening, "server" | "transport">,
  cause: unknown,
): MCPConnectionError {
  if (!(cause instanceof ClockStopped)) {
    return new MCPConnectionError(server, transport.description, cause);
  }
  const ended =
    cause.end === "timeout"
      ? new MCPTransportError("timeout", "the deadline passed")
      : new MCPTransportError("aborted", "given up, as asked by the caller");
  return new MCPConnectionError(server, transport.description, ended);
}

async function readied(connection: MCPConnection, ready: Promise<void>): Promise<void> {
  try {
    await ready;
  } catch (error) {
    await connection.close();
    throw error;
  }
}
