/**
 * - `core_missing`: `equipMCP` needs `@rejelly/core`, which is not installed
 * - `invalid_port`: a client, a host or `@rejelly/core` lacks a method that is needed
 * - `config`: an option is wrong
 * - `tools_missing`: tools named in `options.tools` are not there, or cannot be used
 * - `duplicate_name`: two tools would be registered under one name
 * - `partly_registered`: the host refused a tool after others were registered, see `registered`
 * - `invalid_arguments`: a handler was called with something that is no object
 * - `tool_error`: the server says that the tool failed
 * - `invalid_prompt`, `invalid_resource`: an answer to `prompts/get` or `resources/read` is none
 * - `unsupported`: the tool runs only as a task, which this client cannot do
 * - `aborted`: the agent was stopped with a reason that is no error
 */
export type AdapterMCPErrorCode =
  | "core_missing"
  | "invalid_port"
  | "config"
  | "tools_missing"
  | "duplicate_name"
  | "partly_registered"
  | "invalid_arguments"
  | "tool_error"
  | "invalid_prompt"
  | "invalid_resource"
  | "unsupported"
  | "aborted"
  | McpProtocolErrorCode;

/**
 * - `invalid_catalog_shape`: an answer to `tools/list` holds no list
 * - `invalid_tool_name`, `invalid_tool_description`, `invalid_tool_schema`: of a tool in that list
 * - `duplicate_tool_name`: two tools of the list have the same name
 * - `invalid_cursor`: `nextCursor` is no string
 * - `invalid_catalog_limit`: `maxItems` is no positive integer
 * - `catalog_limit_exceeded`: the list does not end within `maxItems`
 * - `cursor_cycle`: kept for code that names it; such a list ends where it begins to repeat
 * - `invalid_call_result`: an answer to `tools/call` breaks its form
 */
export type McpProtocolErrorCode =
  | "invalid_catalog_shape"
  | "invalid_tool_name"
  | "invalid_tool_description"
  | "invalid_tool_schema"
  | "duplicate_tool_name"
  | "invalid_cursor"
  | "invalid_catalog_limit"
  | "catalog_limit_exceeded"
  | "cursor_cycle"
  | "invalid_call_result";

export interface AdapterMCPErrorDetails {
  /** As the server calls it. */
  readonly toolName?: string;
  /** The names under which tools were registered before this happened. */
  readonly registered?: readonly string[];
  readonly cause?: unknown;
}

/**
 * Thrown by everything of this package that throws, besides what a client rejects with, which goes
 * through unchanged. Branch on `code`.
 */
export class AdapterMCPError<Code extends AdapterMCPErrorCode = AdapterMCPErrorCode> extends Error {
  override readonly name: string = "AdapterMCPError";
  readonly code: Code;
  readonly toolName: string | undefined;
  readonly registered: readonly string[];

  constructor(code: Code, message: string, details: AdapterMCPErrorDetails = {}) {
    const { toolName, registered = [], cause } = details;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.toolName = toolName;
    this.registered = registered;
  }
}

export interface McpProtocolErrorPayload {
  readonly code: McpProtocolErrorCode;
  readonly toolName?: string;
  readonly cause?: unknown;
}

/** A server's list or answer breaks the protocol; thrown by `equipMCP` and the gateway functions. */
export class McpProtocolError extends AdapterMCPError<McpProtocolErrorCode> {
  override readonly name = "McpProtocolError";

  constructor(message: string, { code, ...details }: McpProtocolErrorPayload) {
    super(code, message, details);
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
