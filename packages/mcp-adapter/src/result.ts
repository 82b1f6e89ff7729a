import type { ContentBlock } from "@x/mcp-parse";
import type { ValidationIssue } from "./ports.ts";

/**
 * - `not_found`: the server lists no such tool, or the filter hides it
 * - `validation`: the arguments do not fit the tool's schema; `issues` says where
 * - `schema`: the tool is set aside, since its schema cannot be used
 * - `overloaded`: the queue is full
 * - `too_large`: the arguments, or the answer, are over a limit
 * - `timeout`, `cancelled`: a deadline, or the caller's signal
 * - `server_error`: the tool ran and reports an error
 * - `protocol`: a JSON-RPC error, an HTTP status or a malformed answer
 * - `outcome_unknown`: the connection was lost after the call was sent
 * - `unavailable`, `unauthorized`: the server was not reached, or refused the credentials
 * - `unsupported`: the call needs what this version of the protocol, or this client, has not
 */
export type MCPErrorCode =
  | "not_found"
  | "validation"
  | "schema"
  | "overloaded"
  | "too_large"
  | "timeout"
  | "cancelled"
  | "server_error"
  | "protocol"
  | "outcome_unknown"
  | "unavailable"
  | "unauthorized"
  | "unsupported";

export interface ResultWarning {
  readonly code: string;
  readonly message: string;
  readonly path?: string;
}

interface ResultBase {
  /** The server's result object as it came, `{}` if there is none. */
  readonly data: Record<string, unknown>;
  /** From the call to the result: queue, discovery and the call itself. */
  readonly durationMs: number;
  /** The content blocks, read: unknown kinds are passed on as they came. */
  readonly content: readonly ContentBlock[];
  readonly warnings: readonly ResultWarning[];
}

/** What a call came to; never thrown. Branch on `success`, then on `errorCode`. */
export type MCPToolResult<Structured = unknown> =
  | (ResultBase & {
      readonly success: true;
      readonly error: null;
      readonly errorCode: null;
      readonly structuredContent?: Structured;
    })
  | (ResultBase & {
      readonly success: false;
      readonly error: string;
      readonly errorCode: MCPErrorCode;
      /** Whether the tool ran on the server. */
      readonly ran: "no" | "yes" | "unknown";
      readonly structuredContent?: unknown;
      /** What does not fit, with `validation`; at most 20. */
      readonly issues?: readonly ValidationIssue[];
    });

export interface Failure {
  readonly errorCode: MCPErrorCode;
  readonly error: string;
  readonly ran: "no" | "yes" | "unknown";
  readonly issues?: readonly ValidationIssue[];
}

export function failed(failure: Failure, startedAt: number): MCPToolResult<never> {
  return {
    success: false,
    data: {},
    content: [],
    warnings: [],
    ...failure,
    durationMs: performance.now() - startedAt,
  };
}
