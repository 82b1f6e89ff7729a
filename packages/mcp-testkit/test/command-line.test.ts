import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { statSync, utimesSync } from "node:fs";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { readArguments, usage } from "../src/cli/arguments.ts";
import { runCommandLine } from "../src/cli/command-line.ts";
import { readFault } from "../src/faults/fault.ts";
import { FaultPlan } from "../src/faults/fault-plan.ts";
import { HttpService } from "../src/http/http-service.ts";
import { ownProcess, watchSignals } from "../src/process/own-process.ts";
import { killAll, living, signal } from "../src/process/processes.ts";
import { memoryJournal } from "../src/records/journal.ts";
import { program } from "../src/server/program.ts";
import { stdioTestServer } from "../src/server/stdio-test-server.ts";
import { stopping } from "./support/opened.ts";
import { exchange, initializeParams, openSession, post } from "./support/raw-http.ts";
import { messagesIn } from "./support/raw-stdio.ts";
import { until, within } from "./support/within.ts";

describe("arguments", () => {
  it.each([
    [["stdio"], { transport: "stdio", port: 0, answers: "stream", tools: [], faults: [] }],
    [["http", "--port", "8080", "--answers=json"], { port: 8080, answers: "json" }],
    [["sse", "--page-size", "2"], { transport: "sse", service: { pageSize: 2 } }],
    [
      ["http", "--tools", '[{"listed":null},{"listed":{"name":"x"},"result":7}]'],
      { tools: [{ listed: null }, { listed: { name: "x" }, result: 7 }] },
    ],
    [["http", "--faults", '[{"fault":"html"}]'], { faults: [{ fault: "html" }] }],
  ])("%j", (args, expected) => {
    expect(readArguments(args)).toMatchObject(expected);
  });

  it.each([["--help"], ["-h"]])("%s asks for help", (flag) => {
    expect(readArguments([flag])).toBeUndefined();
  });

  it.each([
    [[], 'transport is stdio, http, sse, not ""'],
    [["http", "sse"], 'transport is stdio, http, sse, not "http sse"'],
    [["websocket"], 'not "websocket"'],
    [["http", "--port", "70000"], "--port is a whole number from 0 to 65535"],
    [["http", "--port", "-1"], "--port"],
    [["http", "--port=x"], "--port is a whole number"],
    [["http", "--page-size", "0"], "--page-size is a whole number from 1"],
    [["http", "--answers", "xml"], 'answers is stream, json, not "xml"'],
    [["http", "--faults", "{"], "--faults is no JSON: "],
    [["http", "--faults", "{}"], "--faults is no JSON array"],
    [["http", "--tools", "[7]"], "a tool of --tools has no `listed`"],
    [["http", "--tools", "[{}]"], "a tool of --tools has no `listed`"],
    [["http", "--nonsense"], "Unknown option '--nonsense'"],
  ])("%j is wrong, and says why", (args, reason) => {
    const read = () => readArguments(args);
    expect(read).toThrow(expect.objectContaining({ name: "TestkitError", code: "option" }));
    expect(read).toThrow(reason);
  });
});

/** A command line that runs in this process, and what it did. */
function run(args: readonly string[]) {
  const input = new PassThrough();
  const said: string[] = [];
  const errors: string[] = [];
  const life: string[] = [];
  const collect = (into: string[]) =>
    new PassThrough().on("data", (chunk: Buffer) => into.push(chunk.toString()));
  const ran = runCommandLine(args, {
    input,
    output: collect(said),
    errors: collect(errors),
    lifeOf: (_journal, mark) => ({
      exit: (code, stderr) => void life.push(`exit ${code} ${stderr}`),
      crash: () => void life.push("crash"),
      closeStdout: () => void life.push("close-stdout"),
      floodStderr: () => void life.push("flood"),
      startGrandchild: async () => void life.push(`grandchild ${mark}`),
    }),
  });
  return { input, said, errors, life, ran };
}

describe("in this process", () => {
  it("help goes to stdout", async () => {
    const { ran, said, errors } = run(["--help"]);
    expect(await ran).toBe(0);
    expect({ said, errors }).toEqual({ said: [usage], errors: [] });
  });

  it.each([
    [["nowhere"], "transport is stdio"],
    [["stdio", "--faults", '[{"fault":"html"}]'], "html works on http, sse; this server is stdio"],
    [["http", "--faults", "[7]"], "a fault is an object"],
  ])("%j: the reason and the usage go to stderr, and the exit code is 2", async (args, reason) => {
    const { ran, said, errors } = run(args);
    expect(await ran).toBe(2);
    expect(said).toEqual([]);
    expect(errors.join("")).toContain(reason);
    expect(errors.join("")).toContain(usage);
  });

  it("stdio ends with its input, and says so to the process", async () => {
    const { ran, input, said, life } = run(["stdio"]);
    input.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    await within(ran);
    expect(said).toEqual(['{"jsonrpc":"2.0","id":1,"result":{}}\n']);
    expect(life).toEqual(["exit 0 "]);
  });

  it("what a test and its processes share lies in the control folder", async () => {
    const test = stopping(stdioTestServer({ pageSize: 1, faults: [{ fault: "grandchild" }] }));
    test.notify("notifications/before");
    const control = test.args.at(-1) ?? "";
    const { ran, input, said, life } = run(test.args.slice(1));
    const send = (id: number, method: string, params = {}) =>
      input.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    send(1, "initialize", initializeParams);
    send(2, "tools/list");
    await until(() => said.length === 2, "both answers");
    expect(said[1]).toContain('"nextCursor"');
    test.notify("notifications/during", { a: 1 });
    await until(() => said.length === 3, "the notification");
    expect(said[2]).toBe('{"jsonrpc":"2.0","method":"notifications/during","params":{"a":1}}\n');
    input.end();
    await within(ran);
    expect(life).toEqual([`grandchild ${control}`, "exit 0 "]);
    expect(test.processes.map(({ note }) => note)).toEqual(["start", "eof"]);
    expect(test.requests.map(({ method }) => method)).toEqual(["initialize", "tools/list"]);
  });

  it.each([
    ["http", "/mcp"],
    ["sse", "/sse"],
  ])("%s says where it listens", async (transport, path) => {
    const { ran, said, life } = run([transport, "--faults", '[{"fault":"exit","code":5}]']);
    const service = await within(ran);
    if (!(service instanceof HttpService)) throw new Error("no service");
    expect(said).toEqual([`http://127.0.0.1:${service.listener.port}${path}\n`]);
    const { origin } = new URL(said[0] ?? "");
    post(`${origin}/mcp`, {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: initializeParams,
    });
    await until(() => life.length === 1, "the end");
    expect(life).toEqual(["exit 5 "]);
    await service.down(false);
  });
});

describe("the process itself", () => {
  it("ignores signals while the fault is on, and no longer", async () => {
    const journal = memoryJournal(10);
    const fault = readFault({ fault: "ignore-term" }, "k", ["stdio"]);
    let active = [fault];
    const before = process.listenerCount("SIGHUP");
    const end = watchSignals(new FaultPlan(() => active, journal), journal);
    expect(process.listenerCount("SIGHUP")).toBe(before + 1);
    process.kill(process.pid, "SIGHUP");
    await until(() => journal.records.fired("ignore-term") === 1, "the signal");
    expect(journal.records.processes).toEqual([{ pid: process.pid, note: "SIGHUP" }]);
    active = [];
    await until(() => process.listenerCount("SIGHUP") === before, "the end of the fault");
    active = [fault];
    await until(() => process.listenerCount("SIGHUP") === before + 1, "the fault again");
    end();
    expect(process.listenerCount("SIGHUP")).toBe(before);
  });

  it("has a grandchild that is ready when it is said to be, and on record", async () => {
    const journal = memoryJournal(10);
    await within(ownProcess(journal, "some-mark").startGrandchild(60_000, true));
    const pid = journal.records.processes.find(({ note }) => note === "grandchild")?.pid;
    if (pid === undefined) throw new Error("no grandchild");
    signal(pid, "SIGTERM");
    signal(pid, "SIGHUP");
    expect(living([pid], "some-mark")).toEqual([pid]);
    await killAll(() => living([pid], "some-mark"));
  });

  it("is run from sources by a bundle that is made anew when it is old", () => {
    const bundle = program();
    utimesSync(bundle, 1, 1);
    expect(program()).toBe(bundle);
    const { mtimeMs } = statSync(bundle);
    expect(mtimeMs).toBeGreaterThan(Date.now() - 60_000);
    expect(program()).toBe(bundle);
    expect(statSync(bundle).mtimeMs).toBe(mtimeMs);
  });
});

describe("in a process of its own", () => {
  it("serves stdio from a pipe, and ends with it", () => {
    const input = [
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{}}}',
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"mine"}}',
      '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"read"}}',
      '{"jsonrpc":"2.0","id":4,"method":"tools/list"}',
    ].join("\n");
    const args = [
      "stdio",
      "--page-size",
      "1",
      "--tools",
      '[{"listed":{"name":"mine"},"result":{}}]',
    ];
    const faults = ["--faults", '[{"fault":"rpc-error","tool":"read"}]'];
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [program(), ...args, ...faults],
      { input: `${input}\n`, encoding: "utf8" },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const messages = [...messagesIn(stdout)].sort((a, b) => Number(a["id"]) - Number(b["id"]));
    expect(messages).toMatchObject([
      { id: 1, result: { protocolVersion: "2025-06-18" } },
      { id: 2, result: {} },
      { id: 3, error: { code: -32_000 } },
      { id: 4, result: { tools: { length: 1 }, nextCursor: expect.any(String) } },
    ]);
  });

  it.each([
    ["http", "/mcp"],
    ["sse", "/sse"],
  ])("serves %s, says where, dies by its faults and by a signal", async (transport, path) => {
    const faults = JSON.stringify([{ fault: "crash", tool: "effect", when: "after" }]);
    const args = [transport, "--faults", faults, "--answers", "json"];
    const start = async () => {
      const child = spawn(process.execPath, [program(), ...args], { stdio: "pipe" });
      const [line] = await within(once(child.stdout, "data"), "the url");
      const url = String(line).trim();
      expect(new URL(url)).toMatchObject({ hostname: "127.0.0.1", pathname: path });
      return { url, child, exited: once(child, "exit") };
    };
    const first = await start();
    const origin = new URL(first.url).origin;
    const session = await openSession(`${origin}/mcp`);
    const params = { name: "effect", arguments: { id: "x" } };
    if (transport === "http") {
      const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
      const sent = post(first.url, call, session);
      expect(await within(first.exited)).toEqual([null, "SIGKILL"]);
      expect(await within(sent.ended)).toMatch(/ECONNRESET|cut/);
    } else {
      const stream = exchange("GET", first.url);
      await until(() => stream.text.includes("endpoint"), "the endpoint");
      first.child.kill();
      expect(await within(first.exited)).toEqual([null, "SIGTERM"]);
      expect(await within(stream.ended)).toBe("cut");
    }
  });
});
