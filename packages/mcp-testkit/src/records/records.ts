import type { FaultName } from "../faults/table.ts";
import type {
  CallRecord,
  CancelRecord,
  JournalEntry,
  ProcessNote,
  RequestRecord,
} from "./entry.ts";

export interface Hits {
  readonly fired: number;
  readonly passed: number;
}

const none: Hits = { fired: 0, passed: 0 };

/** What the journal adds up to. */
export class Records {
  readonly effects: Map<string, number> = new Map();
  readonly runs: Map<string, number> = new Map();
  readonly requests: RequestRecord[] = [];
  readonly calls: CallRecord[] = [];
  readonly cancelled: CancelRecord[] = [];
  readonly processes: ProcessNote[] = [];
  readonly #hits = new Map<string, Hits>();
  readonly #firedByName = new Map<FaultName, number>();
  readonly #unanswered = new Map<string, { answered: boolean }>();
  readonly #limit: number;

  /** @param limit so many requests and calls are kept, the oldest are dropped; counters know no limit */
  constructor(limit: number) {
    this.#limit = limit;
  }

  hits(key: string): Hits {
    return this.#hits.get(key) ?? none;
  }

  fired(name: FaultName): number {
    return this.#firedByName.get(name) ?? 0;
  }

  add(entry: JournalEntry): void {
    switch (entry.kind) {
      case "process":
        this.processes.push({ pid: entry.pid, note: entry.note });
        break;
      case "request":
        this.#keep(this.requests, entry.request);
        break;
      case "effect":
        increment(this.effects, entry.id);
        break;
      case "cancelled":
        this.#keep(this.cancelled, entry.cancelled);
        break;
      case "clear":
        this.#clear();
        break;
      default:
        this.#addHitOrCall(entry);
    }
  }

  #addHitOrCall(
    entry: Extract<JournalEntry, { kind: "run" | "answered" | "fired" | "passed" }>,
  ): void {
    switch (entry.kind) {
      case "run": {
        const call = { ...entry.run, answered: false };
        increment(this.runs, call.tool);
        this.#keep(this.calls, call);
        this.#unanswered.set(call.call, call);
        break;
      }
      case "answered": {
        const call = this.#unanswered.get(entry.call);
        if (call !== undefined) call.answered = true;
        this.#unanswered.delete(entry.call);
        break;
      }
      case "fired": {
        const { fired, passed } = this.hits(entry.key);
        this.#hits.set(entry.key, { fired: fired + 1, passed });
        increment(this.#firedByName, entry.fault);
        break;
      }
      case "passed": {
        const { fired, passed } = this.hits(entry.key);
        this.#hits.set(entry.key, { fired, passed: passed + 1 });
        break;
      }
    }
  }

  #keep<Item>(list: Item[], item: Item): void {
    list.push(item);
    if (list.length > 2 * this.#limit) list.splice(0, list.length - this.#limit);
  }

  /** Faults and processes stay: the plan and `stop()` depend on them. */
  #clear(): void {
    this.effects.clear();
    this.runs.clear();
    this.#unanswered.clear();
    for (const list of [this.requests, this.calls, this.cancelled]) list.length = 0;
  }
}

function increment<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
