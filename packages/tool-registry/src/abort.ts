/** How work ended that somebody may stop waiting for. */
export type Outcome<T> =
  | { readonly end: "value"; readonly value: T }
  | { readonly end: "thrown"; readonly error: unknown }
  | { readonly end: "timeout" }
  | { readonly end: "cancelled" };

/** Longer than this, a timer fires at once; so there is none. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs work that heeds a signal, and stops waiting for it when the caller's signal aborts or the
 * time is over, even if the work goes on. What it does later is ignored. Never rejects.
 */
export async function runUntil<T>(
  work: (signal: AbortSignal) => T | Promise<T>,
  limits: { readonly signal?: AbortSignal | undefined; readonly timeoutMs?: number | undefined },
): Promise<Outcome<T>> {
  const { signal, timeoutMs } = limits;
  if (signal?.aborted) return { end: "cancelled" };
  const controller = new AbortController();
  const done = new AbortController();
  const stopped = new Promise<Outcome<T>>((resolve) => {
    signal?.addEventListener(
      "abort",
      () => {
        controller.abort(signal.reason);
        resolve({ end: "cancelled" });
      },
      { once: true, signal: done.signal },
    );
    if (timeoutMs === undefined || timeoutMs > MAX_TIMER_MS) return;
    const timer = setTimeout(() => {
      controller.abort(new DOMException(`timeout after ${timeoutMs} ms`, "TimeoutError"));
      resolve({ end: "timeout" });
    }, timeoutMs);
    done.signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
  const worked = settle(work, controller.signal);
  try {
    return await Promise.race([worked, stopped]);
  } finally {
    done.abort();
  }
}

async function settle<T>(
  work: (signal: AbortSignal) => T | Promise<T>,
  signal: AbortSignal,
): Promise<Outcome<T>> {
  try {
    return { end: "value", value: await work(signal) };
  } catch (error) {
    return { end: "thrown", error };
  }
}
