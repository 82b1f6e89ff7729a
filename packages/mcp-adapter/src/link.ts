import type { MCPConnection, MCPTransportError } from "@x/mcp-transport";
import { Attempt } from "./attempt.ts";
import { backoffMs, delay } from "./backoff.ts";
import { Circuit } from "./circuit.ts";
import { startClock } from "./clock.ts";
import { MCPConnectionError, MCPNotConnectedError } from "./errors.ts";
import { connectionError, type Opening, type OpeningOptions, openOnce } from "./opening.ts";

/**
 * - by the caller: `idle | down | closed → connecting → ready | down`, any `→ closing → closed`
 * - on loss: `ready → recovering` where recovery is automatic and the server is reached by a url,
 *   else `ready → down`
 * - by the next call, where recovery is automatic: `down → recovering`
 * - `recovering → ready | down`
 */
export type AdapterState =
  | "idle"
  | "connecting"
  | "ready"
  | "recovering"
  | "down"
  | "closing"
  | "closed";

export interface LinkOptions extends Opening {
  readonly recovery: "auto" | "manual";
  /**
   * Whether a process is started, as far as the config tells; the first connection tells for sure.
   * A process is started again when it is next needed, not in the background.
   */
  readonly startsProcess: boolean;
  readonly connectTimeoutMs: number;
  readonly circuitResetMs: number;
  readonly onReady: () => void;
}

/** Owns the one connection of an adapter: opens it, notices its loss, recovers it, closes it. */
export class Link {
  readonly #options: LinkOptions;
  readonly #circuit: Circuit;
  #startsProcess: boolean;
  #state: AdapterState = "idle";
  #connection: MCPConnection | undefined;
  #attempt: Attempt<void> | undefined;
  #closing: Promise<void> | undefined;
  /** Lost connections that are still being closed. */
  readonly #dying = new Set<MCPConnection>();

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#circuit = new Circuit(options.circuitResetMs);
    this.#startsProcess = options.startsProcess;
  }

  get state(): AdapterState {
    return this.#state;
  }

  /** @throws MCPNotConnectedError */
  require(): MCPConnection {
    if (this.#state === "ready" && this.#connection) return this.#connection;
    throw new MCPNotConnectedError(this.#options.server, this.#state);
  }

  /**
   * @throws MCPNotConnectedError unless there is a connection, or one may be had by recovery
   */
  check(): void {
    const recoverable =
      this.#options.recovery === "auto" &&
      ["connecting", "recovering", "down"].includes(this.#state);
    if (!recoverable) this.require();
  }

  /**
   * The live connection, after recovery where that is automatic.
   *
   * @throws MCPNotConnectedError, MCPConnectionError, the signal's reason
   */
  async acquire(signal: AbortSignal): Promise<MCPConnection> {
    if (this.#state === "ready") return this.require();
    this.check();
    try {
      await this.#recovering().join(signal, { givesUp: false });
    } catch (error) {
      this.check();
      throw error;
    }
    return this.require();
  }

  /** Concurrent calls share one attempt; it is given up when all of its callers have aborted. */
  async connect(options: OpeningOptions, signal: AbortSignal | undefined): Promise<void> {
    if (this.#closing) await this.#closing;
    if (this.#state === "ready") return;
    this.#attempt ??= this.#begin("connecting", (stop) => this.#connectOnce(options, stop));
    const clock = startClock(options.timeoutMs, signal);
    try {
      await this.#attempt.join(clock.signal);
    } catch (error) {
      throw error instanceof MCPConnectionError ? error : connectionError(this.#options, error);
    } finally {
      clock.stop();
    }
  }

  disconnect(): Promise<void> {
    this.#closing ??= this.#close().finally(() => {
      this.#closing = undefined;
    });
    return this.#closing;
  }

  /**
   * Takes a connection for dead that has not said so itself. It is closed when `idle` resolves: the
   * other calls on it may still be answered.
   */
  lose(connection: MCPConnection, reason: MCPTransportError, idle: Promise<void>): void {
    if (this.#connection !== connection) return;
    this.#dying.add(connection);
    this.#lost(connection, reason);
    idle
      .then(() => connection.close())
      .catch((error: unknown) => {
        const message = "a lost connection did not close";
        this.#options.emit({ type: "diagnostic", message, error });
      })
      .finally(() => this.#dying.delete(connection));
  }

  /** Forgets former failures. */
  resetCircuit(): void {
    if (this.#circuit.close()) this.#options.emit({ type: "circuit.close" });
  }

  #begin(
    state: "connecting" | "recovering",
    work: (signal: AbortSignal) => Promise<void>,
  ): Attempt<void> {
    this.#move(state);
    const attempt = new Attempt<void>((signal) =>
      work(signal).finally(() => {
        if (this.#attempt === attempt) this.#attempt = undefined;
        if (this.#state === state) this.#move("down");
      }),
    );
    return attempt;
  }

  #recovering(): Attempt<void> {
    if (this.#attempt) return this.#attempt;
    if (this.#circuit.state === "open") {
      return new Attempt(() => Promise.reject(this.#circuit.cause));
    }
    this.#attempt = this.#begin("recovering", (signal) => this.#recover(signal));
    return this.#attempt;
  }

  async #connectOnce(options: OpeningOptions, signal: AbortSignal): Promise<void> {
    const connection = await openOnce(this.#options, options, signal);
    if (signal.aborted) {
      await connection.close();
      signal.throwIfAborted();
    }
    this.#adopt(connection);
  }

  #move(state: AdapterState): void {
    const from = this.#state;
    this.#state = state;
    this.#options.emit({ type: "state", from, state });
  }

  async #recover(signal: AbortSignal): Promise<void> {
    const { emit, connectTimeoutMs } = this.#options;
    const startedAt = performance.now();
    const once = this.#startsProcess || this.#circuit.state === "trial";
    emit({ type: "recover.start" });
    for (let attempt = 0; ; attempt += 1) {
      try {
        await this.#connectOnce({ timeoutMs: connectTimeoutMs }, signal);
        emit({
          type: "recover.end",
          attempts: attempt + 1,
          durationMs: performance.now() - startedAt,
        });
        return;
      } catch (error) {
        signal.throwIfAborted();
        const opened = this.#countFailure(error);
        if (once || opened || !mayPass(error)) {
          emit({ type: "recover.error", attempts: attempt + 1, error });
          throw error;
        }
        await delay(backoffMs(attempt), signal);
      }
    }
  }

  #countFailure(error: unknown): boolean {
    const { emit, circuitResetMs } = this.#options;
    const open = this.#circuit.failed(error);
    if (open) emit({ type: "circuit.open", resetMs: circuitResetMs });
    return open;
  }

  #adopt(connection: MCPConnection): void {
    this.#connection = connection;
    this.#startsProcess = connection.info.pid !== undefined;
    this.#move("ready");
    this.resetCircuit();
    connection.onDiagnostic((error) => {
      this.#options.emit({ type: "diagnostic", message: error.message, error });
    });
    connection.onClose((reason) => this.#lost(connection, reason));
    this.#options.onReady();
  }

  #lost(connection: MCPConnection, reason: MCPTransportError | undefined): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    if (this.#state !== "ready") return;
    this.#move("down");
    const message = reason?.message ?? "the connection ended";
    this.#options.emit({ type: "connection.lost", message });
    if (this.#options.recovery === "auto" && !this.#startsProcess) this.#recovering();
  }

  async #close(): Promise<void> {
    const attempt = this.#attempt;
    this.#move("closing");
    try {
      attempt?.abort();
      // Its failure is thrown to those who wait for it.
      await attempt?.promise.catch(() => undefined);
      const left = this.#connection ? [this.#connection, ...this.#dying] : [...this.#dying];
      await Promise.all(left.map((connection) => connection.close()));
    } finally {
      this.#attempt = undefined;
      this.#connection = undefined;
      this.#move("closed");
    }
  }
}

const FINAL_CODES = new Set(["unauthorized", "config", "unsupported", "blocked", "spawn"]);

/** Whether another attempt might fare better without anyone doing anything. */
function mayPass(error: unknown): boolean {
  return !(error instanceof MCPConnectionError && FINAL_CODES.has(error.code));
}
