const FIRST_MS = 250;
const MOST_MS = 10_000;

/** From 250 ms doubling up to 10 s, between half and the whole of it at random. */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  const whole = Math.min(MOST_MS, FIRST_MS * 2 ** attempt);
  return whole * (0.5 + random() / 2);
}

/** Rejects with the signal's reason if that comes first. */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}
