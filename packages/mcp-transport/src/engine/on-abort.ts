interface Watch {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const watches = new WeakMap<AbortSignal, Watch>();

/**
 * Listens to a caller's signal with one listener, however many requests share it; Node warns of
 * leaks from the eleventh on.
 * @returns the function that stops listening
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) return () => {};
  const { callbacks, listener } = watches.get(signal) ?? startWatch(signal);
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size > 0) return;
    signal.removeEventListener("abort", listener);
    watches.delete(signal);
  };
}

function startWatch(signal: AbortSignal): Watch {
  const callbacks = new Set<() => void>();
  const listener = (): void => {
    for (const callback of [...callbacks]) callback();
  };
  const watch = { callbacks, listener };
  signal.addEventListener("abort", listener, { once: true });
  watches.set(signal, watch);
  return watch;
}
