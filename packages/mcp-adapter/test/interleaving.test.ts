import { setTimeout as wait } from "node:timers/promises";
import { MCPTransportError } from "@x/mcp-transport";
import { MockTransport, mockServer } from "@x/mcp-transport/testing";
import { echo } from "@x/test-servers";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AdapterState, MCPToolAdapter } from "../src/index.ts";

/** The arrows of the design; `closing` is reached from everywhere. */
const arrows: Record<AdapterState, readonly AdapterState[]> = {
  idle: ["connecting"],
  connecting: ["ready", "down"],
  ready: ["down"],
  down: ["connecting", "recovering"],
  recovering: ["ready", "down"],
  closing: ["closed"],
  closed: ["connecting"],
};

const abortAfterMs = fc.option(fc.integer({ min: 0, max: 6 }), { freq: 2 });
const timeoutMs = fc.option(fc.integer({ min: 1, max: 30 }), { freq: 2 });

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("connect" as const), abortAfterMs }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("disconnect" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("reconnect" as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("invoke" as const), timeoutMs, abortAfterMs }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("discover" as const), abortAfterMs }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("drop" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("refuse" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("lose" as const),
      delivery: fc.constantFrom("not_sent" as const, "refused" as const, "unknown" as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 0, max: 8 }) }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", onUnhandled));
afterAll(() => void process.off("unhandledRejection", onUnhandled));

function bench(recovery: "auto" | "manual") {
  const ran = new Map<unknown, number>();
  const moves: [AdapterState, AdapterState][] = [];
  const server = mockServer({
    tools: [
      {
        name: "work",
        call: async ({ id }) => {
          ran.set(id, (ran.get(id) ?? 0) + 1);
          await wait(6);
          return { content: [{ type: "text", text: String(id) }] };
        },
      },
    ],
  });
  const transport = new MockTransport(server);
  const adapter = new MCPToolAdapter(
    { name: "mock" },
    {
      recovery,
      transport,
      circuitResetMs: 10,
      onEvent: (event) => {
        if (event.type === "state") moves.push([event.from, event.state]);
      },
    },
  );
  return { ran, moves, server, transport, adapter };
}

type Bench = ReturnType<typeof bench>;

/** What the public methods may reject with: their own errors, with a code. */
const owned = (error: unknown) => expect(error).toMatchObject({ name: /^MCP\w+Error$/, code: /./ });

function start(on: Bench, at: Step, id: number): Promise<unknown> | undefined {
  const { adapter, server, transport } = on;
  const signal =
    "abortAfterMs" in at && at.abortAfterMs !== null
      ? AbortSignal.timeout(at.abortAfterMs)
      : undefined;
  switch (at.do) {
    case "connect":
      return adapter.connect({ signal }).catch(owned);
    case "disconnect":
      return adapter.disconnect();
    case "reconnect":
      return adapter.reconnect().catch(owned);
    case "discover":
      return adapter.discoverTools(undefined, { signal }).catch(owned);
    case "invoke":
      return adapter
        .invoke("work", { id }, { signal, timeoutMs: at.timeoutMs ?? undefined })
        .then((result) => {
          const times = on.ran.get(id) ?? 0;
          expect(times).toBeLessThanOrEqual(1);
          if (result.success) expect(times).toBe(1);
          else if (result.ran === "no") expect(times).toBe(0);
        }, owned);
    case "drop":
      server.drop();
      return undefined;
    case "refuse":
      transport.failNextOpen(new MCPTransportError("refused", "nothing listens"));
      return undefined;
    case "lose":
      server.failNext(
        new MCPTransportError("closed", "lost", { delivery: at.delivery }),
        "tools/call",
      );
      return undefined;
    case "wait":
      return undefined;
  }
}

describe.each(["auto", "manual"] as const)("any interleaving, recovery %s", (recovery) => {
  it("settles every promise, runs each call at most once and moves along the arrows", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const on = bench(recovery);
        const pending: Promise<unknown>[] = [];
        for (const [id, at] of steps.entries()) {
          const started = start(on, at, id);
          if (started) pending.push(started);
          if (at.do === "wait") await wait(at.ms);
        }
        pending.push(wait(5).then(() => on.adapter.disconnect()));
        const settled = Promise.all(pending).then(() => "settled");
        expect(await Promise.race([settled, wait(8_000, "pending")])).toBe("settled");
        expect(on.adapter.state).toBe("closed");
        expect(on.server.connections).toBe(0);
        for (const [from, to] of on.moves) {
          expect([from, to === "closing" || arrows[from].includes(to), to]).toEqual([
            from,
            true,
            to,
          ]);
        }
      }),
      { numRuns: 400, endOnFailure: true },
    );
    await wait(20);
    expect(unhandled).toEqual([]);
  }, 120_000);
});

const alive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

function processBench() {
  const pids: number[] = [];
  const adapter = new MCPToolAdapter(
    { name: "echo", ...echo([{ name: "work" }]) },
    {
      circuitResetMs: 10,
      onEvent: (event) => {
        if (event.type === "connect.end" && event.pid !== undefined) pids.push(event.pid);
      },
    },
  );
  return { ...bench("auto"), adapter, pids };
}

/** As on the mock, but what is dropped is a process, which is killed. */
async function startOnProcess(on: ReturnType<typeof processBench>, at: Step, id: number) {
  const last = on.pids.at(-1);
  switch (at.do) {
    case "drop":
      if (last !== undefined && alive(last)) process.kill(last, "SIGKILL");
      return [];
    case "wait":
      await wait(at.ms * 20);
      return [];
    case "invoke":
      return [on.adapter.invoke("work", { id }).catch(owned)];
    default:
      return [start(on, at, id)];
  }
}

describe("any interleaving, on real processes", () => {
  it("leaves no process behind, and settles every promise", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const on = processBench();
        const pending: unknown[] = [];
        for (const [id, at] of steps.entries()) pending.push(...(await startOnProcess(on, at, id)));
        pending.push(wait(20).then(() => on.adapter.disconnect()));
        const settled = Promise.all(pending).then(() => "settled");
        expect(await Promise.race([settled, wait(20_000, "pending")])).toBe("settled");
        expect(on.adapter.state).toBe("closed");
        expect(on.pids.filter(alive)).toEqual([]);
      }),
      { numRuns: 12, endOnFailure: true },
    );
    await wait(20);
    expect(unhandled).toEqual([]);
  }, 120_000);
});
