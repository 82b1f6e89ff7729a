import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { emptyBoard, memoryBoard } from "../src/board/board.ts";
import { type Fault, readFault } from "../src/faults/fault.ts";
import { memoryJournal } from "../src/records/journal.ts";
import { makeHost } from "../src/server/make-host.ts";
import { serveStdio } from "../src/stdio/stdio-server.ts";
import { closing } from "./support/opened.ts";
import { initializeParams } from "./support/raw-http.ts";
import { answerTo, ask, callTool, openStdio, request } from "./support/wire.ts";
import { until, within } from "./support/within.ts";

/** A stdio server on streams, from its very start. */
function serve(...faults: Fault[]) {
  const input = new PassThrough();
  const output = new PassThrough();
  const said: string[] = [];
  const life: string[] = [];
  output.on("data", (chunk: Buffer) => said.push(chunk.toString()));
  const journal = memoryJournal(10);
  const store = memoryBoard();
  const active = faults.map((fault, index) => readFault(fault, `k${index}`, ["stdio"]));
  store.write({ ...emptyBoard, faults: active });
  const host = makeHost({}, journal, store, {
    exit: (code, stderr) => void life.push(`exit ${code} ${stderr}`),
    crash: () => void life.push("crash"),
    closeStdout: () => void life.push("close-stdout"),
    floodStderr: (bytes) => void life.push(`flood ${bytes}`),
    startGrandchild: async (ms, ignoreTerm) => void life.push(`grandchild ${ms} ${ignoreTerm}`),
  });
  const { ended } = serveStdio(host, input, output);
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
  return { input, output, said, life, ended, journal, ping };
}

describe("at the start", () => {
  it.each<[Fault, string]>([
    [{ fault: "exit", when: "start", code: 4, stderr: "no" }, "exit 4 no"],
    [{ fault: "crash", when: "start" }, "crash"],
    [{ fault: "close-stdout", when: "start" }, "close-stdout"],
    [{ fault: "stderr-flood", when: "start", bytes: 5 }, "flood 5"],
    [{ fault: "grandchild", ms: 9, ignoreTerm: true }, "grandchild 9 true"],
  ])("%j", async (fault, expected) => {
    const { life, input, ended } = serve(fault);
    input.end();
    await within(ended);
    expect(life).toEqual([expected]);
  });

  it("garbage comes before anything else", async () => {
    const { said, input, ended, ping } = serve({
      fault: "garbage",
      when: "start",
      lines: 2,
      text: "x",
    });
    input.end(ping);
    await within(ended);
    expect(said.join("")).toBe('x\nx\n{"jsonrpc":"2.0","id":1,"result":{}}\n');
  });

  it("a slow one reads nothing until then", async () => {
    const { said, input, journal, ping } = serve({ fault: "slow-start", ms: 80 });
    input.write(ping);
    await sleep(40);
    expect(journal.records.requests).toEqual([]);
    await until(() => said.length === 1, "the answer");
  });
});

describe("at the end of the input", () => {
  it("what is quick is answered, what is slow is dropped", async () => {
    const wire = await openStdio();
    const quick = callTool(wire, "effect", { id: "a", ms: 20 });
    const slow = callTool(wire, "effect", { id: "b", ms: 60_000 });
    await within(wire.close(), "the end", 2000);
    await answerTo(wire, quick);
    expect(wire.received.some(({ id }) => id === slow)).toBe(false);
    expect(Object.fromEntries(wire.server.effects)).toEqual({ a: 1, b: 1 });
  });

  it("ignore-eof keeps it for its time", async () => {
    const { input, ended, journal } = serve({ fault: "ignore-eof", ms: 60 });
    const start = performance.now();
    input.end();
    await within(ended);
    expect(performance.now() - start).toBeGreaterThan(55);
    expect(journal.records.processes).toMatchObject([{ note: "eof" }]);
    expect(journal.records.fired("ignore-eof")).toBe(1);
  });
});

describe("in between", () => {
  it("nobody takes the answer: the call is on record as unanswered", async () => {
    const { input, output, journal } = serve();
    output.destroy();
    const send = (id: number, method: string, params: object) =>
      input.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    send(1, "initialize", initializeParams);
    send(2, "tools/call", { name: "effect", arguments: { id: "x" } });
    await until(() => journal.records.effects.get("x") === 1, "the effect");
    await sleep(20);
    expect(journal.records.calls).toMatchObject([{ answered: false }]);
  });

  it.each([
    ["exit", "exit 0"],
    ["crash", "crash"],
    ["close-stdout", "close-stdout"],
  ] as const)("%s while answering leaves half of the answer", async (fault, death) => {
    const wire = closing(await openStdio());
    const { length } = Buffer.concat(wire.chunks);
    wire.server.faults.on({ fault, when: "answering", tool: "effect" });
    callTool(wire, "effect", { id: "x" });
    await until(() => wire.deaths.length === 1, "the end");
    expect(wire.deaths).toEqual([death]);
    expect(Buffer.concat(wire.chunks).toString().slice(length)).toMatch(/^\{"jsonrpc".*[^\n]$/);
    expect(wire.server.effects.get("x")).toBe(1);
  });

  it("a flood of stderr comes before the tool", async () => {
    const wire = closing(await openStdio());
    wire.server.faults.on({ fault: "stderr-flood", bytes: 3, tool: "read" });
    await answerTo(wire, callTool(wire, "read"));
    expect(wire.deaths).toEqual(["stderr 3"]);
  });

  it("invalid messages are answered with what is known of them", async () => {
    const wire = closing(await openStdio());
    wire.send("{");
    wire.send({ jsonrpc: "2.0", id: "odd", method: 7 });
    await until(() => wire.received.filter(({ error }) => error).length === 2, "both errors");
    expect(wire.received.filter(({ error }) => error)).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: "odd", error: { code: -32600 } },
    ]);
    expect(await ask(wire, "ping")).toMatchObject({ result: {} });
    expect(request(wire, "ping")).toEqual(expect.any(Number));
  });
});
