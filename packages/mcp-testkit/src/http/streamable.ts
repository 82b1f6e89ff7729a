import { randomUUID } from "node:crypto";
import type { Incoming } from "../json-rpc.ts";
import { isObject } from "../json-rpc.ts";
import { batchRefusal, dispatch, isRefusedBatch } from "../protocol/dispatch.ts";
import { isDumb } from "../protocol/exchange.ts";
import { Session } from "../protocol/session.ts";
import { allowsBatch, protocolVersions } from "../protocol/versions.ts";
import { endsEarly } from "./early-end.ts";
import { refuseUnknownSession } from "./ending.ts";
import { EventLog } from "./event-log.ts";
import { EventStream, listenOn } from "./event-stream.ts";
import { arriveEmpty, type HttpExchange, knownSession, refusal, refuse } from "./http-exchange.ts";
import { type AnswerMode, bodyReply, streamReply } from "./http-reply.ts";
import { receivePost } from "./receive-post.ts";

export interface HttpOptions {
  /** How requests over streamable HTTP are answered. @defaultValue `"stream"` */
  readonly answers?: AnswerMode;
  /** Whether the streams of answers have event ids, and a GET with `Last-Event-ID` resumes one. @defaultValue false */
  readonly resumable?: boolean;
}

const logs = new WeakMap<Session, EventLog>();

function logOf(session: Session): EventLog {
  const log = logs.get(session) ?? new EventLog();
  logs.set(session, log);
  return log;
}

/** Serves one request to the endpoint of streamable HTTP. */
export async function serveStreamable(exchange: HttpExchange, options: HttpOptions): Promise<void> {
  const { request } = exchange;
  if (request.method === "POST") return servePost(exchange, options);
  const before = arriveEmpty(exchange);
  if (await endsEarly(exchange, [before])) return;
  if (request.method === "GET") return serveGet(exchange);
  if (request.method === "DELETE") return serveDelete(exchange);
  refuse(exchange.response, 405, refusal("Method not allowed"), { allow: "GET, POST, DELETE" });
}

async function servePost(
  exchange: HttpExchange,
  { answers = "stream", resumable = false }: HttpOptions,
): Promise<void> {
  const { response, host } = exchange;
  const received = await receivePost(exchange);
  if (received === undefined) return;
  const { incoming, arrivals } = received;
  const session = admit(exchange, incoming);
  if (session === undefined || isDumb(session, host)) return;
  const isNew = session.protocolVersion === undefined;
  const headers = (): Record<string, string> =>
    isNew && host.sessions.knows(session) ? { "mcp-session-id": session.id } : {};
  const aside = (message: unknown): void => {
    if (isObject(message)) session.notify(message);
  };
  const reply =
    answers === "stream"
      ? streamReply(response, headers, resumable ? logOf(session) : undefined)
      : bodyReply(response, headers, aside);
  const regular = await dispatch({ arrivals, batch: incoming.batch, session, host, reply });
  const asks = incoming.messages.some(({ kind }) => kind === "request");
  if (!asks && regular) reply.close();
}

/** @returns the session that may go on; undefined if the request was refused */
function admit(exchange: HttpExchange, incoming: Incoming): Session | undefined {
  const { request, response, sessionId, host } = exchange;
  const { accept = "", "content-type": contentType = "" } = request.headers;
  if (!accepts(accept, "application/json") || !accepts(accept, "text/event-stream")) {
    return decline(exchange, 406, "Not acceptable: accept JSON and event streams");
  }
  if (!/^application\/json\s*(;|$)/i.test(contentType)) {
    return decline(exchange, 415, "Unsupported media type: send application/json");
  }
  const invalid = incoming.messages.find((message) => message.kind === "invalid");
  if (invalid?.kind === "invalid") {
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify(invalid.answer));
    return undefined;
  }
  const [first] = incoming.messages;
  const opens = first?.kind === "request" && first.method === "initialize" && !incoming.batch;
  if (opens && sessionId === undefined) {
    const fresh = new Session("http", randomUUID());
    host.sessions.admit(fresh);
    return fresh;
  }
  const session = sessionFor(exchange);
  if (session === undefined) return undefined;
  if (!isRefusedBatch(incoming, allowsBatch(session.protocolVersion))) return session;
  refuse(response, 400, batchRefusal);
  return undefined;
}

function accepts(accept: string, type: string): boolean {
  const [group = ""] = type.split("/");
  const ranges = accept.split(",").map((range) => range.split(";")[0]?.trim().toLowerCase());
  return [type, `${group}/*`, "*/*"].some((range) => ranges.includes(range));
}

/** The session of a request that needs one; refuses the request if there is none. */
function sessionFor(exchange: HttpExchange): Session | undefined {
  const { request, response, sessionId, host } = exchange;
  if (sessionId === undefined) {
    return decline(exchange, 400, "Bad Request: Mcp-Session-Id header is required");
  }
  const session = knownSession(exchange);
  if (session === undefined) {
    refuseUnknownSession(response);
    return undefined;
  }
  const version = request.headers["mcp-protocol-version"];
  if (
    version !== undefined &&
    !(host.service.protocolVersions ?? protocolVersions).some((known) => known === version)
  ) {
    return decline(exchange, 400, `Bad Request: unsupported protocol version ${String(version)}`);
  }
  return session;
}

function decline({ response }: HttpExchange, status: number, message: string): undefined {
  refuse(response, status, refusal(message));
}

function serveGet(exchange: HttpExchange): void {
  const { request, response, host } = exchange;
  if (!accepts(request.headers.accept ?? "", "text/event-stream")) {
    decline(exchange, 406, "Not acceptable: accept event streams");
    return;
  }
  const session = sessionFor(exchange);
  if (session === undefined || isDumb(session, host)) return;
  const resumed = logs.get(session)?.find(request.headers["last-event-id"]);
  if (resumed !== undefined) {
    resumed.stream.resume(response, resumed.next);
    return;
  }
  const stream = new EventStream(response);
  stream.open();
  stream.onClose(session.attach(listenOn(stream)));
}

function serveDelete(exchange: HttpExchange): void {
  const session = sessionFor(exchange);
  if (session === undefined || isDumb(session, exchange.host)) return;
  exchange.host.sessions.forget(session);
  session.close();
  exchange.response.writeHead(200).end();
}
