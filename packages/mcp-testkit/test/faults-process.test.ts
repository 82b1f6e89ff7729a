import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chance } from "../src/faults/chance.ts";
import type { Fault } from "../src/faults/fault.ts";
import type { ProcessFaults } from "../src/faults/process-faults.ts";
import { type StdioTestServer, stdioTestServer } from "../src/server/stdio-test-server.ts";
import { initializeParams } from "./support/raw-http.ts";
import { type RawChild, spawnRaw } from "./support/raw-stdio.ts";
import { until, within } from "./support/within.ts";

const initialize = { jsonrpc: "2.0", id: "init", method: "initialize", params: initializeParams };

let ids = 0;
function send(child: RawChild, method: string, params = {}): number {
  ids += 1;
  child.write({ jsonrpc: "2.0", id: ids, method, params });
  return ids;
}

function effect(child: RawChild, id: string): number {
  return send(child, "tools/call", { name: "effect", arguments: { id } });
}

async function answer(child: RawChild, id: unknown): Promise<Readonly<Record<string, unknown>>> {
  const find = () => child.messages.find((message) => message["id"] === id);
  await until(() => find() !== undefined, `the answer to ${id}`);
  return find() ?? {};
}

/** Starts a child and shakes hands. */
async function start(server: StdioTestServer): Promise<RawChild> {
  const child = spawnRaw(server);
  child.write(initialize);
  await answer(child, "init");
  return child;
}

/** Tests run at the same time, so servers are stopped when all are over. */
const servers: StdioTestServer[] = [];
afterAll(async () => {
  for (const server of servers) await server.stop();
});

function prepared(...faults: Fault[]): StdioTestServer {
  const server = stdioTestServer({ faults });
  servers.push(server);
  return server;
}

const notes = (server: StdioTestServer) => server.processes.map(({ note }) => note);

/** Dies at some stage in a process of its own; what ran before stays on record. */
async function showDeath(
  fault: "exit" | "crash",
  ending: number | string,
  stages: readonly ["before" | "after" | "answering", number][],
): Promise<StdioTestServer> {
  const server = prepared();
  for (const [when, runs] of stages) {
    const child = await start(server);
    server.faults.on({ fault, when, tool: "effect", times: 1 });
    const rest = await lastWords(child, when);
    expect(await within(child.exited)).toBe(ending);
    expect(rest).toMatch(when === "answering" ? /^\{"jsonrpc".*[^\n]$/ : /^$/);
    expect(server.effects.get(when) ?? 0).toBe(runs);
  }
  expect(server.faults.fired(fault)).toBe(stages.length);
  expect(server.calls.every(({ answered }) => !answered)).toBe(true);
  return server;
}

/** @returns what the child still writes when it is called */
async function lastWords(child: RawChild, id: string): Promise<string> {
  const { length } = child.text;
  effect(child, id);
  await within(child.stdoutEnded, "the end of stdout");
  return child.text.slice(length);
}

async function staysAliveUntilEof(child: RawChild): Promise<void> {
  send(child, "ping");
  await sleep(50);
  expect(child.isLiving()).toBe(true);
  child.process.stdin?.end();
  expect(await within(child.exited)).toBe(0);
}

const exercises: Record<keyof ProcessFaults, () => Promise<void>> = {
  exit: async () => {
    await showDeath("exit", 0, [["answering", 1]]);
    const server = prepared({
      fault: "exit",
      when: "start",
      code: 3,
      stderr: "no API key",
      times: 1,
    });
    const child = spawnRaw(server);
    child.write(initialize);
    expect(await within(child.exited)).toBe(3);
    await until(() => child.stderr.toString() === "no API key\n", "last words");
    expect(child.text).toBe("");
  },
  crash: async () => {
    const server = await showDeath("crash", "SIGKILL", [
      ["before", 0],
      ["after", 1],
    ]);
    const healed = await start(server);
    await answer(healed, effect(healed, "again"));
    await until(() => server.calls.at(-1)?.answered === true, "the record of the answer");
    expect(Object.fromEntries(server.effects)).toEqual({ after: 1, again: 1 });
    expect(notes(server)).toEqual(["start", "start", "start"]);
  },
  "close-stdout": async () => {
    const server = prepared({ fault: "close-stdout", when: "answering", tool: "effect" });
    const child = await start(server);
    expect(await lastWords(child, "x")).toMatch(/^\{"jsonrpc".*[^\n]$/);
    expect(server.effects.get("x")).toBe(1);
    await staysAliveUntilEof(child);
    const mute = prepared({ fault: "close-stdout", when: "start" });
    const other = spawnRaw(mute);
    await within(other.stdoutEnded);
    other.write(initialize);
    await until(() => mute.requests.length === 1, "the request on record");
    await staysAliveUntilEof(other);
    expect(other.text).toBe("");
  },
  "ignore-eof": async () => {
    const server = prepared({ fault: "ignore-eof", ms: 250 }, { fault: "ignore-eof", times: 0 });
    const child = await start(server);
    child.process.stdin?.end();
    await until(() => notes(server).includes("eof"), "the note of the end of stdin");
    await sleep(100);
    expect(child.isLiving()).toBe(true);
    expect(await within(child.exited)).toBe(0);
    expect(notes(server)).toEqual(["start", "eof", "exit"]);
  },
  "ignore-term": async () => {
    const server = prepared();
    const child = await start(server);
    const fault = server.faults.on({ fault: "ignore-term" });
    await sleep(100);
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
      child.process.kill(signal);
      await until(() => notes(server).includes(signal), signal);
    }
    await answer(child, send(child, "ping"));
    expect(fault.fired).toBe(3);
    fault.off();
    await sleep(100);
    child.process.kill("SIGTERM");
    expect(await within(child.exited)).toBe("SIGTERM");
  },
  grandchild: async () => {
    const server = prepared({ fault: "grandchild", times: 1, ignoreTerm: true });
    const child = await start(server);
    await until(() => server.pids.length === 2, "the grandchild");
    const grandchild = server.processes.find(({ note }) => note === "grandchild")?.pid;
    if (grandchild === undefined) throw new Error("no grandchild");
    child.process.stdin?.end();
    expect(await within(child.exited)).toBe(0);
    process.kill(grandchild, "SIGTERM");
    await sleep(50);
    expect(server.pids).toEqual([grandchild]);
    expect(child.process.stdout?.readableEnded).toBe(false);
    await server.stop();
    await within(child.stdoutEnded, "the end of stdout, once nobody holds it");
    expect(server.pids).toEqual([]);
  },
  "slow-start": async () => {
    const server = prepared({ fault: "slow-start", ms: 300 });
    const child = spawnRaw(server);
    child.write(initialize);
    await until(() => notes(server).includes("start"), "the start");
    const started = performance.now();
    await answer(child, "init");
    expect(performance.now() - started).toBeGreaterThan(250);
  },
  "stderr-flood": async () => {
    const server = prepared();
    const child = await start(server);
    server.faults.on({ fault: "stderr-flood", tool: "effect", times: 1 });
    child.process.stderr?.pause();
    const id = effect(child, "x");
    await until(() => server.faults.fired("stderr-flood") === 1, "the fault");
    await sleep(100);
    expect(server.effects.has("x")).toBe(false);
    child.process.stderr?.resume();
    await answer(child, id);
    await until(() => child.stderr.length === 1_000_000, "all of it");
    expect(child.stderr.every((byte) => byte === 0xfe)).toBe(true);
  },
};

describe("a stdio server in a process of its own", () => {
  it.concurrent.each(Object.entries(exercises))(
    "%s does what its sentence says",
    { timeout: 30_000 },
    async (_, show) => {
      await show();
    },
  );
});

describe("one child after another fault", () => {
  let server: StdioTestServer;
  let child: RawChild;
  beforeAll(async () => {
    server = stdioTestServer({ faults: [{ fault: "garbage", when: "start", times: 1 }] });
    child = await start(server);
  });
  afterAll(() => server.stop());

  it("has printed garbage before anything else", () => {
    expect(child.text.split("\n").slice(0, 3)).toEqual(Array(3).fill("[info] Starting up {"));
  });

  it("cuts characters over a real pipe", async () => {
    const { length } = child.chunks;
    server.faults.on({ fault: "split-utf8", tool: "read", times: 1 });
    const id = send(child, "tools/call", { name: "read" });
    expect(await answer(child, id)).toMatchObject({ result: { _meta: { letters: "é€😀" } } });
    expect(child.chunks.length - length).toBeGreaterThan(1);
  });

  it("writes a line without end only as fast as it is read", async () => {
    const fresh = await start(server);
    server.faults.on({ fault: "endless", tool: "effect", times: 1 });
    effect(fresh, "x");
    await until(
      () => fresh.chunks.reduce((sum, { length }) => sum + length, 0) > 1_000_000,
      "1 MB",
    );
    expect(Buffer.concat(fresh.chunks.slice(1)).includes(10)).toBe(false);
    fresh.process.kill();
    expect(await within(fresh.exited)).toBe("SIGTERM");
  });

  it("takes CRLF, messages in pieces and several on one chunk, and answers what is no JSON", async () => {
    const fresh = child;
    const ping = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
    fresh.process.stdin?.write(`${ping(9001)}\r\n\r\n${ping(9002)}\n${ping(9003).slice(0, 9)}`);
    await answer(fresh, 9002);
    fresh.process.stdin?.write(`${ping(9003).slice(9)}\n{\n[]\n`);
    await answer(fresh, 9003);
    await until(() => fresh.messages.filter(({ id }) => id === null).length === 2, "both errors");
    const errors = fresh.messages.filter(({ id }) => id === null).map(({ error }) => error);
    expect(errors).toMatchObject([{ code: -32700 }, { code: -32600 }]);
  });

  it("answers what came before the end of stdin", async () => {
    const fresh = spawnRaw(server);
    fresh.write(initialize);
    const id = effect(fresh, "parting");
    const slow = send(fresh, "tools/call", { name: "slow", arguments: { ms: 60_000 } });
    fresh.process.stdin?.end();
    expect(await within(fresh.exited)).toBe(0);
    expect(fresh.messages.map((message) => message["id"])).toEqual(["init", id]);
    expect(slow).toBe(id + 1);
  });

  it("is told what the test says while it runs, and later ones are not", async () => {
    const changes = (one: RawChild) =>
      one.messages.filter(({ method }) => method === "notifications/tools/list_changed").length;
    const fresh = child;
    server.setTools([{ listed: { name: "mine", inputSchema: {} }, result: { content: [] } }]);
    server.notify("notifications/resources/updated", { uri: "test://text" });
    await until(() => changes(fresh) === 1, "list_changed");
    await until(() => fresh.messages.some(({ params }) => params !== undefined), "the other");
    const { result } = await answer(fresh, send(fresh, "tools/list"));
    expect(JSON.stringify(result)).toContain('"mine"');
    const later = await start(server);
    await sleep(60);
    expect(changes(later)).toBe(0);
    expect(await answer(later, send(later, "tools/call", { name: "mine" }))).toMatchObject({
      result: { content: [] },
    });
    expect(() => server.setTools([{ listed: {}, run: () => 1 }])).toThrow(
      expect.objectContaining({ code: "option" }),
    );
  });

  it("sends 50 MB on one line", async () => {
    server.faults.on({ fault: "huge", tool: "read", times: 1 });
    const before = child.chunks.length;
    send(child, "tools/call", { name: "read" });
    const size = () => child.chunks.slice(before).reduce((sum, { length }) => sum + length, 0);
    await until(() => size() > 50_000_000, "50 MB");
    const lines = Buffer.concat(child.chunks.slice(before));
    expect(lines.indexOf(10)).toBeGreaterThan(50_000_000);
  });
});

it("several processes at once share faults and records", async () => {
  const server = prepared({ fault: "rpc-error", tool: "effect", times: 2 });
  const children = await Promise.all([start(server), start(server)]);
  for (const child of [...children, ...children]) await answer(child, effect(child, "x"));
  expect(server.effects.get("x")).toBe(2);
  expect(server.faults.fired("rpc-error")).toBe(2);
  expect(server.pids).toHaveLength(2);
  server.kill("SIGTERM");
  expect(await Promise.all(children.map(({ exited }) => exited))).toEqual(["SIGTERM", "SIGTERM"]);
  server.clearRecords();
  expect(server.effects.size).toBe(0);
});

it("chance goes on across processes: the row is that of the seed", async () => {
  const server = prepared({ fault: "crash", tool: "effect", probability: 0.5, seed: 8 });
  const expected = Array.from({ length: 4 }, (_, nth) => (chance(8, nth) < 0.5 ? "SIGKILL" : "ok"));
  const row: string[] = [];
  let child = await start(server);
  while (row.length < expected.length) {
    const id = effect(child, "x");
    const outcome = await Promise.race([answer(child, id).then(() => "ok"), child.exited]);
    row.push(String(outcome));
    if (outcome !== "ok") child = await start(server);
  }
  expect(row).toEqual(expected);
  expect(new Set(row)).toEqual(new Set(["ok", "SIGKILL"]));
  expect(server.effects.get("x")).toBe(row.filter((outcome) => outcome === "ok").length);
});

it("keeps its records when it is stopped, and stopping twice is no harm", async () => {
  const server = stdioTestServer();
  const child = await start(server);
  await answer(child, effect(child, "x"));
  await server.stop();
  await server.stop();
  expect(await within(child.exited)).toBe("SIGKILL");
  expect(server.effects.get("x")).toBe(1);
  for (const change of [
    () => server.faults.on({ fault: "silence" }),
    () => server.faults.clear(),
    () => server.notify("notifications/x"),
    () => server.setTools([]),
  ]) {
    expect(change).toThrow(expect.objectContaining({ code: "stopped" }));
  }
});

it.each([
  [{ faults: [{ fault: "http-status" as const }] }, "fault"],
  [{ tools: [{ listed: {}, run: () => ({}) }] }, "option"],
])("refuses %j", (options, code) => {
  expect(() => stdioTestServer(options)).toThrow(expect.objectContaining({ code }));
});
