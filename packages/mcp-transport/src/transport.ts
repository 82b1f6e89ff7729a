import type { JsonObject, MCPConnection } from "./connection.ts";

export interface OpenOptions {
  /**
   * For the whole opening: process or socket, handshake, every step.
   * @defaultValue the config's `connectTimeoutMs`, or 30_000
   */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Sent to the server in the handshake. */
  readonly clientInfo?: { readonly name: string; readonly version: string };
  /** Answers elicitation requests; the capability is advertised only if this is given. */
  readonly onElicit?: (params: JsonObject) => Promise<JsonObject>;
  /** Answers `roots/list`; the capability is advertised only if this is given. */
  readonly roots?: readonly { readonly uri: string; readonly name?: string }[];
  /** What the server process writes to stderr, as it comes; only over stdio. */
  readonly onStderr?: (text: string) => void;
  /** The parameters of an OAuth callback, to finish an authorization that a former `open` began. */
  readonly authorizationResponse?: URLSearchParams;
}

/**
 * A way to reach one server. Extend it to bring your own; `open` may be called again and gives a
 * fresh connection each time.
 */
export abstract class MCPTransport {
  /** What a message calls it: a command with the number of its arguments, or a url without secrets. */
  abstract readonly description: string;
  /** @throws MCPTransportError, after everything that was started has been ended */
  abstract open(options?: OpenOptions): Promise<MCPConnection>;
}
