import { describe, expect, it } from "vitest";
import type { Fault } from "../src/faults/fault.ts";
import { type FaultName, faultEntry, faultTable } from "../src/faults/table.ts";
import { closing } from "./support/opened.ts";
import { answersTo, callTool, openers, type Wire } from "./support/wire.ts";
import { until } from "./support/within.ts";

const names = Object.keys(faultTable) as FaultName[];

/** Small numbers where the default would take long. */
const quick: Partial<Record<FaultName, object>> = {
  delay: { ms: 1 },
  huge: { bytes: 10 },
  "out-of-order": { ms: 1 },
  "stderr-flood": { bytes: 1 },
};

/** Does a call still reach its tool when this fault fires before it? */
function letsRun(name: FaultName): boolean {
  return faultEntry(name).ends !== true && name !== "rpc-error" && name !== "forget-sessions";
}

const stages = ["before", "after", "answering"] as const;

/** What the counters have to say, by what the table says about the fault. */
const rows = names.flatMap((fault) =>
  stages
    .filter((when) => faultEntry(fault).when.includes(when))
    .map((when) => ({ fault, when, ran: when === "before" && !letsRun(fault) ? 0 : 1 })),
);

it("the table of faults gives a row for every fault that acts on a call", () => {
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.filter(({ ran }) => ran === 0).length).toBeGreaterThan(15);
});

async function callWith(wire: Wire, fault: object): Promise<unknown> {
  const given = { times: 1, tool: "effect", ...fault };
  wire.server.faults.on(given as Fault);
  return callTool(wire, "effect", { id: "x" });
}

async function showCount(wire: Wire, { fault, when, ran }: (typeof rows)[number]): Promise<void> {
  const { faults, effects, runs } = wire.server;
  await callWith(wire, { fault, when, ...quick[fault] });
  if (fault === "wrong-version") {
    await until(() => effects.has("x"), "the effect");
    expect(faults.fired(fault)).toBe(0);
    return;
  }
  await until(() => faults.fired(fault) === 1, "the fault");
  await until(() => (effects.get("x") ?? 0) === ran, "the count");
  const answers = wire.server.calls.map(({ answered }) => answered);
  if (faultEntry(fault).ends) expect(answers).not.toContain(true);
  expect(runs.get("effect") ?? 0).toBe(ran);
  expect(wire.server.calls).toHaveLength(ran);
}

/** An answer as JSON differs from one on a stream only in its bytes. */
const ways = openers.filter(([name]) => name !== "HTTP, JSON");

describe.each(ways)("over %s", (way, open) => {
  const transport = way === "stdio" ? "stdio" : way.startsWith("HTTP") ? "http" : "sse";
  const fitting = rows.filter(({ fault }) => faultEntry(fault).on.includes(transport));

  it.concurrent.each(fitting)(
    "$fault $when the call: it ran $ran times, and the count says so",
    async (row) => {
      const wire = await open();
      const answerPings = setInterval(() => {
        const pings = wire.received.filter(({ method }) => method === "ping");
        for (const { id } of pings) wire.send({ jsonrpc: "2.0", id, result: {} });
      }, 10);
      try {
        expect(wire.transport).toBe(transport);
        await showCount(wire, row);
      } finally {
        clearInterval(answerPings);
        await wire.close();
      }
    },
  );

  it("counts forty calls one by one, with faults at random", async () => {
    const wire = closing(await open());
    const { faults, effects } = wire.server;
    faults.on({ fault: "rpc-error", tool: "effect", probability: 0.3, seed: 1 });
    faults.on({ fault: "duplicate", tool: "effect", probability: 0.3, seed: 2 });
    faults.on({ fault: "rpc-error", when: "after", tool: "effect", probability: 0.3, seed: 3 });
    const calls = Array.from({ length: 40 }, (_unused, index) => {
      const id = `n${index}`;
      return { id, request: callTool(wire, "effect", { id }) };
    });
    await until(() => calls.every(({ request }) => answersTo(wire, request).length > 0), "all");
    const failed = calls.filter(({ request }) => "error" in (answersTo(wire, request)[0] ?? {}));
    const before = 40 - effects.size;
    expect([...effects.values()].every((count) => count === 1)).toBe(true);
    expect(before).toBeGreaterThan(5);
    expect(failed.length).toBeGreaterThan(before);
    expect(faults.fired("rpc-error")).toBe(failed.length);
    expect(wire.server.runs.get("effect")).toBe(effects.size);
  });
});
