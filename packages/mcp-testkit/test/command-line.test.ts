import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, it, vi } from "vitest";
import { readArguments, usage } from "../src/cli/arguments.ts";
import { runCommandLine } from "../src/cli/command-line.ts";
import { program } from "../src/server/program.ts";
import { exchange, openSession, post } from "./support/raw-http.ts";
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

describe("in this process", () => {
  const { exitCode } = process;
  afterEach(() => {
    vi.restoreAllMocks();
    process.exitCode = exitCode;
  });

  it("help goes to stdout", async () => {
    const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    await runCommandLine(["--help"]);
    expect(write.mock.calls).toEqual([[usage]]);
    expect(process.exitCode).toBe(exitCode);
  });

  it.each([
    [["nowhere"], "transport is stdio"],
    [["stdio", "--faults", '[{"fault":"html"}]'], "html works on http, sse; this server is stdio"],
    [["http", "--faults", "[7]"], "a fault is an object"],
  ])("%j: the reason and the usage go to stderr, and the exit code is 2", async (args, reason) => {
    const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    await runCommandLine(args);
    expect(write.mock.calls).toEqual([[expect.stringContaining(reason)]]);
    expect(write.mock.calls[0]?.[0]).toContain(usage);
    expect(process.exitCode).toBe(2);
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
