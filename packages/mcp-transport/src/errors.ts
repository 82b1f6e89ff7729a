/**
 * - `config`: the config or an option is wrong; nothing was started
 * - `spawn`: the process could not be started
 * - `exited`: the process ended
 * - `refused`: nothing listens at the address
 * - `network`: the network failed otherwise
 * - `blocked`: our own policy forbids the address or the redirect
 * - `unauthorized`: HTTP 401 or 403
 * - `http`: another HTTP status, in `httpStatus`
 * - `session_lost`: the server no longer knows the session
 * - `timeout`: a deadline of ours passed
 * - `aborted`: the caller's signal
 * - `closed`: the connection ended, or was closed by us
 * - `rpc`: the server answered with a JSON-RPC error, in `rpcCode` and `rpcData`
 * - `invalid_result`: the answer is not of the form that the protocol prescribes
 * - `unsupported`: this engine, era or server cannot do it
 * - `limit`: a limit of ours was passed, named in the message
 */
export type MCPTransportErrorCode =
  | "config"
  | "spawn"
  | "exited"
  | "refused"
  | "network"
  | "blocked"
  | "unauthorized"
  | "http"
  | "session_lost"
  | "timeout"
  | "aborted"
  | "closed"
  | "rpc"
  | "invalid_result"
  | "unsupported"
  | "limit";

/**
 * Whether the server can have seen a rejected request: `not_sent` it cannot; `refused` it answered
 * 404 to the session and did not run it; `unknown` it may have run it.
 */
export type Delivery = "not_sent" | "refused" | "unknown";

export interface MCPTransportErrorOptions {
  readonly cause?: unknown;
  readonly delivery?: Delivery;
  /** The config field or option that is wrong; with `config`. */
  readonly field?: string;
  readonly httpStatus?: number;
  readonly rpcCode?: number;
  /** The server's own words, which `message` puts the server's name before; with `rpc`. */
  readonly rpcMessage?: string;
  readonly rpcData?: unknown;
  readonly exitCode?: number;
  readonly exitSignal?: string;
  /** The end of what the process wrote to stderr, at most 8 KiB, secrets masked. */
  readonly stderrTail?: string;
}

/** The only error this package throws or rejects with. Branch on `code`. */
export class MCPTransportError extends Error {
  override readonly name = "MCPTransportError";
  readonly code: MCPTransportErrorCode;
  declare readonly delivery?: Delivery;
  declare readonly field?: string;
  declare readonly httpStatus?: number;
  declare readonly rpcCode?: number;
  declare readonly rpcMessage?: string;
  declare readonly rpcData?: unknown;
  declare readonly exitCode?: number;
  declare readonly exitSignal?: string;
  declare readonly stderrTail?: string;

  constructor(
    code: MCPTransportErrorCode,
    message: string,
    { cause, ...fields }: MCPTransportErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    Object.assign(this, fields);
  }
}
