import type { QuarantineCode, WarningCode } from "@x/mcp-parse";

/**
 * Why a tool of the server is not in the kit:
 * - `max_items`: the list is longer than `maxItems`
 * - `unusable_schema`: its schema cannot be compiled
 * - any other: the item of the list cannot be read
 */
export interface OmittedTool {
  /** As the server calls it, if it has a name. */
  readonly name?: string;
  readonly code: "max_items" | "unusable_schema" | QuarantineCode;
  readonly message: string;
}

/** What `onEvent` is told. Arguments and results are never in it. */
export type AdapterMCPEvent =
  | {
      /** Once for each `equipMCP` that leaves tools out; the same list is in `kit.omitted`. */
      readonly type: "tools.omitted";
      readonly clientId: string;
      readonly omitted: readonly OmittedTool[];
    }
  | {
      /** Something of the server was tolerated. */
      readonly type: "warning";
      readonly clientId: string;
      /** The method that was asked. */
      readonly method: string;
      /** The tool, prompt or uri that was asked for. */
      readonly name?: string;
      readonly code: WarningCode | QuarantineCode;
      readonly message: string;
    };

/** An exception that it throws is rethrown on its own, so that it is seen and changes nothing. */
export type OnEvent = (event: AdapterMCPEvent) => void;
