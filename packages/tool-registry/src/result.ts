import type { ToolContent } from "./content.ts";

/**
 * - `not_found`: no such tool
 * - `no_longer_available`: the tool was removed, or changed while the call waited
 * - `validation`: the arguments do not fit; `issues` says where
 * - `schema`: the tool's own schema or validator is unusable
 * - `denied`: the approval was refused
 * - `overloaded`: the tool's queue is full
 * - `too_large`: arguments or answer over a limit
 * - `timeout`, `cancelled`: a deadline passed, or the caller's signal
 * - `tool_error`: an own tool, or a middleware, failed
 * - `server_error`: a tool on a server reported a failure
 * - `protocol`: a malformed answer
 * - `outcome_unknown`: the connection was lost with the call sent
 * - `unavailable`, `unauthorized`: a server was not reached, or refused the credentials
 * - `unsupported`: the call needs what the tool's side has not
 */
export type ToolErrorCode =
  | "not_found"
  | "no_longer_available"
  | "validation"
  | "schema"
  | "denied"
  | "overloaded"
  | "too_large"
  | "timeout"
  | "cancelled"
  | "tool_error"
  | "server_error"
  | "protocol"
  | "outcome_unknown"
  | "unavailable"
  | "unauthorized"
  | "unsupported";

/** Whether the tool ran, as far as anyone can tell. */
export type Ran = "no" | "yes" | "unknown";

export interface ToolIssue {
  readonly message: string;
  /** A JSON pointer, or the keys from the root. */
  readonly path?: string | readonly PropertyKey[];
}

export interface ToolWarning {
  readonly code: string;
  readonly message: string;
  readonly path?: string;
}

interface ToolResultBase {
  /** The server's result object as it came; for own tools `{ content, structuredContent? }`. */
  readonly data: Record<string, unknown>;
  readonly durationMs: number;
  readonly content: readonly ToolContent[];
  readonly warnings: readonly ToolWarning[];
}

export interface ToolSuccess<T = unknown> extends ToolResultBase {
  readonly success: true;
  readonly error: null;
  readonly errorCode: null;
  readonly structuredContent?: T;
}

export interface ToolFailure extends ToolResultBase {
  readonly success: false;
  /** Never empty. */
  readonly error: string;
  readonly errorCode: ToolErrorCode;
  readonly ran: Ran;
  readonly structuredContent?: unknown;
  readonly issues?: readonly ToolIssue[];
}

/** What a call came to. Branch on `success`, then on `errorCode`. */
export type ToolResult<T = unknown> = ToolSuccess<T> | ToolFailure;

export interface ToolSuccessParts<T> {
  readonly content: readonly ToolContent[];
  readonly structuredContent?: T;
  /** @defaultValue 0 */
  readonly durationMs?: number;
}

/** A success, for middleware and hand-written specs; `defineTool` wraps plain returns itself. */
export function toolSuccess<T = unknown>(parts: ToolSuccessParts<T>): ToolSuccess<T> {
  const { content, structuredContent, durationMs = 0 } = parts;
  const payload = { content, ...(structuredContent !== undefined && { structuredContent }) };
  return {
    success: true,
    data: { ...payload },
    error: null,
    errorCode: null,
    durationMs,
    ...payload,
    warnings: [],
  };
}

export interface ToolFailureParts {
  /** @defaultValue "no" */
  readonly ran?: Ran;
  readonly issues?: readonly ToolIssue[];
  /** @defaultValue [] */
  readonly content?: readonly ToolContent[];
  readonly structuredContent?: unknown;
  /** @defaultValue 0 */
  readonly durationMs?: number;
}

/** A failure, for middleware and hand-written specs. */
export function toolFailure(
  errorCode: ToolErrorCode,
  error: string,
  parts: ToolFailureParts = {},
): ToolFailure {
  const { ran = "no", issues, content, structuredContent, durationMs = 0 } = parts;
  const structured = structuredContent !== undefined && { structuredContent };
  return {
    success: false,
    data: content === undefined ? {} : { content, ...structured },
    error: error === "" ? errorCode : error,
    errorCode,
    ran,
    durationMs,
    content: content ?? [],
    ...structured,
    ...(issues !== undefined && { issues }),
    warnings: [],
  };
}
