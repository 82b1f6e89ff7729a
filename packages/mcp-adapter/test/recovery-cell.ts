import { startTestServer, stdioTestServer } from "@x/mcp-testkit";
import type { MCPServerConfig } from "@x/mcp-transport";
import { ToolRegistry, type ToolResult } from "@x/tool-registry";
import { adapterOver, type Engine } from "./engine-adapter.ts";
import type { Bench, Cell, Failure, Kind, Phase } from "./recovery-matrix.ts";

/** Runs one cell of the matrix on a real server. */

const overrides: Record<Kind, Record<string, boolean> | undefined> = {
  "read-only": { read_only: true },
  idempotent: { idempotent: true },
  plain: undefined,
};

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function until(what: () => boolean): Promise<void> {
  for (let waited = 0; !what() && waited < 10_000; waited += 10) await pause(10);
}

export async function runCell(
  engine: Engine,
  failure: Failure,
  phase: Phase,
  kind: Kind,
): Promise<Cell> {
  const stdio = failure.transport === "stdio" ? stdioTestServer() : undefined;
  const http = stdio ? undefined : await startTestServer();
  const server = stdio ?? http;
  if (server === undefined) throw new Error("no transport");
  const config: MCPServerConfig = {
    name: "lab",
    requestTimeoutMs: (phase === "discovery" && failure.timeoutMs?.discovery) || 30_000,
    ...(failure.transport === "sse"
      ? { transport: "sse", url: http?.sseUrl ?? "" }
      : stdio
        ? { command: stdio.command, args: stdio.args }
        : { transport: "streamable-http", url: http?.url ?? "" }),
  };
  const adapter = adapterOver(engine, config, {
    circuitResetMs: 20,
    filter: { exclude: ["fail"] },
  });
  try {
    await adapter.connect();
    const registry = new ToolRegistry();
    await adapter.registerTools(registry, "lab");
    const fields = overrides[kind];
    if (fields) {
      registry.applyOverrides({ name: "lab/effect", overrides: fields }, { origin: "lab" });
    }
    return await strike(failure, phase, { server, http, stdio, adapter }, registry);
  } finally {
    await adapter.disconnect();
    await server.stop();
  }
}

async function strike(
  failure: Failure,
  phase: Phase,
  bench: Bench,
  registry: ToolRegistry,
): Promise<Cell> {
  const { adapter, server } = bench;
  const { back, timeoutMs } = failure;
  const kept = registry.get("lab/effect");
  const call = async (id: string, limit = {}) =>
    outcome(await registry.invoke("lab/effect", { id }, limit));
  const limit = timeoutMs && { timeoutMs: timeoutMs.call };
  const under = bringAbout(failure, phase, bench, (id) => call(id, limit));
  const restarted = back === "meanwhile" && phase !== "idle" ? restart(bench) : undefined;
  const outcomes = await under;
  await restarted;
  const away = back === "afterwards" ? await call("away") : undefined;
  if (away !== undefined) await restart(bench);
  // A half-open connection is known to be lost when its ping has not been answered.
  if (timeoutMs !== undefined) await until(() => adapter.state !== "ready");
  await until(() => adapter.state === "ready" || adapter.state === "down");
  // The circuit's time to reset.
  await pause(30);
  const last = await kept?.invoke({ id: "next" });
  const next = last ? outcome(last) : "nothing";
  const hidden = await adapter.invoke("fail");
  const filtered = hidden.errorCode === "not_found" && !registry.has("lab/fail");
  const times = [...server.effects].filter(([id]) => id !== "next").map(([, count]) => count);
  const ran = Math.max(0, ...times);
  return { outcomes, ran, ...(away !== undefined && { away }), next, filtered };
}

async function bringAbout(
  failure: Failure,
  phase: Phase,
  bench: Bench,
  call: (id: string) => Promise<string>,
): Promise<string[]> {
  const { adapter, server } = bench;
  if (phase === "idle") {
    if (failure.idle) await failure.idle(bench);
    else server.faults.on(failure.fault({}));
    if (failure.back === "meanwhile") await restart(bench);
    // A stream that is the connection is known to have ended; of other sockets it shows when used.
    if (failure.transport === "sse") await until(() => adapter.state !== "ready");
    for (let turn = 0; turn < 20; turn += 1) await pause(1);
    return [await call("a")];
  }
  if (phase === "discovery") {
    server.faults.on(failure.fault({ method: "tools/list" }));
    const listing = adapter.discoverTools();
    const came = await listing.then(
      () => "listed",
      (error: { code?: string }) => String(error.code),
    );
    return [came];
  }
  server.faults.on(failure.fault({ tool: "effect" }));
  // Which of several is hit is the server's to say.
  return Promise.all((phase === "one call" ? ["a"] : ["a", "b", "c"]).map(call));
}

async function restart({ http }: Bench): Promise<void> {
  await until(() => http?.isUp === false);
  await http?.restart();
}

function outcome(result: ToolResult): string {
  return result.success ? "success" : `${result.errorCode}, ran: ${result.ran}`;
}
