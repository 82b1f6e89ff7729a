import { MCPTransportError } from "../errors.ts";

export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface HeadersRequest {
  readonly url: URL;
  /** `unauthorized`: the server answered 401 to the headers given before. */
  readonly reason: "request" | "unauthorized";
  readonly signal: AbortSignal;
}

/**
 * Gives the headers of each HTTP request to the server. After a 401 it is called once more, once for
 * all requests that met it, and each of them is sent again once.
 */
export type HeadersFn = (
  request: HeadersRequest,
) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;

const reserved = new Set([
  "accept",
  "connection",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "last-event-id",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
  "mcp-session-id",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const token = /^[\w!#$%&'*+.^`|~-]+$/;
// What HTTP allows in a value: tab and the printable characters of Latin-1.
const value = /^[\t\x20-\x7e\x80-\xff]*$/;

/** @throws MCPTransportError `config`, naming the header and never its value */
export function checkHeaders(headers: unknown): Readonly<Record<string, string>> {
  if (typeof headers !== "object" || headers === null || Array.isArray(headers)) {
    throw wrong("headers", "expected an object of strings");
  }
  const entries = Object.entries(headers);
  for (const [name, content] of entries) checkHeader(name, content);
  return Object.fromEntries(entries);
}

function checkHeader(name: string, content: unknown): void {
  const field = `headers.${name}`;
  if (!token.test(name)) {
    throw wrong("headers", `${JSON.stringify(name.slice(0, 40))} is not a header name`);
  }
  const lower = name.toLowerCase();
  if (reserved.has(lower) || lower.startsWith("mcp-param-")) {
    throw wrong(field, "is set by the protocol and cannot be configured");
  }
  if (typeof content !== "string") {
    throw wrong(field, `expected a string, got ${content === null ? "null" : typeof content}`);
  }
  if (!value.test(content)) {
    throw wrong(field, "holds a character that HTTP forbids, such as a line break");
  }
}

function wrong(field: string, message: string): MCPTransportError {
  return new MCPTransportError("config", `${field}: ${message}`, { field });
}
