import { abortable } from "./abort.ts";

interface Flight {
  readonly promise: Promise<unknown>;
  readonly controller: AbortController;
  waiting: number;
}

/** By the object that is asked, so that nothing of it stays when it is let go. */
const flights = new WeakMap<object, Map<string, Flight>>();

export interface FlightRequest<T> {
  /** What is asked for; of two that ask for the same at one time, one does. */
  readonly key: string;
  readonly signal: AbortSignal | undefined;
  /** Does not join what is under way already. */
  readonly isFresh: boolean;
  start(signal: AbortSignal): Promise<T>;
}

/**
 * One request for all who want the same while it is under way. Each waits with a signal of its own;
 * the request is aborted when nobody waits any more.
 */
export async function shared(
  owner: object,
  { key, signal, isFresh, start }: FlightRequest<string>,
): Promise<string> {
  const known = flights.get(owner) ?? new Map<string, Flight>();
  flights.set(owner, known);
  const joined = isFresh ? undefined : known.get(key);
  const flight = joined ?? takeOff(known, key, start);
  flight.waiting += 1;
  try {
    return String(await abortable(signal, () => flight.promise));
  } finally {
    flight.waiting -= 1;
    if (flight.waiting === 0) {
      if (known.get(key) === flight) known.delete(key);
      flight.controller.abort();
    }
  }
}

function takeOff(
  known: Map<string, Flight>,
  key: string,
  start: (signal: AbortSignal) => Promise<string>,
): Flight {
  const controller = new AbortController();
  const land = () => {
    if (known.get(key) === flight) known.delete(key);
  };
  const flight: Flight = { promise: start(controller.signal), controller, waiting: 0 };
  known.set(key, flight);
  flight.promise.then(land, land);
  return flight;
}
