import type { OmittedTool, OnEvent } from "./event.ts";
import type { MCPPromptsKit } from "./prompts.ts";
import type { ToolDefinition, ToolMiddleware } from "./tool-definition.ts";

export interface EquipMCPOptions {
  /** A stable name for this client; what is remembered of its lists is kept under it. */
  readonly clientId: string;
  /** Registered names become `{namespace}_{name}`. @defaultValue none */
  readonly namespace?: string;
  /**
   * Only these tools, by the server's own names; all must be there. `[]`: none, and the server is
   * not asked.
   *
   * @defaultValue all
   */
  readonly tools?: readonly string[];
  /** Asks the server again, and remembers that answer. @defaultValue false */
  readonly forceRefresh?: boolean;
  /** Whether to follow `nextCursor`. @defaultValue true */
  readonly autoPaginate?: boolean;
  /** The most tools to take; the others are in `kit.omitted`. @defaultValue 100 */
  readonly maxItems?: number;
  /** Adds a tool that lists resources and one that reads them. @defaultValue false */
  readonly enableResources?: boolean;
  /** Around each call of a tool, unless `inject` is given others. @defaultValue none */
  readonly middleware?: readonly ToolMiddleware[];
  /** How the client takes arguments. @defaultValue told from the client */
  readonly callStyle?: CallStyle;
  /**
   * The most bytes of UTF-8 that the text of one result may have, at least 64. A longer text keeps
   * its head and tail.
   *
   * @defaultValue no limit
   */
  readonly maxTextBytes?: number;
  readonly onEvent?: OnEvent;
}

/** `object`: `callTool({ name, arguments })`; `positional`: `callTool(name, args)`. */
export type CallStyle = "object" | "positional";

export interface InjectOptions {
  /** @defaultValue true */
  readonly injectTools?: boolean;
  /** @defaultValue false */
  readonly injectResourceTools?: boolean;
  /** In place of those in the options of `equipMCP`. */
  readonly middleware?: readonly ToolMiddleware[];
}

/** The state of a server at one moment. Frozen: it never changes afterwards. */
export interface MCPKit<Client = unknown> {
  readonly client: Client;
  /** Sorted by the server's own names. */
  readonly tools: readonly ToolDefinition[];
  /** Empty without `enableResources`. */
  readonly resourceTools: readonly ToolDefinition[];
  /** By registered name; without a prototype. */
  readonly toolMap: Readonly<Record<string, ToolDefinition>>;
  readonly resourceToolMap: Readonly<Record<string, ToolDefinition>>;
  readonly prompts: MCPPromptsKit;
  /** The server's tools that are not in the kit, each with the reason. */
  readonly omitted: readonly OmittedTool[];
  /**
   * Registers the tools with the running agent. A clash inside the kit, or with the host's
   * `toolNames`, is found before the first one is registered.
   *
   * @throws AdapterMCPError `duplicate_name`; what the host throws, if nothing is registered yet,
   * else `partly_registered`
   */
  inject(options?: InjectOptions): void;
}
