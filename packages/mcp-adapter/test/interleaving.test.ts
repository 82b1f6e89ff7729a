import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AdapterState } from "../src/index.ts";
import { engines } from "./engine-adapter.ts";
import { httpBench, type InterleavingBench, mockBench, stdioBench } from "./interleaving-bench.ts";

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
  { weight: 2, arbitrary: fc.record({ do: fc.constant("drop" as const), how: fc.nat(2) }) },
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

/** What the public methods may reject with: their own errors, with a code. */
const owned = (error: unknown) => expect(error).toMatchObject({ name: /^MCP\w+Error$/, code: /./ });

function start(on: InterleavingBench, at: Step, id: number): Promise<unknown> | undefined {
  const { adapter } = on;
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
        .invoke(on.tool, { id: String(id) }, { signal, timeoutMs: at.timeoutMs ?? undefined })
        .then((result) => {
          const times = on.ran(id);
          expect(times).toBeLessThanOrEqual(1);
          if (result.success) expect(times).toBe(1);
          else if (result.ran === "no") expect(times).toBe(0);
        }, owned);
    case "drop":
      return on.drop(at.how);
    case "refuse":
      return on.refuse();
    case "lose":
      on.lose(at.delivery);
      return undefined;
    case "wait":
      return undefined;
  }
}

/** Timers, sockets, pipes and processes that are open now and were not then. */
function opened(then: readonly string[]): string[] {
  const known = [...then];
  return process.getActiveResourcesInfo().filter((name) => {
    const at = known.indexOf(name);
    if (at >= 0) known.splice(at, 1);
    return at < 0;
  });
}

async function eventually<T>(look: () => T, wanted: T): Promise<void> {
  const same = () => JSON.stringify(look()) === JSON.stringify(wanted);
  for (let waited = 0; !same() && waited < 6_000; waited += 20) await wait(20);
  expect(look()).toEqual(wanted);
}

async function play(on: InterleavingBench, steps: readonly Step[]): Promise<void> {
  const pending: Promise<unknown>[] = [];
  for (const [id, at] of steps.entries()) {
    const started = start(on, at, id);
    if (started) pending.push(started);
    if (at.do === "wait") await wait(at.ms * on.slowness);
  }
  pending.push(wait(5 * on.slowness).then(() => on.adapter.disconnect()));
  const settled = Promise.all(pending).then(() => "settled");
  const limit = new AbortController();
  const late = wait(on.settlesWithinMs, "pending", { signal: limit.signal }).catch(() => "");
  expect(await Promise.race([settled, late])).toBe("settled");
  limit.abort();
  expect(on.adapter.state).toBe("closed");
  await eventually(on.left, []);
  for (const [from, to] of on.moves) {
    expect([from, to === "closing" || arrows[from].includes(to), to]).toEqual([from, true, to]);
  }
}

async function property(
  bench: () => Promise<InterleavingBench>,
  { numRuns, atOnce, maxLength }: { numRuns: number; atOnce: number; maxLength: number },
): Promise<void> {
  const before = process.getActiveResourcesInfo();
  const interleaving = fc.array(step, { minLength: 1, maxLength });
  const several = { minLength: atOnce, maxLength: atOnce };
  await fc.assert(
    fc.asyncProperty(fc.array(interleaving, several), async (interleavings) => {
      // They mostly wait, so several do at a time, each with its own server.
      await Promise.all(
        interleavings.map(async (steps) => {
          const on = await bench();
          await play(on, steps).finally(on.stop);
        }),
      );
    }),
    { numRuns, endOnFailure: true },
  );
  await eventually(() => opened(before), []);
  expect(unhandled).toEqual([]);
}

const promise =
  "settles every promise, runs each call at most once, moves along the arrows and leaves nothing";

describe.each(engines)("any interleaving, engine %s", (engine) => {
  it.each(["auto", "manual"] as const)(
    `${promise}: the mock, recovery %s`,
    (recovery) =>
      property(async () => mockBench(engine, recovery), { numRuns: 30, atOnce: 8, maxLength: 25 }),
    120_000,
  );

  it(
    `${promise}: processes`,
    () => property(async () => stdioBench(engine), { numRuns: 6, atOnce: 2, maxLength: 14 }),
    120_000,
  );

  it(
    `${promise}: streamable HTTP`,
    () => property(() => httpBench(engine), { numRuns: 5, atOnce: 5, maxLength: 20 }),
    120_000,
  );
});
