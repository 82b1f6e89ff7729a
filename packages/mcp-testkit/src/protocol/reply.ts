import type { ActiveFault } from "../faults/fault.ts";
import { type Fired, nothingFired } from "../faults/fault-plan.ts";

/** How messages are to be written. */
export interface Framing {
  readonly fired: Fired;
  /** Nothing follows for this request. */
  readonly last: boolean;
  /** Write half of the bytes, and leave the line, event or body open. */
  readonly half: boolean;
}

export const plain: Framing = { fired: nothingFired, last: false, half: false };

/** Where the answer to one request goes; every transport has its own. */
export interface Reply {
  /**
   * Sends whole messages; a batch is one of them.
   * @returns false if nobody was there to take them
   */
  send(messages: readonly unknown[], framing: Framing): Promise<boolean>;
  /** There will be no answer, and that is as it should be. */
  close(): void;
  /** Cuts the connection that carries the answer, and only that; nothing where there is none. */
  drop(reset: boolean): void;
  /** Ends the exchange in the manner of a fault of this transport. */
  end(fault: ActiveFault, signal: AbortSignal): Promise<void>;
}
