import type { HTTPServerConfig } from "../config.ts";
import { checkLiteral, publicLookup } from "./address-policy.ts";
import type { FetchLike } from "./headers.ts";

export interface BaseFetch {
  readonly fetch: FetchLike;
  /** Ends the sockets. */
  destroy(): Promise<void>;
}

/**
 * undici's fetch without its own timeouts, which end every call after 300 seconds. Its sockets belong
 * to one connection and end with it.
 */
export async function createBaseFetch({
  fetch: given,
  blockPrivateAddresses = false,
}: Pick<HTTPServerConfig, "fetch" | "blockPrivateAddresses">): Promise<BaseFetch> {
  if (given !== undefined) return { fetch: given, destroy: async () => {} };
  const { Agent, fetch } = await import("undici");
  const dispatcher = new Agent({
    headersTimeout: 0,
    bodyTimeout: 0,
    ...(blockPrivateAddresses && { connect: { lookup: publicLookup } }),
  });
  return {
    fetch: async (url, init = {}) => {
      if (blockPrivateAddresses) checkLiteral(new URL(url));
      const { method = "GET", body, signal, redirect = "manual" } = init;
      const headers = [...new Headers(init.headers)];
      const response = await fetch(url, {
        method,
        headers,
        redirect,
        dispatcher,
        // The SDK has no other kinds.
        ...(body && { body: body as string | URLSearchParams }),
        ...(signal && { signal }),
      });
      return asGlobal(response as unknown as Response);
    },
    destroy: () => dispatcher.destroy(),
  };
}

const withoutBody = [204, 205, 304];

/** undici's own class does what the global one does, but the SDK looks for instances of the global. */
function asGlobal(response: Response): Response {
  const { status, headers, body } = response;
  if (status < 200 || status > 599) return response;
  return new Response(withoutBody.includes(status) ? null : body, {
    status,
    headers: [...headers],
  });
}
