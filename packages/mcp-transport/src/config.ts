import type { AuthProviderLike } from "./http/auth-provider.ts";
import type { FetchLike, HeadersFn } from "./http/headers.ts";

/** What counts where a config or a call says nothing. */
export const TRANSPORT_DEFAULTS: {
  /** Process or socket and handshake together; not the listing. */
  readonly connectTimeoutMs: 30_000;
  /** The whole of one request; nothing extends it. */
  readonly requestTimeoutMs: 300_000;
  /** Between two signs of progress of one request. */
  readonly idleTimeoutMs: 60_000;
  /** One message from the server, in bytes. */
  readonly maxMessageBytes: 67_108_864;
} = {
  connectTimeoutMs: 30_000,
  requestTimeoutMs: 300_000,
  idleTimeoutMs: 60_000,
  maxMessageBytes: 67_108_864,
};

interface ServerConfig {
  /** How messages call the server. Not empty, no `/`. */
  readonly name: string;
  /** @defaultValue 30_000 */
  readonly connectTimeoutMs?: number;
  /** @defaultValue 300_000 */
  readonly requestTimeoutMs?: number;
  /** @defaultValue 60_000 */
  readonly idleTimeoutMs?: number;
  /** Anything but `legacy` needs engine v2. @defaultValue "legacy" */
  readonly protocol?: "legacy" | "auto" | "2026-07-28";
  /** Whether the hints a server gives about its own tools are believed. @defaultValue "none" */
  readonly trust?: "none" | "annotations";
}

export interface StdioServerConfig extends ServerConfig {
  readonly transport?: "stdio";
  /** An executable, looked up in PATH. It is never run through a shell. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Beside HOME, LOGNAME, PATH, SHELL, TERM and USER, which are always passed on. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Passes on the whole environment of this process, or the named variables. @defaultValue false */
  readonly inheritEnv?: boolean | readonly string[];
  /**
   * SIGINT, SIGTERM and SIGHUP to this process end the server's processes too, and this process
   * if nobody else listens to the signal.
   * @defaultValue true
   */
  readonly killOnSignal?: boolean;
}

export interface HTTPServerConfig extends ServerConfig {
  /** Without it: streamable HTTP, and SSE if the first POST is answered 400, 404 or 405. */
  readonly transport?: "sse" | "streamable-http";
  readonly url: string | URL;
  readonly headers?: Readonly<Record<string, string>> | HeadersFn;
  /** Carries every request instead of undici's own fetch. */
  readonly fetch?: FetchLike;
  readonly authProvider?: AuthProviderLike;
  /** Host names, or `*.suffix`, that may be contacted at all. @defaultValue every host */
  readonly allowedHosts?: readonly string[];
  /**
   * Refuses a server, a redirect or an authorization server whose address is loopback, private or
   * otherwise not of the public internet; the address that was checked is the one connected to.
   * For urls that others may have chosen. Not together with `fetch`.
   * @defaultValue false
   */
  readonly blockPrivateAddresses?: boolean;
}

export type MCPServerConfig = StdioServerConfig | HTTPServerConfig;
