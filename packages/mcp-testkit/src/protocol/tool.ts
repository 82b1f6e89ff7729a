import type { JsonObject } from "../json-rpc.ts";

export interface ToolContext {
  /** Aborted when the client cancels, the session ends or the server stops. */
  readonly signal: AbortSignal;
  /** Counts one side effect under `id`; on record before this returns. */
  effect(id: string): void;
  /**
   * Sends a request to the client, such as `elicitation/create`.
   * @returns its result; rejects if the client answers with an error, or the signal comes first
   */
  request(method: string, params?: JsonObject): Promise<unknown>;
  /** Reports progress if the client asked for it. */
  progress(progress: number, total?: number, message?: string): Promise<void>;
}

/** A tool beside the built-in ones, or instead of the one of the same name. */
export interface TestTool {
  /** Stands in `tools/list` as it is, however malformed. A `name` that is a string can be called. */
  readonly listed: unknown;
  /** Sent as the result of a call, however malformed. */
  readonly result?: unknown;
  /**
   * Makes the result of a call; a throw becomes a result with `isError`. Without `run` and `result`
   * the arguments are echoed. Only for a server in this process.
   */
  readonly run?: (args: JsonObject, context: ToolContext) => unknown;
}

/** The name under which a tool is called. */
export function toolName({ listed }: TestTool): string | undefined {
  if (typeof listed !== "object" || listed === null || !("name" in listed)) return undefined;
  return typeof listed.name === "string" ? listed.name : undefined;
}

export function textResult(text: string, more: JsonObject = {}): JsonObject {
  return { content: [{ type: "text", text }], ...more };
}
