/** Consecutive failures after which the circuit opens. */
const FAILURES_TO_OPEN = 5;

/**
 * Stops recovery from being tried again and again: open after five failures in a row, then closed
 * to calls until the reset time has passed, after which one trial decides.
 */
export class Circuit {
  readonly #resetMs: number;
  #failures = 0;
  #openedAt: number | undefined;
  #cause: unknown;

  constructor(resetMs: number) {
    this.#resetMs = resetMs;
  }

  /** `trial`: open, but the next attempt may be made. */
  get state(): "closed" | "open" | "trial" {
    if (this.#openedAt === undefined) return "closed";
    return performance.now() - this.#openedAt < this.#resetMs ? "open" : "trial";
  }

  /** What the last attempt failed with. */
  get cause(): unknown {
    return this.#cause;
  }

  /** Returns whether the circuit is open now. */
  failed(cause: unknown): boolean {
    this.#failures += 1;
    this.#cause = cause;
    if (this.#failures >= FAILURES_TO_OPEN) this.#openedAt = performance.now();
    return this.#openedAt !== undefined;
  }

  /** Returns whether it was open. */
  close(): boolean {
    const wasOpen = this.#openedAt !== undefined;
    this.#failures = 0;
    this.#openedAt = undefined;
    this.#cause = undefined;
    return wasOpen;
  }
}
