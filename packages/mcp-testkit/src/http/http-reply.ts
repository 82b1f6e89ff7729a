import type { ServerResponse } from "node:http";
import type { ActiveFault } from "../faults/fault.ts";
import { encode, flood, writePieces } from "../frames.ts";
import type { Framing, Reply } from "../protocol/reply.ts";
import { cut, endAsFault } from "./ending.ts";
import type { EventLog } from "./event-log.ts";
import { EventStream, writeTo } from "./event-stream.ts";

/** Whether requests over streamable HTTP are answered on a stream of events or as one JSON body. */
export type AnswerMode = "stream" | "json";

/** What is known only when the response begins. */
export type LateHeaders = () => Readonly<Record<string, string>>;

/** The answer to a POST as a stream of events. */
export function streamReply(
  response: ServerResponse,
  headers: LateHeaders,
  log: EventLog | undefined,
): Reply {
  const stream = new EventStream(response, { headers, log });
  return {
    send: async (messages, framing) => {
      const sent = await stream.send(messages, framing);
      if (framing.last && !framing.half) stream.end();
      return sent;
    },
    close: () => (response.headersSent ? stream.end() : accept(response)),
    drop: (reset) => stream.drop(reset),
    end: async (fault, signal) => {
      if (fault.fault === "endless") await stream.flood(signal);
      else endAsFault(response, fault, stream);
    },
  };
}

/**
 * The answer to a POST as one JSON body.
 * @param aside takes what is no answer; there is no room for it in the body
 */
export function bodyReply(
  response: ServerResponse,
  headers: LateHeaders,
  aside: (message: unknown) => void,
): Reply {
  const head = () => ({ "content-type": "application/json", ...headers() });
  return {
    send: async (messages, framing) => {
      if (!framing.last) {
        for (const message of messages) aside(message);
        return true;
      }
      return sendBody(response, head(), encode("body", messages, framing), framing);
    },
    close: () => accept(response),
    drop: (reset) => cut(response, reset, undefined),
    end: async (fault: ActiveFault, signal: AbortSignal) => {
      if (fault.fault !== "endless") return endAsFault(response, fault, undefined);
      response.writeHead(200, head());
      await flood('{"padding":"', (piece) => writeTo(response, piece), signal);
    },
  };
}

function accept(response: ServerResponse): void {
  if (response.headersSent) response.end();
  else response.writeHead(202).end();
}

async function sendBody(
  response: ServerResponse,
  head: Readonly<Record<string, string>>,
  bytes: Buffer,
  framing: Framing,
): Promise<boolean> {
  if (response.headersSent) return false;
  response.writeHead(200, { ...head, "content-length": String(bytes.length) });
  const sent = await writePieces(bytes, framing, (piece) => writeTo(response, piece));
  if (!framing.half) response.end();
  return sent;
}
