import type { ServerResponse } from "node:http";
import type { ActiveFault } from "../faults/fault.ts";
import { type EventStream, resetAfterMs } from "./event-stream.ts";
import { resetSocket } from "./reset-socket.ts";

const page = "<!doctype html><title>Sign in</title><h1>Sign in to continue</h1>";

/**
 * Ends an HTTP exchange in the manner of a fault. Once the response has begun there is no status
 * left to choose: the response is cut.
 * @param stream the stream of events that the answer was to go to, if it was to go to one
 */
export function endAsFault(
  response: ServerResponse,
  fault: ActiveFault,
  stream: EventStream | undefined,
): void {
  if (fault.fault === "reset") {
    resetSocket(response.socket);
  } else if (fault.fault === "cut-stream") {
    cut(response, fault.reset, stream);
  } else if (response.headersSent) {
    response.end();
  } else {
    const [status, headers, body] = responseOf(fault, response.req.url ?? "/");
    response.writeHead(status, headers).end(body);
  }
}

/** The response has begun, and what has been written is read, before it is cut. */
export function cut(
  response: ServerResponse,
  reset: boolean,
  stream: EventStream | undefined,
): void {
  if (stream !== undefined) stream.open();
  else if (!response.headersSent) response.writeHead(200, json).flushHeaders();
  if (reset) setTimeout(() => resetSocket(response.socket), resetAfterMs);
  else if (stream !== undefined) stream.end();
  else response.socket?.destroySoon();
}

const json = { "content-type": "application/json" };

type Response = readonly [number, Record<string, string>, string];

function responseOf(fault: ActiveFault, url: string): Response {
  switch (fault.fault) {
    case "http-status":
      return [fault.status, { "content-type": fault.contentType }, fault.body];
    case "unauthorized":
      return [401, { "www-authenticate": 'Bearer error="invalid_token"' }, "no valid token"];
    case "session-expired":
      return [fault.status, json, sessionNotFound];
    case "redirect":
      return [fault.status, { location: fault.to || `${movedPath}${url}` }, ""];
    case "html":
      return [200, { "content-type": "text/html" }, page];
    case "empty-body":
      return [200, json, ""];
    default:
      return [202, {}, ""];
  }
}

/** Paths below it are the same server; no redirect fault acts on them. */
export const movedPath = "/moved";

/** To a request with the id of a session that is unknown. */
export function refuseUnknownSession(response: ServerResponse): void {
  response.writeHead(404, json).end(sessionNotFound);
}

const sessionNotFound: string = JSON.stringify({
  jsonrpc: "2.0",
  id: null,
  error: { code: -32_001, message: "Session not found" },
});
