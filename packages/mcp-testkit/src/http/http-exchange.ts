import type { IncomingMessage, ServerResponse } from "node:http";
import type { Transport } from "../faults/entry.ts";
import type { Occasion } from "../faults/fault-plan.ts";
import { errorAnswer, type Incoming, RpcError, readIncoming } from "../json-rpc.ts";
import type { Arrival } from "../protocol/dispatch.ts";
import type { Host } from "../protocol/host.ts";
import { occasionOf } from "../protocol/inbox.ts";
import type { Session } from "../protocol/session.ts";
import { journalled } from "../records/journalled.ts";
import { movedPath } from "./ending.ts";

/** One HTTP request on its way through the server. */
export interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly transport: Transport;
  readonly url: URL;
  readonly host: Host;
  /** The session as the client names it. */
  readonly sessionId: string | undefined;
  /** Aborted when the server goes down. */
  readonly signal: AbortSignal;
}

/** The whole body of a request. @returns undefined if the client went away before its end */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of request) pieces.push(Buffer.from(piece));
  } catch (error) {
    if (request.destroyed) return undefined;
    throw error;
  }
  return Buffer.concat(pieces).toString();
}

/** Puts a request without a message on record. */
export function arriveEmpty(exchange: HttpExchange): Arrival["before"] {
  exchange.host.journal.append(journalled(undefined, recorded(exchange)));
  return exchange.host.plan.fire("before", occasionOf(undefined, asked(exchange)));
}

export interface Arrivals {
  readonly incoming: Incoming;
  readonly arrivals: readonly Arrival[];
}

/** Puts every message of a POST on record and asks the plan about it. */
export function arrive(exchange: HttpExchange, body: string): Arrivals {
  const { host } = exchange;
  const incoming = readIncoming(body);
  const arrivals = incoming.messages.map((message) => {
    host.journal.append(journalled(message, recorded(exchange)));
    const occasion = occasionOf(message, asked(exchange));
    return { message, occasion, before: host.plan.fire("before", occasion) };
  });
  return { incoming, arrivals };
}

export function knownSession({ host, sessionId, transport }: HttpExchange): Session | undefined {
  const session = sessionId === undefined ? undefined : host.sessions.get(sessionId);
  return session?.transport === transport ? session : undefined;
}

/** Refuses a request the way the official servers do: an HTTP status and a JSON-RPC error. */
export function refuse(
  response: ServerResponse,
  status: number,
  error: RpcError,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(errorAnswer(null, error)));
}

export function refusal(message: string, code = -32_000): RpcError {
  return new RpcError(code, message);
}

function recorded({ request, transport, sessionId, url }: HttpExchange) {
  return {
    transport,
    ...(sessionId !== undefined && { session: sessionId }),
    verb: request.method ?? "",
    path: url.pathname,
    headers: { ...request.headers },
  };
}

function asked(exchange: HttpExchange): Omit<Occasion, "kind"> {
  const { request, transport, url } = exchange;
  return {
    transport,
    verb: request.method,
    session: knownSession(exchange)?.id,
    authorization: request.headers.authorization,
    moved: url.pathname.startsWith(`${movedPath}/`),
  };
}
