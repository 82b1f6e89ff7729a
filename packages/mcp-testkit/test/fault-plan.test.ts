import { describe, expect, it } from "vitest";
import { chance } from "../src/faults/chance.ts";
import { type Fault, readFault } from "../src/faults/fault.ts";
import { FaultPlan, Fired, type Occasion } from "../src/faults/fault-plan.ts";
import { memoryJournal } from "../src/records/journal.ts";

const all = ["stdio", "http", "sse"] as const;
const call: Occasion = { transport: "http", kind: "request", method: "tools/call", tool: "a" };
const note: Occasion = { transport: "http", kind: "notification", method: "notifications/x" };
const get: Occasion = { transport: "http", kind: "none", verb: "GET" };
const posted = (occasion: Occasion): Occasion => ({ ...occasion, verb: "POST" });

function planOf(...faults: Fault[]) {
  const journal = memoryJournal(10);
  const active = faults.map((fault, index) => readFault(fault, `k${index}`, all));
  const plan = new FaultPlan(() => active, journal);
  return { plan, journal };
}

function namesOf({ faults }: Fired): string[] {
  return faults.map(({ fault }) => fault);
}

/** How a fault fares on a number of equal occasions: `x` fired, `.` passed. */
function row(fault: Fault, length: number): string {
  const { plan } = planOf(fault);
  return Array.from({ length }, () =>
    plan.fire("before", call).faults.length > 0 ? "x" : ".",
  ).join("");
}

describe("how often", () => {
  it.each<[Fault, string]>([
    [{ fault: "delay" }, "xxxxxx"],
    [{ fault: "delay", times: 1 }, "x....."],
    [{ fault: "delay", times: 3 }, "xxx..."],
    [{ fault: "delay", times: 0 }, "......"],
    [{ fault: "delay", skip: 2 }, "..xxxx"],
    [{ fault: "delay", skip: 2, times: 1 }, "..x..."],
    [{ fault: "delay", probability: 0 }, "......"],
    [{ fault: "delay", probability: 1 }, "xxxxxx"],
  ])("%j: %s", (fault, expected) => {
    expect(row(fault, 6)).toBe(expected);
  });

  it("a seed gives one row for ever; another seed another", () => {
    const fault: Fault = { fault: "delay", probability: 0.5, seed: 42 };
    expect(row(fault, 40)).toBe(row(fault, 40));
    expect(row(fault, 40)).toBe("..xx.xx...xx...xx....x.xxx..xxxx......xx");
    expect(row({ ...fault, seed: 43 }, 40)).not.toBe(row(fault, 40));
    expect(row({ ...fault, times: 2 }, 40).replaceAll(".", "")).toBe("xx");
  });

  it.each([0.1, 0.5, 0.9])("hits about %d of the time", (probability) => {
    const hits = row({ fault: "delay", probability, seed: 5 }, 5000).replaceAll(".", "").length;
    expect(Math.abs(hits / 5000 - probability)).toBeLessThan(0.03);
  });

  it("counts what fired in the journal, and nothing else decides", () => {
    const { plan, journal } = planOf({ fault: "delay", times: 2 });
    plan.fire("before", call);
    expect(journal.records.hits("k0")).toEqual({ fired: 1, passed: 0 });
    journal.append({ kind: "fired", key: "k0", fault: "delay" });
    expect(plan.fire("before", call).faults).toEqual([]);
  });

  it("looking does not use anything up", () => {
    const { plan } = planOf({ fault: "delay", times: 1 });
    for (let look = 0; look < 3; look += 1) expect(plan.due("before", call)).toHaveLength(1);
    expect(plan.fire("before", call).faults).toHaveLength(1);
    expect(plan.due("before", call)).toEqual([]);
    expect([plan.isOn("k0"), plan.isOn("k1")]).toEqual([true, false]);
  });
});

describe("which messages", () => {
  it.each<[Fault, Occasion, boolean]>([
    [{ fault: "delay" }, call, true],
    [{ fault: "delay" }, note, false],
    [{ fault: "delay" }, { ...note, kind: "response" }, false],
    [{ fault: "delay", method: "notifications/x" }, note, true],
    [{ fault: "delay", method: "notifications/y" }, note, false],
    [{ fault: "delay", method: ["x", "tools/call"] }, call, true],
    [{ fault: "delay", method: [] }, call, false],
    [{ fault: "delay", tool: "a" }, call, true],
    [{ fault: "delay", tool: ["b", "a"] }, call, true],
    [{ fault: "delay", tool: "b" }, call, false],
    [{ fault: "delay", tool: "a" }, { ...call, tool: undefined }, false],
    [{ fault: "delay", tool: "a", method: "tools/list" }, call, false],
    [{ fault: "http-status" }, posted(call), true],
    [{ fault: "http-status" }, posted(note), true],
    [{ fault: "http-status" }, get, false],
    [{ fault: "http-status", verb: "GET" }, get, true],
    [{ fault: "http-status", verb: "GET" }, posted(call), false],
    [{ fault: "http-status", method: "tools/call" }, posted(note), false],
    [{ fault: "http-status" }, { ...call, transport: "stdio" }, false],
    [{ fault: "unauthorized" }, get, true],
    [{ fault: "unauthorized", verb: "POST" }, get, false],
    [{ fault: "unauthorized" }, { ...get, authorization: "Bearer testkit" }, false],
    [{ fault: "unauthorized" }, { ...get, authorization: "Bearer other" }, true],
    [{ fault: "session-expired" }, posted(call), false],
    [{ fault: "session-expired" }, { ...posted(call), session: "s" }, true],
    [{ fault: "redirect" }, posted(call), true],
    [{ fault: "redirect" }, { ...posted(call), moved: true }, false],
  ])("%j on %j: %s", (fault, occasion, expected) => {
    const { plan } = planOf(fault);
    expect(plan.fire("before", occasion).faults.length > 0).toBe(expected);
  });

  it("only at its stage", () => {
    const { plan } = planOf({ fault: "exit" }, { fault: "crash", when: "after" });
    expect(namesOf(plan.fire("before", call))).toEqual(["exit"]);
    expect(namesOf(plan.fire("after", call))).toEqual(["crash"]);
    expect(namesOf(plan.fire("answering", call))).toEqual([]);
  });

  it("stages that are about no message ask for no message", () => {
    const { plan } = planOf({ fault: "slow-start" }, { fault: "ignore-eof" });
    const nothing: Occasion = { transport: "stdio", kind: "none" };
    expect(namesOf(plan.fire("start", nothing))).toEqual(["slow-start"]);
    expect(namesOf(plan.fire("eof", nothing))).toEqual(["ignore-eof"]);
  });

  it("a page that is wrong is that page or a later one", () => {
    const { plan } = planOf({ fault: "page-error", page: 3 });
    const fires = (page?: number) =>
      plan.fire("list", { ...call, ...(page !== undefined && { page }) }).faults.length;
    expect([fires(), fires(1), fires(2), fires(3), fires(4)]).toEqual([0, 0, 0, 1, 1]);
  });
});

describe("several at once", () => {
  it("fire together, but only the first that ends the message, and the others are not used up", () => {
    const { plan, journal } = planOf(
      { fault: "delay" },
      { fault: "silence", times: 1 },
      { fault: "exit", times: 1 },
      { fault: "rpc-error" },
    );
    const fired = plan.fire("before", call);
    expect(namesOf(fired)).toEqual(["delay", "silence", "rpc-error"]);
    expect(fired.ending?.fault).toBe("silence");
    expect(fired.get("delay")?.ms).toBe(1000);
    expect(fired.get("exit")).toBeUndefined();
    expect(journal.records.fired("exit")).toBe(0);
    expect(plan.fire("before", call).ending?.fault).toBe("exit");
  });

  it("of one name, the first that is due is the one that is asked for its parameters", () => {
    const { plan } = planOf({ fault: "delay", ms: 1, times: 1 }, { fault: "delay", ms: 2 });
    expect(plan.fire("before", call).get("delay")?.ms).toBe(1);
    expect(plan.fire("before", call).get("delay")?.ms).toBe(2);
    expect(new Fired([]).ending).toBeUndefined();
  });
});

describe("chance", () => {
  it("is the same on every machine", () => {
    const numbers = Array.from({ length: 4 }, (_, nth) => chance(1, nth).toFixed(6));
    expect(numbers).toEqual(["0.291446", "0.720444", "0.201800", "0.453675"]);
  });

  it("lies in [0, 1) and is spread evenly, for seeds and for steps", () => {
    for (const numbers of [
      Array.from({ length: 4000 }, (_, nth) => chance(0, nth)),
      Array.from({ length: 4000 }, (_, seed) => chance(seed - 2000, 3)),
    ]) {
      expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...numbers)).toBeLessThan(1);
      const tenths = Array.from(
        { length: 10 },
        (_, tenth) => numbers.filter((number) => Math.floor(number * 10) === tenth).length,
      );
      expect(Math.min(...tenths)).toBeGreaterThan(320);
      expect(Math.max(...tenths)).toBeLessThan(480);
    }
  });
});
