import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { MCPToolAdapter, type MCPToolResult } from "@x/mcp-adapter";
import {
  type RecordedServer,
  type StdioTestServer,
  startTestServer,
  stdioTestServer,
  type TestServer,
} from "@x/mcp-testkit";
import { createTransport } from "@x/mcp-transport";

// 64 callers over both engines and four real servers on this machine, which are killed, restarted,
// cut and expired at random meanwhile. `npm run soak [-- calls]`; every count below is asserted.
const calls = Number(process.argv[2] ?? 20_000);
const callers = 64;
// What a program would do that is told that the server is not there.
const awayMs = 100;
const options = { circuitResetMs: 100, maxConcurrency: 12 };

interface Side {
  readonly adapter: MCPToolAdapter;
  readonly server: RecordedServer;
  /** Successes between two troubles, on average. */
  readonly pace: number;
  successes: number;
  trouble(): Promise<void> | void;
}

const troubles = new Map<string, number>();
const count = (counts: Map<string, number>, name: string) =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);

function httpTroubles(server: TestServer): [string, () => Promise<void> | void][] {
  const { faults } = server;
  return [
    ["http: restarted", () => server.restart()],
    [
      `http: gone for ${awayMs} ms`,
      async () => {
        await server.down({ reset: true });
        await wait(awayMs);
        await server.restart();
      },
    ],
    ["http: sessions expired", () => server.forgetSessions()],
    ["http: all sockets cut", () => server.cut({ reset: Math.random() < 0.5 })],
    [
      "http: five answers cut",
      () => void faults.on({ fault: "cut-stream", tool: "effect", when: "after", times: 5 }),
    ],
    [
      "http: three sockets reset before the tool ran",
      () => void faults.on({ fault: "reset", tool: "effect", when: "before", times: 3 }),
    ],
  ];
}

async function overHttp(engine: "v1" | "v2"): Promise<Side> {
  const server = await startTestServer({ recordLimit: 100 });
  const config = { name: "http", url: server.url };
  const kinds = httpTroubles(server);
  return {
    adapter: new MCPToolAdapter(config, {
      ...options,
      transport: createTransport(config, { engine }),
    }),
    server,
    pace: 40,
    successes: 0,
    trouble() {
      const [name, cause] = kinds[Math.floor(Math.random() * kinds.length)] ?? assert.fail();
      count(troubles, name);
      return cause();
    },
  };
}

const processes: StdioTestServer[] = [];

function overStdio(engine: "v1" | "v2"): Side {
  const server = stdioTestServer({ recordLimit: 100 });
  processes.push(server);
  const config = { name: "stdio", command: server.command, args: server.args };
  return {
    adapter: new MCPToolAdapter(config, {
      ...options,
      transport: createTransport(config, { engine }),
    }),
    server,
    pace: 100,
    successes: 0,
    trouble() {
      count(troubles, "stdio: killed");
      server.kill();
    },
  };
}

// A call over HTTP takes many times the processor time of one over stdio.
const [http1, stdio1] = [await overHttp("v1"), overStdio("v1")];
const [http2, stdio2] = [await overHttp("v2"), overStdio("v2")];
const sides = [http1, stdio1, http2, stdio2];
const sideOfCaller = [http1, stdio1, stdio1, stdio1, http2, stdio2, stdio2, stdio2];
const outcomes = new Map<string, number>();
const reports = new Map<string, { side: Side; ran: "once" | "no" | "unknown" }>();
const heap: number[] = [];
let longestMs = 0;
let running = true;

/** Troubles come with the calls, so that a slow machine meets as many as a fast one. */
async function makeTrouble(side: Side): Promise<void> {
  while (running) {
    const next = side.successes + side.pace * (0.5 + Math.random());
    while (running && side.successes < next) await wait(5);
    if (running) await side.trouble();
  }
}

async function caller(first: number): Promise<void> {
  const side = sideOfCaller[first % sideOfCaller.length] ?? assert.fail();
  for (let call = first; call < calls; call += callers) {
    const id = String(call);
    const result = await side.adapter.invoke("effect", { id }, { timeoutMs: 60_000 });
    report(id, side, result);
    if (result.errorCode === "unavailable") await wait(awayMs);
  }
}

function report(id: string, side: Side, result: MCPToolResult): void {
  assert(!reports.has(id), `${id} settled twice`);
  const ran = result.success ? "once" : result.ran === "no" ? "no" : "unknown";
  reports.set(id, { side, ran });
  count(outcomes, result.success ? "success" : `${result.errorCode} (ran: ${result.ran})`);
  if (result.success) side.successes += 1;
  longestMs = Math.max(longestMs, result.durationMs);
  if (reports.size % 250 !== 0) return;
  globalThis.gc?.();
  heap.push(process.memoryUsage().heapUsed / 1e6);
}

const startedAt = performance.now();
await Promise.all(sides.map(({ adapter }) => adapter.connect()));
const trouble = Promise.all(sides.map(makeTrouble));
await Promise.all(Array.from({ length: callers }, (_, first) => caller(first)));
running = false;
await trouble;
await Promise.all(sides.map(({ adapter }) => adapter.disconnect()));
const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);

assert.equal(reports.size, calls);
const ids = new Set(sides.flatMap(({ server }) => [...server.effects.keys()]));
for (const id of ids) assert(reports.has(id), `${id} ran and was never reported`);
let most = 0;
for (const [id, { side, ran }] of reports) {
  const times = side.server.effects.get(id) ?? 0;
  most = Math.max(most, times);
  assert(times <= 1, `${id} ran ${times} times`);
  if (ran === "once") assert.equal(times, 1, `${id} is reported as success`);
  if (ran === "no") assert.equal(times, 0, `${id} is reported as not run`);
}
const left = processes.flatMap(({ pids }) => pids).length;
assert.equal(left, 0, "processes left");
await Promise.all(sides.map(({ server }) => server.stop()));
const [early = 0, late = 0] = [heap[Math.floor(heap.length / 4)], heap.at(-1)];
// The reports themselves are kept, too.
assert(late < early + 10, `heap grew from ${early} to ${late} MB`);

console.log(`${calls} calls from ${callers} callers in ${seconds} s`);
for (const [name, times] of [...troubles].sort()) console.log(`  ${name}: ${times} times`);
for (const [label, times] of [...outcomes].sort()) console.log(`  ${label}: ${times}`);
console.log(`each settled once, the longest in ${(longestMs / 1_000).toFixed(1)} s`);
console.log(`the most that any call ran: ${most}; processes left: ${left}`);
console.log(`heap after a quarter ${early.toFixed(1)} MB, at the end ${late.toFixed(1)} MB`);
