/** Lets at most `limit` holders in at once; the others wait in the order they came. */
export interface Gate {
  /**
   * Resolves, when there is room, with the function that gives the place back.
   * Resolves with `undefined` at once if the queue is full; rejects with the signal's reason.
   */
  enter(signal: AbortSignal): Promise<(() => void) | undefined>;
}

export function createGate(limit: number, maxQueue: number): Gate {
  let inside = 0;
  const waiting = new Set<() => void>();

  const leaveOnce = () => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      inside -= 1;
      const [next] = waiting;
      next?.();
    };
  };

  return {
    enter(signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (inside < limit) {
        inside += 1;
        return Promise.resolve(leaveOnce());
      }
      if (waiting.size >= maxQueue) return Promise.resolve(undefined);
      return new Promise((resolve, reject) => {
        const admit = () => {
          waiting.delete(admit);
          signal.removeEventListener("abort", onAbort);
          inside += 1;
          resolve(leaveOnce());
        };
        const onAbort = () => {
          waiting.delete(admit);
          reject(signal.reason);
        };
        waiting.add(admit);
        signal.addEventListener("abort", onAbort, { once: true });
      });
    },
  };
}
