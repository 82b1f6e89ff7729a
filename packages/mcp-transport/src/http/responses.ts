import { type Delivery, MCPTransportError } from "../errors.ts";
import { discard, readSome } from "./body.ts";
import { type Refusal, refusal, rpcError as rpcErrorIn } from "./failure.ts";
import type { ServerRequest } from "./guarded-fetch.ts";
import { Inbound, type InboundOptions } from "./inbound.ts";

export interface ResponseOptions extends InboundOptions {
  /** Whether the SDK may answer a 401 or 403 by asking for authorization. */
  readonly authorizes: boolean;
}

/**
 * What the SDK's streamable HTTP transport gets to see of a response.
 * @throws MCPTransportError for a status beyond 2xx, or a response of another kind
 */
export async function receiveStreamable(
  request: ServerRequest,
  response: Response,
  options: ResponseOptions,
): Promise<Response> {
  if (request.method === "GET") return receiveGet(request, response, options);
  if (!response.ok) return refused(request, response, options);
  if (request.method !== "POST" || request.exchange?.id === undefined) {
    discard(response.body);
    return bare(202, response);
  }
  const { exchange } = request;
  const inbound = new Inbound(exchange.id, options);
  const type = mediaType(response);
  if (type === "application/json") {
    return withBody(response, "application/json", inbound.json(response.body));
  }
  if (type === "text/event-stream" && response.body !== null) {
    return eventStream(request, response, inbound, options);
  }
  discard(response.body);
  // The answer may come over the stream of the GET; since 2026-07-28 there is none.
  if (response.status === 202 && !isModern(request)) return bare(202, response);
  throw new MCPTransportError(
    "invalid_result",
    `${options.label}: answers with ${type || "no content"}, which is no MCP message`,
    { httpStatus: response.status },
  );
}

async function receiveGet(
  request: ServerRequest,
  response: Response,
  options: ResponseOptions,
): Promise<Response> {
  const { exchange } = request;
  const resuming = exchange?.id !== undefined;
  if (response.ok && mediaType(response) === "text/event-stream" && response.body !== null) {
    return eventStream(request, response, new Inbound(exchange?.id, options), options);
  }
  if (resuming && response.status === 405) {
    lost(request, options, "its stream broke, and cannot be resumed");
  }
  if (response.status === 405 || response.ok) {
    discard(response.body);
    // The SDK takes it for a server that offers no such stream, and does not ask again.
    return new Response(null, { status: 405 });
  }
  return refused(request, response, options);
}

function eventStream(
  request: ServerRequest,
  response: Response,
  inbound: Inbound,
  options: ResponseOptions,
): Response {
  const body = inbound.stream(
    response.body ?? new ReadableStream(),
    ({ id, retry, type }, answer) => {
      // Since 2026-07-28 no stream is resumed, whatever it is called.
      if (isModern(request) && answer === undefined) return undefined;
      if (id === undefined && retry === undefined && answer === undefined) return undefined;
      const data = answer === undefined ? "" : JSON.stringify(answer);
      return { type, data, ...(id !== undefined && { id }), ...(retry !== undefined && { retry }) };
    },
    (reason) => {
      if (inbound.answered) return;
      if (reason?.code === "limit") tooLong(request, options, reason);
      else if (!inbound.resumable || isModern(request))
        lost(request, options, "the stream ended without the answer", reason);
    },
  );
  return withBody(response, "text/event-stream", body);
}

/**
 * What the SDK's SSE transport gets to see of a response.
 * @param onEnd the stream of messages ended
 * @throws MCPTransportError for a status beyond 2xx, or a response of another kind
 */
export async function receiveSse(
  request: ServerRequest,
  response: Response,
  options: ResponseOptions,
  onEndpoint: (url: string) => void,
  onEnd: (reason?: MCPTransportError) => void,
): Promise<Response> {
  if (!response.ok) return refused(request, response, options);
  if (request.method !== "GET") {
    discard(response.body);
    return bare(202, response);
  }
  const type = mediaType(response);
  if (type !== "text/event-stream" || response.body === null) {
    discard(response.body);
    throw new MCPTransportError(
      "invalid_result",
      `${options.label}: answers with ${type || "no content"}, which is no event stream`,
      { httpStatus: response.status },
    );
  }
  const inbound = new Inbound(undefined, options);
  const body = inbound.stream(
    response.body,
    (event) => {
      if (event.type !== "endpoint") return undefined;
      onEndpoint(event.data);
      return event;
    },
    onEnd,
  );
  return withBody(response, "text/event-stream", body);
}

async function refused(
  request: ServerRequest,
  response: Response,
  options: ResponseOptions,
): Promise<Response> {
  const { status, headers } = response;
  if (options.authorizes && (status === 401 || status === 403)) {
    const text = await readSome(response.body, 8 * 1024, 1_000);
    return new Response(text, { status, headers: kept(headers, "www-authenticate") });
  }
  if (isModern(request)) return refusedModern(request, response, options);
  throw await refusal(response, refusalOf(request, options));
}

function refusalOf({ headers }: ServerRequest, { label, redact }: ResponseOptions): Refusal {
  return { label, session: headers.has("mcp-session-id"), redact };
}

/** Since 2026-07-28 a JSON-RPC error comes with a status of its own kind. */
async function refusedModern(
  request: ServerRequest,
  response: Response,
  options: ResponseOptions,
): Promise<Response> {
  const { status } = response;
  const id = request.exchange?.id;
  const copy = response.clone();
  const error = rpcErrorIn(await readSome(copy.body, 64 * 1024, 1_000));
  if (error === undefined || id === undefined || status === 401 || status === 403) {
    throw await refusal(response, refusalOf(request, options));
  }
  discard(response.body);
  options.events.message({ jsonrpc: "2.0", id, error });
  return new Response("[]", { status: 200, headers: { "content-type": "application/json" } });
}

function isModern({ headers }: ServerRequest): boolean {
  return headers.has("mcp-method");
}

function tooLong(
  { exchange }: ServerRequest,
  { events }: ResponseOptions,
  reason: MCPTransportError,
): void {
  if (exchange?.id === undefined) events.diagnostic(reason);
  else events.lost(exchange.id, reason);
}

function lost(
  { exchange }: ServerRequest,
  { events, label }: ResponseOptions,
  what: string,
  cause?: MCPTransportError,
): void {
  if (exchange?.id === undefined) return;
  const delivery: Delivery = "unknown";
  events.lost(
    exchange.id,
    new MCPTransportError("network", `${label}: ${what}`, { delivery, cause }),
  );
}

function mediaType(response: Response): string {
  return response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
}

function withBody(response: Response, type: string, body: ReadableStream<Uint8Array>): Response {
  const headers = { ...kept(response.headers, "mcp-session-id"), "content-type": type };
  return new Response(body, { status: 200, headers });
}

function bare(status: number, response: Response): Response {
  return new Response(null, { status, headers: kept(response.headers, "mcp-session-id") });
}

function kept(headers: Headers, name: string): Record<string, string> {
  const value = headers.get(name);
  return value === null ? {} : { [name]: value };
}
