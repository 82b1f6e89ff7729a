import type { ToolDefinition, ToolMiddleware } from "./tool-definition.ts";

/** A type like the two below: an interface does not fit the open objects of older SDKs. */
export type ListParams = {
  /** As the page before named it. */
  readonly cursor?: string;
};

export type CallParams = {
  readonly name: string;
  readonly arguments?: Record<string, unknown>;
};

export type PromptParams = {
  readonly name: string;
  readonly arguments?: Record<string, string>;
};

/**
 * A connected MCP client, as far as this package calls it: `Client` of both SDKs,
 * `adapter.client` of `@x/mcp-adapter`, or a facade that takes names and arguments one by one.
 *
 * How a method takes its arguments is told before the first call, never by trying: by what the
 * client is (an SDK's, or one marked by `toClientFacade`), else by the number of parameters that
 * `callTool` declares; `callStyle` overrides it.
 */
export interface MCPClientLike {
  /** One page of `tools/list`, or an array of tools. */
  listTools(params?: ListParams): Promise<unknown>;
  readonly callTool:
    | ((params: CallParams) => Promise<unknown>)
    | ((name: string, args: Record<string, unknown>) => Promise<unknown>);
  listResources?(params?: ListParams): Promise<unknown>;
  readonly readResource?:
    | ((params: { readonly uri: string }) => Promise<unknown>)
    | ((uri: string) => Promise<unknown>);
  listPrompts?(params?: ListParams): Promise<unknown>;
  readonly getPrompt?:
    | ((params: PromptParams) => Promise<unknown>)
    | ((name: string, args?: Record<string, string>) => Promise<unknown>);
  /** Without `tools` in the answer the server has none, and is not asked for any. */
  getServerCapabilities?(): unknown;
}

/**
 * What `createEquipMCP` needs of an agent framework. Every method is called while `equipMCP` or
 * `inject` runs, `signal` also at each call of a tool; the framework itself knows which agent runs.
 */
export interface AgentHost {
  /**
   * The value kept under `key` if it was made with deeply equal `deps`, else that of `make`, kept
   * from now on. A `make` that rejects is not kept. Key, value and deps are JSON, so a snapshot of
   * the agent may hold them; they outlive one turn of the agent, and are its own.
   */
  memo(key: string, make: () => Promise<string>, deps: readonly number[]): Promise<unknown>;
  /** A number kept under `key` for as long as a memo, and what replaces it. */
  number(key: string, initial: number): readonly [value: number, set: (value: number) => void];
  /**
   * Offers a tool to the model. Before `tool.handler` runs, arguments are judged by
   * `tool.parameters.safeParse`, and the handler gets its `data`.
   *
   * Throws if a tool of that name is there already.
   */
  registerTool(
    tool: ToolDefinition,
    options: { readonly middleware: readonly ToolMiddleware[] },
  ): void;
  /** Aborts what the running agent has under way. */
  signal?(): AbortSignal | undefined;
  /** The names registered so far; lets `inject` find a clash before it registers anything. */
  toolNames?(): Iterable<string>;
}
