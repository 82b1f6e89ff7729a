import { setTimeout as sleep } from "node:timers/promises";

/** Rejects if the promise takes longer; a hang becomes a failure with a name. */
export async function within<Value>(
  promise: Promise<Value>,
  what = "it",
  ms = 10_000,
): Promise<Value> {
  const timer = new AbortController();
  const late = sleep(ms, undefined, { signal: timer.signal }).then(
    () => {
      throw new Error(`${what} took more than ${ms} ms`);
    },
    () => new Promise<never>(() => undefined),
  );
  try {
    return await Promise.race([promise, late]);
  } finally {
    timer.abort();
  }
}

/** Waits until the condition holds. */
export async function until(condition: () => boolean, what = "the condition"): Promise<void> {
  const start = performance.now();
  while (!condition()) {
    if (performance.now() - start > 10_000) throw new Error(`${what} never came true`);
    await sleep(5);
  }
}
