import { MCPParseError } from "@x/mcp-parse";
import { MCPTransportError, type MCPTransportErrorCode } from "@x/mcp-transport";
import { ClockStopped } from "./clock.ts";
import type { MCPErrorCode } from "./result.ts";

/**
 * The codes of {@link MCPTransportErrorCode}, those of {@link MCPErrorCode} where
 * `adapter.client.callTool` has no result to return, and
 * - `not_connected`: the call needs a connection and there is none
 * - `invalid_port`: what was given as a tool sink or transport lacks a method this package calls
 * - `not_registered`: the tool sink refused the tools of a server; `cause` is what it threw
 */
export type MCPAdapterErrorCode =
  | MCPTransportErrorCode
  | MCPErrorCode
  | "not_connected"
  | "invalid_port"
  | "not_registered";

export interface MCPAdapterErrorOptions {
  /** The name of the server, from its config. */
  readonly server?: string;
  readonly cause?: unknown;
}

/**
 * Thrown by everything of this package that throws. What a tool or a model can cause is returned as
 * a result instead. Branch on `code`.
 */
export class MCPAdapterError extends Error {
  override readonly name: string = "MCPAdapterError";
  readonly code: MCPAdapterErrorCode;
  readonly server: string | undefined;

  constructor(
    code: MCPAdapterErrorCode,
    message: string,
    { server, cause }: MCPAdapterErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.server = server;
  }
}

/** Thrown by `connect` and `reconnect`: the server was not reached, or the handshake failed. */
export class MCPConnectionError extends MCPAdapterError {
  override readonly name = "MCPConnectionError";
  /** What was tried: a command with the number of its arguments, or a url without secrets. */
  readonly attempted: string;
  readonly exitCode: number | undefined;
  /** The end of what the server process wrote to stderr, secrets masked. */
  readonly stderrTail: string | undefined;

  constructor(server: string, attempted: string, error: unknown) {
    const known = error instanceof MCPTransportError ? error : undefined;
    const stderrTail = known?.stderrTail;
    const tail = stderrTail ? `\nstderr ends with:\n${stderrTail.trimEnd()}` : "";
    super(
      known?.code ?? "network",
      `server "${server}": no connection to ${attempted}: ${reasonOf(error, `${server} (${attempted}): `)}${tail}`,
      { server, cause: error },
    );
    this.attempted = attempted;
    this.exitCode = known?.exitCode;
    this.stderrTail = stderrTail;
  }
}

/** Thrown by calls made before `connect`, after `disconnect`, or after the connection was lost. */
export class MCPNotConnectedError extends MCPAdapterError {
  override readonly name = "MCPNotConnectedError";
  /** The state of the adapter at that moment. */
  readonly state: string;

  constructor(server: string, state: string) {
    super("not_connected", `server "${server}" is not connected (${state}): call connect() first`, {
      server,
    });
    this.state = state;
  }
}

/** The transport begins its messages with what was tried, which is said already. */
function reasonOf(error: unknown, begins: string): string {
  const message = messageOf(error);
  return message.startsWith(begins) ? message.slice(begins.length) : message;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The error of this package for whatever a connection, a reader or a clock rejected with. */
export function adapterError(server: string, what: string, cause: unknown): MCPAdapterError {
  if (cause instanceof MCPAdapterError) return cause;
  const message = `server "${server}": ${what}: ${messageOf(cause)}`;
  return new MCPAdapterError(codeOf(cause), message, { server, cause });
}

function codeOf(cause: unknown): MCPAdapterErrorCode {
  if (cause instanceof MCPTransportError) return cause.code;
  if (cause instanceof ClockStopped) return cause.end === "timeout" ? "timeout" : "aborted";
  if (cause instanceof MCPParseError && cause.code === "limit") return "limit";
  return "invalid_result";
}
