import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Fired } from "../faults/fault-plan.ts";
import { type Arrival, dispatch, isRefusedBatch, refuseBatch } from "../protocol/dispatch.ts";
import { isDumb } from "../protocol/exchange.ts";
import type { Host } from "../protocol/host.ts";
import { plain, type Reply } from "../protocol/reply.ts";
import { Session } from "../protocol/session.ts";
import { allowsBatch } from "../protocol/versions.ts";
import { endsEarly, isBeforeProtocol } from "./early-end.ts";
import { endAsFault, refuseUnknownSession } from "./ending.ts";
import { EventStream, listenOn } from "./event-stream.ts";
import { arriveEmpty, type HttpExchange, knownSession, refusal, refuse } from "./http-exchange.ts";
import { receivePost } from "./receive-post.ts";

/** Where the stream says that messages are to be posted. */
export const messagesPath = "/messages";

/** The streams of the sessions that have one. */
const streams = new WeakMap<Session, EventStream>();

/** Serves a GET of the legacy SSE transport: the stream that carries all answers of a session. */
export async function serveStream(exchange: HttpExchange): Promise<void> {
  const { request, response, host } = exchange;
  const before = arriveEmpty(exchange);
  if (await endsEarly(exchange, [before])) return;
  if (request.method !== "GET") {
    return refuse(response, 405, refusal("Method not allowed"), { allow: "GET" });
  }
  const session = new Session("sse", randomUUID());
  const stream = new EventStream(response);
  stream.open();
  host.sessions.know(session);
  streams.set(session, stream);
  const detach = session.attach(listenOn(stream));
  stream.onClose(() => {
    detach();
    session.close();
    host.sessions.forget(session);
  });
  const opening = host.plan.fire("stream", { transport: "sse", kind: "none" });
  if (opening.get("no-endpoint") !== undefined) return;
  response.write(`event: endpoint\ndata: ${endpoint(session, opening)}\n\n`);
}

function endpoint({ id }: Session, opening: Fired): string {
  const { origin = "" } = opening.get("foreign-endpoint") ?? {};
  return `${origin}${messagesPath}?sessionId=${id}`;
}

/** Serves a POST of the legacy SSE transport: 202, and the answer goes to the stream. */
export async function serveMessages(exchange: HttpExchange): Promise<void> {
  const { request, response, host } = exchange;
  if (request.method !== "POST") {
    arriveEmpty(exchange);
    return refuse(response, 405, refusal("Method not allowed"), { allow: "POST" });
  }
  const received = await receivePost(exchange);
  if (received === undefined) return;
  const { incoming, arrivals } = received;
  const session = knownSession(exchange);
  const stream = session && streams.get(session);
  if (session === undefined || stream === undefined) {
    refuseUnknownSession(response);
    return;
  }
  if (isDumb(session, host)) return;
  const accept = (): void => {
    if (!response.headersSent) response.writeHead(202).end("Accepted");
  };
  const reply = messageReply(response, stream, accept);
  if (!arrivals.some((arrival) => isHeldBack(arrival, host))) accept();
  if (isRefusedBatch(incoming, allowsBatch(session.protocolVersion))) {
    await reply.send([refuseBatch()], plain);
    return;
  }
  await dispatch({ arrivals, batch: incoming.batch, session, host, reply });
  if (!isDumb(session, host)) accept();
}

/** Must the POST wait for its answer, because a fault may decide about it? */
function isHeldBack({ before, occasion }: Arrival, { plan }: Host): boolean {
  if (before.ending?.fault === "half-open") return true;
  return [...plan.due("after", occasion), ...plan.due("answering", occasion)].some(
    ({ fault }) => isBeforeProtocol(fault) || fault === "half-open",
  );
}

function messageReply(response: ServerResponse, stream: EventStream, accept: () => void): Reply {
  return {
    send: (messages, framing) => {
      accept();
      return stream.send(messages, framing);
    },
    close: accept,
    drop: () => undefined,
    end: async (fault, signal) => {
      if (isBeforeProtocol(fault.fault) && !response.headersSent) {
        return endAsFault(response, fault, undefined);
      }
      accept();
      if (fault.fault === "endless") return stream.flood(signal);
      if (fault.fault === "cut-stream" && fault.reset) return stream.reset();
      if (fault.fault !== "accepted-only") stream.end();
    },
  };
}
