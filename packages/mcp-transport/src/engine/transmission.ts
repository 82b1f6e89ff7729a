import type { Flight } from "./flight.ts";

/** What goes with a message to the wire. */
export interface Transmission {
  readonly flight?: Flight;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** What an SDK client gives along with a message. */
export interface PortSending {
  readonly requestSignal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}
