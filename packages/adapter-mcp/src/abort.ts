import { AdapterMCPError } from "./errors.ts";

/**
 * Runs something that an agent's signal ends: at once, whether or not what runs listens. It gets a
 * signal of its own, since SDK v1 leaves a listener behind on each one that it is given.
 */
export async function abortable<T>(
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (signal === undefined) return run(undefined);
  if (signal.aborted) throw reasonOf(signal);
  const own = new AbortController();
  let stop: () => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => {
      own.abort(signal.reason);
      reject(reasonOf(signal));
    };
  });
  const forget = onAbort(signal, stop);
  try {
    return await Promise.race([run(own.signal), stopped]);
  } finally {
    forget();
  }
}

interface Watch {
  /** What ends each thing that runs under the signal. */
  readonly stops: Set<() => void>;
  readonly listener: () => void;
}

const watches = new WeakMap<AbortSignal, Watch>();

/** One listener for all that runs: Node takes more than ten for a leak, and says so. */
function onAbort(signal: AbortSignal, stop: () => void): () => void {
  const watch = watches.get(signal) ?? watchOver(signal);
  watch.stops.add(stop);
  return () => {
    watch.stops.delete(stop);
    if (watch.stops.size > 0) return;
    signal.removeEventListener("abort", watch.listener);
    watches.delete(signal);
  };
}

function watchOver(signal: AbortSignal): Watch {
  const stops = new Set<() => void>();
  const listener = () => {
    for (const stop of [...stops]) stop();
  };
  signal.addEventListener("abort", listener, { once: true });
  const watch = { stops, listener };
  watches.set(signal, watch);
  return watch;
}

function reasonOf(signal: AbortSignal): unknown {
  const reason: unknown = signal.reason;
  if (reason instanceof Error) return reason;
  return new AdapterMCPError("aborted", `aborted: ${String(reason)}`, { cause: reason });
}
