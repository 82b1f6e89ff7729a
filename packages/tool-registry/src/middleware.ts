import type { ToolResult } from "./result.ts";
import type { RegisteredTool, ToolCallContext } from "./tool.ts";

/** A call on its way to a tool; its arguments have been validated. */
export interface ToolCall<Context extends ToolCallContext = ToolCallContext> {
  /** As it stands now: with the overrides in force. */
  readonly tool: RegisteredTool;
  /** This middleware's own copy. */
  readonly args: Record<string, unknown>;
  readonly context: Context;
}

/**
 * Goes on with the call: the next middleware, at last the tool. Arguments that were changed, in
 * place or by passing others, are validated before anyone else sees them. Never rejects.
 *
 * @defaultValue `args`: those of the call
 */
export type NextMiddleware = (args?: Record<string, unknown>) => Promise<ToolResult>;

/**
 * Stands between caller and tool. The first one given to `use` is outermost. It may answer by
 * itself, change the arguments, or look at the result; calling `next` again runs the tool again.
 * If it throws, the caller gets a `tool_error`.
 */
export type ToolMiddleware<Context extends ToolCallContext = ToolCallContext> = (
  call: ToolCall<Context>,
  next: NextMiddleware,
) => ToolResult | Promise<ToolResult>;
