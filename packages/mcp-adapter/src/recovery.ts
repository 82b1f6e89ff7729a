import { type MCPConnection, MCPTransportError } from "@x/mcp-transport";
import type { Clock } from "./clock.ts";
import type { Link } from "./link.ts";

export interface RecoveryOptions {
  readonly link: Link;
  readonly recovery: "auto" | "manual";
}

/** How long a server has to answer the ping that follows a call without an answer. */
const PING_MS = 5_000;

/** Runs work on the live connection, and draws from its failures what they say of the connection. */
export class Recovery {
  readonly #options: RecoveryOptions;
  readonly #worked = new WeakSet<MCPConnection>();
  readonly #pinged = new WeakSet<MCPConnection>();
  readonly #inFlight = new WeakMap<MCPConnection, Set<Promise<unknown>>>();

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  /**
   * @param mayRepeat whether the work may be done once more, on the next connection, after the
   * connection was lost under it; asked only where recovery is automatic
   */
  async run<T>(
    clock: Clock,
    work: (connection: MCPConnection) => Promise<T>,
    mayRepeat: (error: MCPTransportError) => boolean,
  ): Promise<T> {
    const { link, recovery } = this.#options;
    const connection = await clock.race(link.acquire(clock.signal));
    try {
      return await this.#observed(connection, work);
    } catch (error) {
      const lost = error instanceof MCPTransportError && this.#isLost(connection, error);
      if (!lost || recovery === "manual" || !mayRepeat(error)) throw error;
    }
    return this.#observed(await clock.race(link.acquire(clock.signal)), work);
  }

  async #observed<T>(
    connection: MCPConnection,
    work: (connection: MCPConnection) => Promise<T>,
  ): Promise<T> {
    const working = work(connection);
    const inFlight = this.#inFlight.get(connection) ?? new Set();
    this.#inFlight.set(connection, inFlight.add(working));
    try {
      const result = await working;
      this.#worked.add(connection);
      return result;
    } catch (error) {
      inFlight.delete(working);
      if (error instanceof MCPTransportError) this.#judge(connection, error);
      throw error;
    } finally {
      inFlight.delete(working);
    }
  }

  #lose(connection: MCPConnection, error: MCPTransportError): void {
    const idle = Promise.allSettled(this.#inFlight.get(connection) ?? []).then(() => undefined);
    this.#options.link.lose(connection, error, idle);
  }

  #judge(connection: MCPConnection, error: MCPTransportError): void {
    // A child that lives is never taken for lost.
    const mayBeHalfOpen = connection.info.pid === undefined;
    if (this.#isLost(connection, error)) this.#lose(connection, error);
    else if (error.code === "timeout" && mayBeHalfOpen) void this.#ping(connection);
  }

  #isLost(connection: MCPConnection, { code, httpStatus }: MCPTransportError): boolean {
    // Some servers answer 400 to a session they have forgotten.
    const forgotten = code === "http" && httpStatus === 400 && this.#worked.has(connection);
    return forgotten || GONE.has(code);
  }

  async #ping(connection: MCPConnection): Promise<void> {
    if (connection.info.era !== "legacy" || this.#pinged.has(connection)) return;
    this.#pinged.add(connection);
    try {
      await connection.request("ping", {}, { timeoutMs: PING_MS });
    } catch (error) {
      // A server that refuses to be pinged is there.
      const silent = error instanceof MCPTransportError && error.code !== "rpc";
      if (silent) this.#lose(connection, error);
    } finally {
      this.#pinged.delete(connection);
    }
  }
}

const GONE = new Set(["closed", "exited", "session_lost", "refused", "network"]);
