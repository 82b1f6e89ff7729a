import type { Writable } from "node:stream";
import type { ActiveFault } from "../faults/fault.ts";
import { encode, flood, writePieces } from "../frames.ts";
import type { Framing, Reply } from "../protocol/reply.ts";

/** Answers go to the one output; there is nothing else that a fault could end here. */
export function stdioReply(output: Writable): Reply {
  const write = (piece: Buffer): Promise<boolean> => writeTo(output, piece);
  return {
    send: (messages: readonly unknown[], framing: Framing) =>
      writePieces(encode("line", messages, framing), framing, write),
    close: () => undefined,
    drop: () => undefined,
    end: async (fault: ActiveFault, signal: AbortSignal) => {
      if (fault.fault === "endless") await flood("", write, signal);
    },
  };
}

function writeTo(output: Writable, piece: Buffer): Promise<boolean> {
  return new Promise((resolve) => output.write(piece, (error) => resolve(!error)));
}
