import type { JournalEntry } from "./entry.ts";
import { Records } from "./records.ts";

/** An append-only account of all that happened; every counter is read off it. */
export interface Journal {
  /** The entry is safe from the death of this process when this returns. */
  append(entry: JournalEntry): void;
  readonly records: Records;
  close(): void;
}

export function memoryJournal(limit: number): Journal {
  const records = new Records(limit);
  return {
    append: (entry) => records.add(entry),
    records,
    close: () => undefined,
  };
}
