import type { IncomingMessage, ServerResponse } from "node:http";
import type { Host } from "../protocol/host.ts";
import { movedPath } from "./ending.ts";
import { type HttpExchange, refusal, refuse } from "./http-exchange.ts";
import { messagesPath, serveMessages, serveStream } from "./legacy-sse.ts";
import { type HttpOptions, serveStreamable } from "./streamable.ts";

export const streamablePath = "/mcp";
export const ssePath = "/sse";

/** Serves one HTTP request of any transport. */
export async function route(
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
  host: Host,
  options: HttpOptions,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  const path = url.pathname.startsWith(`${movedPath}/`)
    ? url.pathname.slice(movedPath.length)
    : url.pathname;
  if (!isLocal(request.headers.origin)) return refuse(response, 403, refusal("Forbidden origin"));
  const { "mcp-session-id": named } = request.headers;
  const exchange = { request, response, url, host, signal };
  if (path === streamablePath) {
    const sessionId = typeof named === "string" ? named : undefined;
    return serveStreamable({ ...exchange, transport: "http", sessionId }, options);
  }
  const sessionId = url.searchParams.get("sessionId") ?? undefined;
  const legacy: HttpExchange = { ...exchange, transport: "sse", sessionId };
  if (path === ssePath) return serveStream(legacy);
  if (path === messagesPath) return serveMessages(legacy);
  refuse(response, 404, refusal("Not found"));
}

/** A page of another site cannot use the server through a browser (DNS rebinding). */
function isLocal(origin: string | undefined): boolean {
  if (origin === undefined) return true;
  return /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin);
}
