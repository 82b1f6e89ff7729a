import type { Journal } from "../records/journal.ts";
import { chance } from "./chance.ts";
import type { Stage, Transport } from "./entry.ts";
import { type ActiveFault, type ActiveFaultOf, isFault } from "./fault.ts";
import { type FaultName, faultEntry } from "./table.ts";

/** What a server has before it when it asks whether a fault fires. */
export interface Occasion {
  readonly transport: Transport;
  readonly kind: "request" | "notification" | "response" | "none";
  readonly verb?: string | undefined;
  readonly method?: string | undefined;
  readonly tool?: string | undefined;
  /** The session that the HTTP request names, if it is known. */
  readonly session?: string | undefined;
  readonly authorization?: string | undefined;
  /** Page of a list, counted from 1. */
  readonly page?: number;
  /** The client followed a redirect of ours. */
  readonly moved?: boolean;
}

/** The faults that fire on one occasion at one stage. */
export class Fired {
  readonly faults: readonly ActiveFault[];

  constructor(faults: readonly ActiveFault[]) {
    this.faults = faults;
  }

  get<Name extends FaultName>(name: Name): ActiveFaultOf<Name> | undefined {
    for (const fault of this.faults) if (isFault(fault, name)) return fault;
    return undefined;
  }

  /** The fault after which the message gets no regular answer. */
  get ending(): ActiveFault | undefined {
    return this.faults.find(ends);
  }
}

export const nothingFired: Fired = new Fired([]);

const messageStages: readonly Stage[] = ["before", "after", "answering", "list", "cancel"];

/** Decides which faults fire. All that it remembers is in the journal, so it survives the process. */
export class FaultPlan {
  readonly #active: () => readonly ActiveFault[];
  readonly #journal: Journal;

  constructor(active: () => readonly ActiveFault[], journal: Journal) {
    this.#active = active;
    this.#journal = journal;
  }

  fire(stage: Stage, occasion: Occasion): Fired {
    const fired: ActiveFault[] = [];
    for (const fault of this.#active()) {
      if (fault.when !== stage || !hits(fault, stage, occasion)) continue;
      if (ends(fault) && fired.some(ends)) continue;
      if (this.#isDue(fault)) fired.push(fault);
    }
    return fired.length === 0 ? nothingFired : new Fired(fired);
  }

  /** The faults that may fire; nothing is used up. */
  due(stage: Stage, occasion: Occasion): readonly ActiveFault[] {
    return this.#active().filter(
      (fault) => fault.when === stage && hits(fault, stage, occasion) && this.#hasHitsLeft(fault),
    );
  }

  isOn(key: string): boolean {
    return this.#active().some((fault) => fault.key === key);
  }

  #isDue(fault: ActiveFault): boolean {
    if (!this.#hasHitsLeft(fault)) return false;
    const { key, skip = 0, probability = 1, seed = 1 } = fault;
    const { fired, passed } = this.#journal.records.hits(key);
    const nth = fired + passed;
    if (nth < skip || (probability < 1 && chance(seed, nth) >= probability)) {
      this.#journal.append({ kind: "passed", key });
      return false;
    }
    this.#journal.append({ kind: "fired", key, fault: fault.fault });
    return true;
  }

  #hasHitsLeft({ key, times = Number.POSITIVE_INFINITY }: ActiveFault): boolean {
    return this.#journal.records.hits(key).fired < times;
  }
}

function ends(fault: ActiveFault): boolean {
  return faultEntry(fault.fault).ends === true;
}

function hits(fault: ActiveFault, stage: Stage, occasion: Occasion): boolean {
  const entry = faultEntry(fault.fault);
  if (!entry.on.includes(occasion.transport)) return false;
  if (!messageStages.includes(stage)) return true;
  if (!entry.anyMessage && occasion.kind !== "request" && fault.method === undefined) return false;
  return (
    hitsVerb(fault, occasion, entry.anyVerb === true) &&
    isNamed(fault.method, occasion.method) &&
    isNamed(fault.tool, occasion.tool) &&
    isConcerned(fault, occasion)
  );
}

function hitsVerb({ verb }: ActiveFault, occasion: Occasion, anyVerb: boolean): boolean {
  if (occasion.verb === undefined || (anyVerb && verb === undefined)) return true;
  return occasion.verb === (verb ?? "POST");
}

function isNamed(wanted: string | readonly string[] | undefined, name: string | undefined) {
  if (wanted === undefined) return true;
  return name !== undefined && [wanted].flat().includes(name);
}

/** What a fault itself needs, beside what the test selected. */
function isConcerned(fault: ActiveFault, occasion: Occasion): boolean {
  if (isFault(fault, "unauthorized")) return occasion.authorization !== `Bearer ${fault.token}`;
  if (isFault(fault, "session-expired")) return occasion.session !== undefined;
  if (isFault(fault, "page-error")) return (occasion.page ?? 0) >= fault.page;
  if (isFault(fault, "redirect")) return occasion.moved !== true;
  if (isFault(fault, "wrong-version")) return occasion.method === "initialize";
  return true;
}
