import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import type { EngineName } from "../engine/engine.ts";
import type { AuthProviderLike } from "./auth-provider.ts";
import type { FetchLike } from "./headers.ts";

/** What of the SDK's two HTTP transports is used. */
export interface SdkTransport {
  start(): Promise<void>;
  send(
    message: object,
    options?: { readonly headers?: Readonly<Record<string, string>> },
  ): Promise<void>;
  close(): Promise<void>;
  setProtocolVersion(version: string): void;
  /** v1 takes the code, v2 all that came. */
  finishAuth(response: string | URLSearchParams): Promise<void>;
  /** Only streamable HTTP has sessions to end. */
  terminateSession?(): Promise<void>;
  onerror?: ((error: Error) => void) | undefined;
}

/** @throws MCPTransportError `unsupported` if the package of engine v2 is not installed */
export async function createSdkTransport(
  engine: EngineName,
  kind: "sse" | "streamable-http",
  url: URL,
  fetch: FetchLike,
  provider: AuthProviderLike | undefined,
): Promise<SdkTransport> {
  const options = {
    fetch,
    // The same interface, spelt without the SDK's types.
    ...(provider && { authProvider: provider as OAuthClientProvider }),
  };
  if (engine === "v2") return createV2Transport(kind, url, options as object);
  if (kind === "sse") {
    const { SSEClientTransport } = await import("@modelcontextprotocol/sdk/client/sse.js");
    return new SSEClientTransport(url, options) as SdkTransport;
  }
  const { StreamableHTTPClientTransport } = await import(
    "@modelcontextprotocol/sdk/client/streamableHttp.js"
  );
  return new StreamableHTTPClientTransport(url, options) as SdkTransport;
}

async function createV2Transport(
  kind: "sse" | "streamable-http",
  url: URL,
  options: object,
): Promise<SdkTransport> {
  const { SSEClientTransport, StreamableHTTPClientTransport } = await import(
    "@modelcontextprotocol/client"
  );
  const Transport = kind === "sse" ? SSEClientTransport : StreamableHTTPClientTransport;
  return new Transport(url, options) as SdkTransport;
}
