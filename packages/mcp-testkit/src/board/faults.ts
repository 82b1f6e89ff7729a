import type { Transport } from "../faults/entry.ts";
import { type ActiveFault, type Fault, readFault } from "../faults/fault.ts";
import type { FaultName } from "../faults/table.ts";
import type { Records } from "../records/records.ts";
import type { BoardStore } from "./board.ts";

export interface FaultSwitch {
  /** How often the fault has fired since it was switched on. */
  readonly fired: number;
  /** Switches it off; does nothing the second time. */
  off(): void;
}

/** The faults of a server. A change holds for every message that comes after it. */
export interface Faults {
  /**
   * Switches a fault on, beside those that are on already. Of several that would end the same
   * message, the first one does.
   * @throws TestkitError `fault`
   */
  on(fault: Fault): FaultSwitch;
  /** Switches all faults off. */
  clear(): void;
  /** Those that are on, used up or not, with their defaults. */
  readonly active: readonly ActiveFault[];
  /** How often a fault of this name has fired since the server was made. */
  fired(name: FaultName): number;
}

export function boardFaults(
  store: BoardStore,
  records: () => Records,
  transports: readonly Transport[],
): Faults {
  let count = 0;
  const keepOnly = (keep: (fault: ActiveFault) => boolean): void => {
    const board = store.read();
    store.write({ ...board, faults: board.faults.filter(keep) });
  };
  return {
    on: (fault) => {
      count += 1;
      const key = `f${count}`;
      const active = readFault(fault, key, transports);
      const board = store.read();
      store.write({ ...board, faults: [...board.faults, active] });
      return {
        get fired(): number {
          return records().hits(key).fired;
        },
        off: () => keepOnly((other) => other.key !== key),
      };
    },
    clear: () => keepOnly(() => false),
    get active(): readonly ActiveFault[] {
      return store.read().faults;
    },
    fired: (name) => records().fired(name),
  };
}
