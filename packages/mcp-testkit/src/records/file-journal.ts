import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { isObject } from "../json-rpc.ts";
import type { JournalEntry } from "./entry.ts";
import type { Journal } from "./journal.ts";
import { Records } from "./records.ts";

const newline = 10;

/**
 * A journal in a file of JSON lines that several processes append to and read at any time. What
 * one of them has appended is there for the others at once, and stays when it is killed.
 */
export class FileJournal implements Journal {
  readonly #file: number;
  readonly #records: Records;
  #open = true;
  #offset = 0;
  #rest: Buffer = Buffer.alloc(0);

  constructor(path: string, limit: number) {
    this.#file = openSync(path, "a+");
    this.#records = new Records(limit);
  }

  append(entry: JournalEntry): void {
    writeSync(this.#file, `${JSON.stringify(entry)}\n`);
  }

  /** After `close` as they were then. */
  get records(): Records {
    if (this.#open) this.#catchUp();
    return this.#records;
  }

  close(): void {
    if (!this.#open) return;
    this.#catchUp();
    this.#open = false;
    closeSync(this.#file);
  }

  #catchUp(): void {
    const length = fstatSync(this.#file).size - this.#offset;
    if (length <= 0) return;
    const bytes = Buffer.alloc(length);
    const read = readSync(this.#file, bytes, 0, length, this.#offset);
    this.#offset += read;
    const known = Buffer.concat([this.#rest, bytes.subarray(0, read)]);
    const end = known.lastIndexOf(newline) + 1;
    this.#rest = known.subarray(end);
    const lines = known.toString("utf8", 0, end).split("\n");
    for (const line of lines) if (line !== "") this.#records.add(readEntry(line));
  }
}

/** The file is written by this class only; a line that is not its own is a broken file. */
function readEntry(line: string): JournalEntry {
  const entry: unknown = JSON.parse(line);
  if (!isObject(entry) || typeof entry["kind"] !== "string") throw new Error("broken journal");
  const own: unknown = entry;
  return own as JournalEntry;
}
