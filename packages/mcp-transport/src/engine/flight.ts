import type { JsonObject, Progress, RequestOptions } from "../connection.ts";
import { type Delivery, MCPTransportError, type MCPTransportErrorCode } from "../errors.ts";
import type { RequestId } from "./engine-wire.ts";
import { onAbort } from "./on-abort.ts";

export interface Clocks {
  readonly requestTimeoutMs: number;
  readonly idleTimeoutMs: number;
}

export interface FlightEnd {
  resolve(result: JsonObject): void;
  reject(error: MCPTransportError): void;
}

/** Told to the server in place of the caller's reason, which is none of its business. */
const cancelReason = "The client no longer waits for the answer";

/** One request, from the call to its end. It ends once, and takes its timers and listeners along. */
export class Flight {
  /** What messages call it: the server and the method. */
  readonly label: string;
  id: RequestId | undefined;
  /** Whether the server is to be told that nobody waits any more. */
  cancelled = false;
  /** How many answers asked for more before the one that ends it. */
  rounds = 0;
  /** Sends the request again, with what the server asked for. */
  resume: (more: JsonObject) => void = () => {};
  delivery: Delivery = "not_sent";
  readonly #controller = new AbortController();
  readonly #options: RequestOptions;
  readonly #end: FlightEnd;
  readonly #total: NodeJS.Timeout;
  readonly #idle: NodeJS.Timeout | undefined;
  readonly #stopListening: () => void;
  #over = false;

  constructor(label: string, options: RequestOptions, clocks: Clocks, end: FlightEnd) {
    this.label = label;
    this.#options = options;
    this.#end = end;
    const { timeoutMs = clocks.requestTimeoutMs } = options;
    const fallback = options.timeoutMs === undefined ? clocks.idleTimeoutMs : timeoutMs;
    const idleMs = options.idleTimeoutMs ?? fallback;
    this.#total = setTimeout(
      () => this.#cancel("timeout", `no answer within ${timeoutMs} ms`),
      timeoutMs,
    );
    if (idleMs < timeoutMs) {
      const message = `neither answer nor progress for ${idleMs} ms`;
      this.#idle = setTimeout(() => this.#cancel("timeout", message), idleMs);
    }
    this.#stopListening = onAbort(options.signal, () =>
      this.#cancel("aborted", "the caller's signal ended it"),
    );
  }

  /** Restarts the idle clock: the server is at work. */
  alive(): void {
    this.#idle?.refresh();
  }

  /** Aborts when the flight ends without an answer. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Restarts the idle clock. What the callback throws is thrown. */
  progress(progress: Progress): void {
    this.alive();
    this.#options.onProgress?.(progress);
  }

  succeed(result: JsonObject): void {
    if (this.#finish()) this.#end.resolve(result);
  }

  /** @param error if it names no delivery, it gets what the flight knows */
  fail(error: MCPTransportError): void {
    if (!this.#finish()) return;
    // Once a request has been answered with a question, it has been seen, whatever became of the rest.
    const delivery = this.rounds > 0 ? "unknown" : (error.delivery ?? this.delivery);
    this.#end.reject(error.delivery === delivery ? error : withDelivery(error, delivery));
    this.#controller.abort(cancelReason);
  }

  #cancel(code: MCPTransportErrorCode, message: string): void {
    this.cancelled = true;
    this.fail(
      new MCPTransportError(code, `${this.label}: ${message}`, {
        ...(code === "aborted" && { cause: this.#options.signal?.reason }),
      }),
    );
  }

  #finish(): boolean {
    if (this.#over) return false;
    this.#over = true;
    clearTimeout(this.#total);
    clearTimeout(this.#idle);
    this.#stopListening();
    return true;
  }
}

/** The same error, as one request met it. */
export function withDelivery(error: MCPTransportError, delivery: Delivery): MCPTransportError {
  const { code, message, cause, ...fields } = error;
  return new MCPTransportError(code, message, { ...fields, cause, delivery });
}
