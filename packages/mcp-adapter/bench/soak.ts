import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { MCPToolAdapter, type MCPToolResult } from "@x/mcp-adapter";
import { type RecordedServer, startTestServer, stdioTestServer } from "@x/mcp-testkit";

// 64 callers, two real servers on this machine, and both are killed, restarted, cut and expired at
// random meanwhile. `npm run soak [calls]`; every count below is asserted.
const calls = Number(process.argv[2] ?? 20_000);
const callers = 64;

const http = await startTestServer();
const stdio = stdioTestServer();
const adapters = {
  http: new MCPToolAdapter({ name: "http", url: http.url }, { circuitResetMs: 100 }),
  stdio: new MCPToolAdapter(
    { name: "stdio", command: stdio.command, args: stdio.args },
    { circuitResetMs: 100, maxConcurrency: 32 },
  ),
};
const servers: Record<keyof typeof adapters, RecordedServer> = { http, stdio };

let running = true;
const troubles = new Map<string, number>();
const trouble = async (name: string, cause: () => Promise<void> | void) => {
  troubles.set(name, (troubles.get(name) ?? 0) + 1);
  await cause();
};
const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T;

async function troubleHttp(): Promise<void> {
  while (running) {
    await wait(150 + Math.random() * 500);
    await pick([
      () => trouble("http restarted", () => http.restart()),
      () =>
        trouble("http gone for 100 ms", () =>
          http
            .down({ reset: true })
            .then(() => wait(100))
            .then(() => http.restart()),
        ),
      () => trouble("sessions expired", () => http.forgetSessions()),
      () => trouble("connections cut", () => http.cut({ reset: Math.random() < 0.5 })),
      () =>
        trouble(
          "answers cut",
          () =>
            void http.faults.on({ fault: "cut-stream", tool: "effect", when: "after", times: 5 }),
        ),
      () =>
        trouble(
          "sockets reset before the tool ran",
          () => void http.faults.on({ fault: "reset", tool: "effect", when: "before", times: 3 }),
        ),
    ])();
  }
}

async function troubleStdio(): Promise<void> {
  while (running) {
    await wait(800 + Math.random() * 1_500);
    await trouble("process killed", () => stdio.kill());
  }
}

let settled = 0;
const outcomes = new Map<string, number>();
const heap: number[] = [];

async function caller(first: number): Promise<void> {
  for (let call = first; call < calls; call += callers) {
    const where = call % 4 === 0 ? "stdio" : "http";
    const id = `${where}-${call}`;
    const result = await adapters[where].invoke("effect", { id }, { timeoutMs: 60_000 });
    settled += 1;
    check(id, result, servers[where]);
    // As a program would that is told that the server is not there.
    if (result.errorCode === "unavailable") await wait(100);
    if (settled % 1_000 === 0) {
      globalThis.gc?.();
      heap.push(process.memoryUsage().heapUsed / 1e6);
    }
  }
}

const reports = new Map<string, { server: RecordedServer; result: "success" | "no" | "unknown" }>();

function check(id: string, result: MCPToolResult, server: RecordedServer): void {
  assert(!reports.has(id), `${id} settled twice`);
  const ran = result.success ? "success" : result.ran === "no" ? "no" : "unknown";
  reports.set(id, { server, result: ran });
  const label = result.success ? "success" : `${result.errorCode} (ran: ${result.ran})`;
  outcomes.set(label, (outcomes.get(label) ?? 0) + 1);
}

const startedAt = performance.now();
await Promise.all(Object.values(adapters).map((adapter) => adapter.connect()));
const chaos = Promise.all([troubleHttp(), troubleStdio()]);
await Promise.all(Array.from({ length: callers }, (_, first) => caller(first)));
running = false;
await chaos;
await Promise.all(Object.values(adapters).map((adapter) => adapter.disconnect()));

const effects = new Map([...http.effects, ...stdio.effects]);
let most = 0;
for (const [id, { result }] of reports) {
  const times = effects.get(id) ?? 0;
  most = Math.max(most, times);
  assert(times <= 1, `${id} ran ${times} times`);
  if (result === "success") assert.equal(times, 1, `${id} is reported as success`);
  if (result === "no") assert.equal(times, 0, `${id} is reported as not run`);
}
assert.equal(reports.size, calls);
const left = stdio.pids.length;
assert.equal(left, 0, "processes left");
await Promise.all([http.stop(), stdio.stop()]);
const [early = 0, late = 0] = [heap[Math.floor(heap.length / 4)], heap.at(-1)];
assert(late < early * 2 + 20, `heap grew from ${early} to ${late} MB`);

console.log(
  `${calls} calls from ${callers} callers in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`,
);
for (const [name, times] of [...troubles].sort()) console.log(`  ${name}: ${times} times`);
for (const [label, times] of [...outcomes].sort()) console.log(`  ${label}: ${times}`);
console.log(`each settled once; the most that any call ran: ${most}; processes left: ${left}`);
console.log(`heap after a quarter ${early.toFixed(1)} MB, at the end ${late.toFixed(1)} MB`);
