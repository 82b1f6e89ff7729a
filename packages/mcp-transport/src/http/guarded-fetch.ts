import { describeUrl } from "../describe.ts";
import { MCPTransportError } from "../errors.ts";
import { discard } from "./body.ts";
import type { Credentials, GivenHeaders } from "./credentials.ts";
import type { Exchange } from "./exchange.ts";
import { networkFailure } from "./failure.ts";
import type { FetchLike } from "./headers.ts";

const redirects = [301, 302, 303, 307, 308];
const mostRedirects = 5;

export interface ServerRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly exchange: Exchange | undefined;
}

export interface GuardOptions {
  readonly label: string;
  /** The fetch that the guard stands before. */
  readonly fetch: FetchLike;
  readonly allowedHosts: readonly string[] | undefined;
  readonly credentials: Credentials;
  /** Aborts when the connection ends. */
  readonly signal: AbortSignal;
  /** The exchange that the SDK makes this request for. */
  exchange(): Exchange | undefined;
  redact(text: string): string;
  /** Whether a url is the MCP server's, and not one of its authorization server. */
  isServer(url: URL): boolean;
  /** Makes of the server's response what the SDK is to see. */
  receive(request: ServerRequest, response: Response): Promise<Response>;
}

/**
 * The fetch that the SDK uses. It contacts allowed hosts only, follows no redirect to another
 * origin, adds the user's headers for the server alone, and asks for new ones once after a 401.
 * It rejects only with MCPTransportError.
 */
export function createGuardedFetch(options: GuardOptions): FetchLike {
  return async (address, init = {}) => {
    const exchange = options.exchange();
    const request: ServerRequest = {
      method: init.method ?? "GET",
      url: new URL(address),
      headers: new Headers(init.headers),
      exchange,
    };
    // That of a request aborts when the connection ends, too.
    const signal = exchange?.signal ?? init.signal ?? options.signal;
    const send = (given: GivenHeaders["headers"]) =>
      follow(options, request, { ...init, signal }, given);
    if (!options.isServer(request.url)) return send({});
    const { credentials } = options;
    const given = await credentials.get(request.url, signal);
    const response = await send(given.headers);
    if (response.status !== 401 || !credentials.renewable) {
      return options.receive(request, response);
    }
    discard(response.body);
    const renewed = await credentials.renew(request.url, given);
    return options.receive(request, await send(renewed.headers));
  };
}

async function follow(
  options: GuardOptions,
  request: ServerRequest,
  init: RequestInit,
  given: GivenHeaders["headers"],
): Promise<Response> {
  const headers = new Headers(request.headers);
  for (const [name, value] of Object.entries(given)) headers.set(name, value);
  let { url } = request;
  for (let followed = 0; ; followed += 1) {
    const response = await contact(options, request, url, { ...init, headers });
    const target = redirectTarget(response, url);
    if (target === undefined) return response;
    discard(response.body);
    const keepsMethod = request.method === "GET" || [307, 308].includes(response.status);
    if (target.origin !== url.origin || !keepsMethod || followed === mostRedirects) {
      throw new MCPTransportError(
        "blocked",
        `${options.label}: redirects to ${describeUrl(target)}, which is not followed`,
        { httpStatus: response.status },
      );
    }
    url = target;
  }
}

async function contact(
  options: GuardOptions,
  request: ServerRequest,
  url: URL,
  init: RequestInit,
): Promise<Response> {
  const { label, allowedHosts } = options;
  if (allowedHosts !== undefined && !allowedHosts.some((pattern) => fits(url.hostname, pattern))) {
    throw new MCPTransportError("blocked", `${label}: ${url.hostname} is not in allowedHosts`, {
      delivery: "not_sent",
    });
  }
  if (init.signal?.aborted) throw endedBefore(label);
  request.exchange?.leaving();
  try {
    const response = await options.fetch(url, { ...init, redirect: "manual" });
    if (request.exchange !== undefined) request.exchange.responses += 1;
    return response;
  } catch (error) {
    throw networkFailure(label, error, options.redact);
  }
}

function fits(host: string, pattern: string): boolean {
  return pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : host === pattern;
}

function redirectTarget(response: Response, from: URL): URL | undefined {
  const location = response.headers.get("location");
  if (!redirects.includes(response.status) || location === null) return undefined;
  return URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}

function endedBefore(label: string): MCPTransportError {
  return new MCPTransportError("aborted", `${label}: ended before it was sent`, {
    delivery: "not_sent",
  });
}
