import type { MCPTransportError } from "./errors.ts";

export type JsonObject = Record<string, unknown>;

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface RequestOptions {
  /** Ends the request with code `aborted`; the server is told with a neutral reason. */
  readonly signal?: AbortSignal;
  /** The whole time the request may take. @defaultValue the connection's `requestTimeoutMs` */
  readonly timeoutMs?: number;
  /**
   * The time that may pass without progress from the server.
   * @defaultValue the connection's `idleTimeoutMs`, or none if `timeoutMs` is given here
   */
  readonly idleTimeoutMs?: number;
  readonly onProgress?: (progress: Progress) => void;
}

/** One page of a list, as the server sent it: the items are not checked. */
export interface Page {
  readonly items: readonly unknown[];
  /** `""` is a cursor; a missing one ends the list. */
  readonly nextCursor?: string;
  readonly ttlMs?: number;
  readonly cacheScope?: "public" | "private";
}

export type ListKind = "tools" | "prompts" | "resources";

export interface ConnectionInfo {
  readonly protocolVersion: string;
  /** `legacy`: `initialize` handshake, up to 2025-11-25. `modern`: 2026-07-28 and later. */
  readonly era: "legacy" | "modern";
  readonly server: { readonly name?: string; readonly version?: string; readonly title?: string };
  readonly capabilities: JsonObject;
  readonly instructions?: string;
  /** The process started for this connection; only over stdio. */
  readonly pid?: number;
}

/**
 * One live connection. It never reconnects by itself: once closed it stays closed.
 *
 * Every request rejects only with {@link MCPTransportError}, whose `delivery` says whether the
 * server can have seen it. Results are handed on as the server sent them.
 */
export interface MCPConnection {
  readonly info: ConnectionInfo;
  listTools(cursor?: string, options?: RequestOptions): Promise<Page>;
  /** The raw CallToolResult; `isError: true` is an answer and does not reject. */
  callTool(name: string, args: JsonObject, options?: RequestOptions): Promise<JsonObject>;
  listResources(cursor?: string, options?: RequestOptions): Promise<Page>;
  listResourceTemplates(cursor?: string, options?: RequestOptions): Promise<Page>;
  readResource(uri: string, options?: RequestOptions): Promise<JsonObject>;
  listPrompts(cursor?: string, options?: RequestOptions): Promise<Page>;
  getPrompt(
    name: string,
    args?: Record<string, string>,
    options?: RequestOptions,
  ): Promise<JsonObject>;
  /** Any other request, for instance `ping`. */
  request(method: string, params?: JsonObject, options?: RequestOptions): Promise<JsonObject>;
  /** Resolves, once the server can be heard, with the function that stops listening. */
  onListChanged(kind: ListKind, callback: () => void): Promise<() => void>;
  /**
   * Called once when the connection ends; at once if it has ended already.
   * Without a reason the end was ours, by {@link MCPConnection.close}.
   */
  onClose(callback: (reason?: MCPTransportError) => void): () => void;
  /** Noise that costs nothing: lines that are no JSON, notifications nobody asked for. */
  onDiagnostic(callback: (error: Error) => void): () => void;
  /** Idempotent. Pending requests reject first; resolves when nothing is left running. */
  close(): Promise<void>;
}
