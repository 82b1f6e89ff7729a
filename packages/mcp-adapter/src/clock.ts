/** Why a clock ended what it bounds. */
export type ClockEnd = "timeout" | "cancelled";

/** One deadline and one caller's signal, over everything a call does. */
export interface Clock {
  /** Aborts at the deadline or with the caller's signal; its reason is neutral. */
  readonly signal: AbortSignal;
  readonly ended: ClockEnd | undefined;
  remainingMs(): number;
  /** Settles as `promise` does, or rejects with {@link ClockStopped} if the clock ends first. */
  race<T>(promise: Promise<T>): Promise<T>;
  /** Frees the timer and the listener on the caller's signal. */
  stop(): void;
}

export class ClockStopped extends Error {
  readonly end: ClockEnd;
  constructor(end: ClockEnd) {
    super(end);
    this.end = end;
  }
}

export function startClock(timeoutMs: number, callerSignal: AbortSignal | undefined): Clock {
  const controller = new AbortController();
  const endsAt = performance.now() + timeoutMs;
  let ended: ClockEnd | undefined;
  const end = (why: ClockEnd) => {
    ended ??= why;
    controller.abort(new ClockStopped(ended));
  };
  const onAbort = () => end("cancelled");
  const timer = setTimeout(() => end("timeout"), timeoutMs);
  if (callerSignal?.aborted) onAbort();
  else callerSignal?.addEventListener("abort", onAbort, { once: true });

  return {
    signal: controller.signal,
    get ended() {
      return ended;
    },
    remainingMs: () => Math.max(1, endsAt - performance.now()),
    race: (promise) => raceSignal(promise, controller.signal),
    stop() {
      clearTimeout(timer);
      callerSignal?.removeEventListener("abort", onAbort);
    },
  };
}

/** Settles as `promise` does, or rejects with the signal's reason; leaves no listener behind. */
export function raceSignal<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
