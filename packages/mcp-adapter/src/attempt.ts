import { raceSignal } from "./clock.ts";

/** Work that several callers wait for, given up when all of them have. */
export class Attempt<T> {
  readonly promise: Promise<T>;
  readonly #controller = new AbortController();
  #waiting = 0;

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.promise = work(this.#controller.signal);
    // Each who waits is told; if nobody does, the failure is in the events.
    this.promise.catch(() => undefined);
  }

  abort(): void {
    this.#controller.abort();
  }

  /** Rejects with the signal's reason, or as the work does. */
  async join(
    signal: AbortSignal | undefined,
    { givesUp = true }: { readonly givesUp?: boolean } = {},
  ): Promise<T> {
    this.#waiting += 1;
    try {
      return await (signal ? raceSignal(this.promise, signal) : this.promise);
    } catch (error) {
      if (signal?.aborted && givesUp && this.#waiting === 1) {
        this.abort();
        return await this.promise;
      }
      throw error;
    } finally {
      this.#waiting -= 1;
    }
  }
}
