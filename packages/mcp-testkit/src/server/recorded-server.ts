import type { BoardStore } from "../board/board.ts";
import { boardFaults, type Faults } from "../board/faults.ts";
import type { Transport } from "../faults/entry.ts";
import type { JsonObject } from "../json-rpc.ts";
import type { TestTool } from "../protocol/tool.ts";
import type { CallRecord, CancelRecord, RequestRecord } from "../records/entry.ts";
import type { Journal } from "../records/journal.ts";

export interface RecordOptions {
  /** So many of the newest requests, calls and cancellations are kept; counters know no limit. @defaultValue 10,000 */
  readonly recordLimit?: number;
}

export const defaultRecordLimit = 10_000;

/** What every test server offers to the test, whatever its transport. Records are read anew at each access. */
export abstract class RecordedServer {
  readonly faults: Faults;
  readonly #journal: Journal;
  readonly #store: BoardStore;

  constructor(journal: Journal, store: BoardStore, transports: readonly Transport[]) {
    this.#journal = journal;
    this.#store = store;
    this.faults = boardFaults(store, () => journal.records, transports);
  }

  /** How often each id had its side effect, by the `effect` tool or by `context.effect`. */
  get effects(): ReadonlyMap<string, number> {
    return this.#journal.records.effects;
  }

  /** How often each tool ran. */
  get runs(): ReadonlyMap<string, number> {
    return this.#journal.records.runs;
  }

  /** Calls that reached their tool, the oldest first; the last `recordLimit` at least. */
  get calls(): readonly CallRecord[] {
    return this.#journal.records.calls;
  }

  /** All that clients sent, refused or not, the oldest first; the last `recordLimit` at least. */
  get requests(): readonly RequestRecord[] {
    return this.#journal.records.requests;
  }

  /** Cancellations that clients sent, the oldest first; the last `recordLimit` at least. */
  get cancelled(): readonly CancelRecord[] {
    return this.#journal.records.cancelled;
  }

  /** Forgets effects, runs, calls, requests and cancellations; not how often faults fired. */
  clearRecords(): void {
    this.#journal.append({ kind: "clear" });
  }

  /** Replaces the tools that the test gave, and tells every client by `list_changed`. */
  setTools(tools: readonly TestTool[]): void {
    this.#store.write({ ...this.#store.read(), tools });
    this.notify("notifications/tools/list_changed");
  }

  /** Sends a notification to every client that listens. */
  abstract notify(method: string, params?: JsonObject): void;

  /** Ends the server and all that belongs to it. Does nothing the second time. */
  abstract stop(): Promise<void>;
}
