import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { emptyBoard, memoryBoard } from "../src/board/board.ts";
import { boardFaults } from "../src/board/faults.ts";
import { fileBoard } from "../src/board/file-board.ts";
import type { JournalEntry } from "../src/records/entry.ts";
import { FileJournal } from "../src/records/file-journal.ts";
import { type Journal, memoryJournal } from "../src/records/journal.ts";
import { Records } from "../src/records/records.ts";

const folders: string[] = [];
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "records-"));
  folders.push(made);
  return made;
}
afterEach(() => {
  for (const made of folders.splice(0)) rmSync(made, { recursive: true });
});

const run = (call: string, tool = "effect"): JournalEntry => ({
  kind: "run",
  run: { call, tool, arguments: {}, session: "s", id: 1 },
});

const journals: readonly (readonly [string, () => Journal])[] = [
  ["in memory", () => memoryJournal(3)],
  ["in a file", () => new FileJournal(join(folder(), "journal"), 3)],
];

describe.each(journals)("a journal %s", (_, open) => {
  it("adds up to counters", () => {
    const journal = open();
    for (const entry of [
      run("a"),
      { kind: "effect", id: "x" },
      { kind: "effect", id: "x" },
      { kind: "effect", id: "__proto__" },
      { kind: "answered", call: "a" },
      run("b", "read"),
      { kind: "answered", call: "unknown" },
      { kind: "fired", key: "k", fault: "exit" },
      { kind: "fired", key: "other", fault: "exit" },
      { kind: "passed", key: "k" },
      { kind: "process", pid: 5, note: "start" },
      { kind: "cancelled", cancelled: { id: 1, running: true } },
      { kind: "request", request: { transport: "http", kind: "none" } },
    ] satisfies JournalEntry[]) {
      journal.append(entry);
    }
    const { records } = journal;
    expect([...records.effects]).toEqual([
      ["x", 2],
      ["__proto__", 1],
    ]);
    expect(Object.fromEntries(records.runs)).toEqual({ effect: 1, read: 1 });
    expect(records.calls.map(({ call, answered }) => [call, answered])).toEqual([
      ["a", true],
      ["b", false],
    ]);
    expect(records.hits("k")).toEqual({ fired: 1, passed: 1 });
    expect(records.hits("unknown")).toEqual({ fired: 0, passed: 0 });
    expect([records.fired("exit"), records.fired("crash")]).toEqual([2, 0]);
    expect(records.processes).toEqual([{ pid: 5, note: "start" }]);
    expect(records.cancelled).toEqual([{ id: 1, running: true }]);
    expect(records.requests).toEqual([{ transport: "http", kind: "none" }]);
    journal.close();
  });

  it("keeps the newest requests and calls, and counts them all", () => {
    const journal = open();
    for (let call = 0; call < 100; call += 1) journal.append(run(String(call)));
    const { calls, runs } = journal.records;
    expect(calls.length).toBeLessThanOrEqual(6);
    expect(calls.slice(-3).map(({ call }) => call)).toEqual(["97", "98", "99"]);
    expect(runs.get("effect")).toBe(100);
    journal.close();
  });

  it("clears what was seen, not what faults did", () => {
    const journal = open();
    journal.append(run("a"));
    journal.append({ kind: "effect", id: "x" });
    journal.append({ kind: "fired", key: "k", fault: "exit" });
    journal.append({ kind: "clear" });
    journal.append({ kind: "answered", call: "a" });
    const { records } = journal;
    expect([records.effects.size, records.runs.size, records.calls.length]).toEqual([0, 0, 0]);
    expect(records.hits("k").fired).toBe(1);
    journal.close();
  });
});

describe("a journal in a file", () => {
  it("is shared by all who open it, whoever wrote it", () => {
    const path = join(folder(), "journal");
    const first = new FileJournal(path, 10);
    const second = new FileJournal(path, 10);
    first.append({ kind: "effect", id: "a" });
    expect(second.records.effects.get("a")).toBe(1);
    second.append({ kind: "effect", id: "a" });
    second.append({ kind: "effect", id: "é😀" });
    expect(first.records.effects.get("a")).toBe(2);
    expect(new FileJournal(path, 10).records.effects.get("é😀")).toBe(1);
    first.close();
    expect(second.records.effects.get("a")).toBe(2);
  });

  it("is on disk when append returns", () => {
    const path = join(folder(), "journal");
    new FileJournal(path, 10).append({ kind: "effect", id: "a" });
    expect(readFileSync(path, "utf8")).toBe('{"kind":"effect","id":"a"}\n');
  });

  it("reads a line only when it is complete", () => {
    const path = join(folder(), "journal");
    const journal = new FileJournal(path, 10);
    appendFileSync(path, '{"kind":"effect","id":"\u00e9');
    expect(journal.records.effects.size).toBe(0);
    appendFileSync(path, '"}\n{"kind":"eff');
    expect([...journal.records.effects.keys()]).toEqual(["é"]);
    appendFileSync(path, 'ect","id":"b"}\n');
    expect([...journal.records.effects.keys()]).toEqual(["é", "b"]);
  });

  it("shows after close what was in it then, and close does no harm twice", () => {
    const path = join(folder(), "journal");
    const journal = new FileJournal(path, 10);
    appendFileSync(path, '{"kind":"effect","id":"a"}\n');
    journal.close();
    journal.close();
    appendFileSync(path, '{"kind":"effect","id":"b"}\n');
    expect([...journal.records.effects.keys()]).toEqual(["a"]);
  });

  it.each(["7\n", "{}\n", "no json\n"])("says that it is broken: %j", (line) => {
    const path = join(folder(), "journal");
    writeFileSync(path, line);
    expect(() => new FileJournal(path, 10).records).toThrow();
  });
});

describe.each([
  ["in memory", () => memoryBoard()],
  ["in a file", () => fileBoard(join(folder(), "board"))],
] as const)("a board %s", (_, open) => {
  it("gives back what was written", () => {
    const store = open();
    store.write(emptyBoard);
    expect(store.read()).toEqual(emptyBoard);
    const tools = [{ listed: { name: "x" }, result: { content: [] } }];
    const notices = [{ number: 1, method: "notifications/x", params: { a: 1 } }];
    store.write({ faults: [], tools, notices });
    expect(store.read()).toEqual({ faults: [], tools, notices });
  });

  it("switches faults on, off and all off", () => {
    const store = open();
    store.write(emptyBoard);
    const records = new Records(1);
    const faults = boardFaults(store, () => records, ["stdio"]);
    const first = faults.on({ fault: "exit", code: 3 });
    const second = faults.on({ fault: "exit" });
    expect(faults.active.map(({ key }) => key)).toEqual(["f1", "f2"]);
    records.add({ kind: "fired", key: "f2", fault: "exit" });
    expect([first.fired, second.fired, faults.fired("exit")]).toEqual([0, 1, 1]);
    first.off();
    first.off();
    expect(faults.active).toMatchObject([{ key: "f2", fault: "exit", code: 0 }]);
    expect(() => faults.on({ fault: "html" })).toThrow("html works on http, sse");
    expect(faults.active).toHaveLength(1);
    faults.clear();
    expect(faults.active).toEqual([]);
    expect(faults.on({ fault: "silence" }).fired).toBe(0);
    expect(faults.active).toMatchObject([{ key: "f4" }]);
  });
});

describe("a board in a file", () => {
  it("is read anew as soon as another has written it", () => {
    const path = join(folder(), "board");
    const writer = fileBoard(path);
    const reader = fileBoard(path);
    for (let number = 0; number < 50; number += 1) {
      writer.write({ ...emptyBoard, notices: [{ number, method: "n" }] });
      expect(reader.read().notices[0]?.number).toBe(number);
    }
    expect(reader.read()).toBe(reader.read());
  });

  it.each(["null", "{}", "["])("says that it is broken: %j", (text) => {
    const path = join(folder(), "board");
    writeFileSync(path, text);
    expect(() => fileBoard(path).read()).toThrow();
  });
});
