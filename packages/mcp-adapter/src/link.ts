import {
  type MCPConnection,
  type MCPTransport,
  MCPTransportError,
  type OpenOptions,
} from "@x/mcp-transport";
import { ClockStopped, raceSignal, startClock } from "./clock.ts";
import { MCPConnectionError, MCPNotConnectedError } from "./errors.ts";
import type { Emit } from "./event.ts";

/**
 * `idle | down | closed → connecting → ready | down`, on loss `ready → down`, any `→ closing →
 * closed`. `recovering` is reached only by automatic recovery.
 */
export type AdapterState =
  | "idle"
  | "connecting"
  | "ready"
  | "recovering"
  | "down"
  | "closing"
  | "closed";

export interface LinkOptions {
  readonly server: string;
  readonly transport: MCPTransport;
  readonly emit: Emit;
  /** Given to every `open`. */
  readonly open: Pick<OpenOptions, "clientInfo" | "onElicit" | "roots">;
  /** Runs on each new connection before it counts as ready. */
  readonly onConnected: (connection: MCPConnection) => Promise<void>;
}

export interface LinkConnectOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly authorizationResponse?: URLSearchParams;
}

interface Attempt {
  readonly promise: Promise<void>;
  readonly controller: AbortController;
  waiting: number;
}

/** Owns the one connection of an adapter: opens it, notices its loss, closes it. */
export class Link {
  readonly #options: LinkOptions;
  #state: AdapterState = "idle";
  #connection: MCPConnection | undefined;
  #attempt: Attempt | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  get state(): AdapterState {
    return this.#state;
  }

  /** @throws MCPNotConnectedError */
  require(): MCPConnection {
    if (this.#state === "ready" && this.#connection) return this.#connection;
    throw new MCPNotConnectedError(this.#options.server, this.#state);
  }

  /** Concurrent calls share one attempt; it is given up when all of its callers have aborted. */
  async connect(options: LinkConnectOptions): Promise<void> {
    if (this.#closing) await this.#closing;
    if (this.#state === "ready") return;
    this.#attempt ??= this.#begin(options);
    await this.#join(this.#attempt, options.signal);
  }

  async disconnect(): Promise<void> {
    this.#closing ??= this.#close().finally(() => {
      this.#closing = undefined;
    });
    return this.#closing;
  }

  #begin(options: LinkConnectOptions): Attempt {
    this.#state = "connecting";
    const controller = new AbortController();
    const promise = this.#open(options, controller.signal).finally(() => {
      this.#attempt = undefined;
    });
    return { promise, controller, waiting: 0 };
  }

  async #join(attempt: Attempt, signal: AbortSignal | undefined): Promise<void> {
    attempt.waiting += 1;
    try {
      await (signal ? raceSignal(attempt.promise, signal) : attempt.promise);
    } catch (error) {
      if (error instanceof MCPConnectionError) throw error;
      // This caller's signal: the attempt itself rejects only with MCPConnectionError.
      attempt.waiting -= 1;
      if (attempt.waiting > 0) throw this.#failed(aborted());
      attempt.controller.abort();
      await attempt.promise;
    }
  }

  async #open(options: LinkConnectOptions, signal: AbortSignal): Promise<void> {
    const { transport, emit } = this.#options;
    const startedAt = performance.now();
    const clock = startClock(options.timeoutMs, signal);
    emit({ type: "connect.start", attempted: transport.description });
    try {
      const connection = await transport.open({
        ...this.#options.open,
        timeoutMs: options.timeoutMs,
        signal,
        onStderr: (text) => emit({ type: "stderr", text }),
        ...(options.authorizationResponse && {
          authorizationResponse: options.authorizationResponse,
        }),
      });
      await this.#adopt(connection, (ready) => clock.race(ready));
      const { protocolVersion, era, pid } = connection.info;
      const durationMs = performance.now() - startedAt;
      emit({
        type: "connect.end",
        durationMs,
        protocolVersion,
        era,
        ...(pid !== undefined && { pid }),
      });
    } catch (cause) {
      if (this.#state === "connecting") this.#state = "down";
      const error = this.#failed(cause);
      emit({ type: "connect.error", durationMs: performance.now() - startedAt, error });
      throw error;
    } finally {
      clock.stop();
    }
  }

  #failed(cause: unknown): MCPConnectionError {
    const { server, transport } = this.#options;
    const known =
      cause instanceof ClockStopped
        ? cause.end === "timeout"
          ? new MCPTransportError("timeout", "the deadline passed")
          : aborted()
        : cause;
    return new MCPConnectionError(server, transport.description, known);
  }

  async #adopt(
    connection: MCPConnection,
    bounded: (ready: Promise<void>) => Promise<void>,
  ): Promise<void> {
    try {
      await bounded(this.#options.onConnected(connection));
    } catch (error) {
      await connection.close();
      throw error;
    }
    this.#connection = connection;
    this.#state = "ready";
    connection.onDiagnostic((error) => {
      this.#options.emit({ type: "diagnostic", message: error.message, error });
    });
    connection.onClose((reason) => this.#lost(connection, reason));
  }

  #lost(connection: MCPConnection, reason: MCPTransportError | undefined): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    if (this.#state !== "ready") return;
    this.#state = "down";
    this.#options.emit({
      type: "connection.lost",
      message: reason?.message ?? "the connection ended",
    });
  }

  async #close(): Promise<void> {
    this.#state = "closing";
    try {
      this.#attempt?.controller.abort();
      // Its failure is thrown to those who called connect().
      await this.#attempt?.promise.catch(() => undefined);
      await this.#connection?.close();
    } finally {
      this.#connection = undefined;
      this.#state = "closed";
    }
  }
}

function aborted(): MCPTransportError {
  return new MCPTransportError("aborted", "given up, as asked by the caller");
}
