import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, expectTypeOf, it } from "vitest";
import { chance } from "../src/faults/chance.ts";
import { type ActiveFaultOf, type Fault, isFault, readFault } from "../src/faults/fault.ts";
import { FaultPlan, Fired, type Occasion } from "../src/faults/fault-plan.ts";
import { type FaultName, faultEntry, faultTable, isFaultName } from "../src/faults/table.ts";
import { TestkitError } from "../src/index.ts";
import { memoryJournal } from "../src/records/journal.ts";

const all = ["stdio", "http", "sse"] as const;
const names = Object.keys(faultTable) as FaultName[];

describe("a fault that a test writes", () => {
  it("gets its defaults, and keeps what was given", () => {
    expect(readFault({ fault: "exit" }, "k", all)).toEqual({
      ...{ fault: "exit", key: "k", when: "before", code: 0, stderr: "" },
    });
    const given = {
      ...{ fault: "rpc-error", when: "after", tool: ["a", "b"], method: "tools/call", times: 0 },
      ...{ skip: 3, probability: 0.5, seed: -4, verb: "POST", data: { deep: [null] }, code: 5 },
    };
    expect(readFault(given, "k", all)).toEqual({ ...given, key: "k", message: "injected fault" });
  });

  it.each(names)("%s: every stage and every parameter of its row is accepted", (fault) => {
    const { when, parameters, on } = faultEntry(fault);
    for (const stage of when) {
      const defaults = Object.entries(parameters).map(([name, { default: value }]) => [
        name,
        value,
      ]);
      const read = readFault({ fault, when: stage, ...Object.fromEntries(defaults) }, "k", on);
      expect(read).toMatchObject({ fault, when: stage, ...Object.fromEntries(defaults) });
    }
    expect(readFault({ fault }, "k", on).when).toBe(when[0]);
  });

  it.each<[unknown, string]>([
    [null, "a fault is an object"],
    ["crash", "a fault is an object"],
    [[], "a fault is an object"],
    [{}, "there is no fault undefined"],
    [{ fault: "krash" }, 'there is no fault "krash"'],
    [{ fault: "__proto__" }, 'there is no fault "__proto__"'],
    [{ fault: "toString" }, 'there is no fault "toString"'],
    [{ fault: "crash", when: "later" }, "crash: `when` is before or after or answering or start"],
    [{ fault: "unauthorized", when: "after" }, "unauthorized: `when` is before"],
    [{ fault: "crash", code: 1 }, 'crash has no field "code"'],
    [{ fault: "exit", toString: 1 }, 'exit has no field "toString"'],
    [JSON.parse('{"fault":"exit","__proto__":1}'), 'exit has no field "__proto__"'],
    [{ fault: "exit", code: "1" }, 'exit: code cannot be "1"'],
    [{ fault: "exit", code: Number.NaN }, "exit: code cannot be null"],
    [{ fault: "malformed-items", items: {} }, "malformed-items: items cannot be {}"],
    [{ fault: "rpc-error", data: undefined }, "rpc-error: data cannot be undefined"],
    [{ fault: "exit", times: -1 }, "exit: times cannot be -1"],
    [{ fault: "exit", times: 1.5 }, "exit: times cannot be 1.5"],
    [{ fault: "exit", skip: "1" }, 'exit: skip cannot be "1"'],
    [{ fault: "exit", probability: 2 }, "exit: probability cannot be 2"],
    [{ fault: "exit", seed: 0.5 }, "exit: seed cannot be 0.5"],
    [{ fault: "exit", tool: 7 }, "exit: tool cannot be 7"],
    [{ fault: "exit", method: ["a", 7] }, 'exit: method cannot be ["a",7]'],
    [{ fault: "exit", verb: "PATCH" }, 'exit: verb cannot be "PATCH"'],
  ])("%j is refused and the reason is said", (value, reason) => {
    const read = () => readFault(value, "k", all);
    expect(read).toThrow(TestkitError);
    expect(read).toThrow(expect.objectContaining({ code: "fault", name: "TestkitError" }));
    expect(read).toThrow(reason);
  });

  it("has to fit the transports of the server", () => {
    expect(() => readFault({ fault: "html" }, "k", ["stdio"])).toThrow(
      "html works on http, sse; this server is stdio",
    );
    expect(() => readFault({ fault: "grandchild" }, "k", ["http", "sse"])).toThrow(
      "works on stdio",
    );
  });
});

describe("the table", () => {
  it.each(names)("%s is described in sentences, with a default stage and parameters", (name) => {
    const { says, on, when, parameters } = faultEntry(name);
    expect(says).toMatch(/^[A-Z0-9`].*\.$/);
    expect(says).not.toMatch(/[|\n]/);
    expect(on.length).toBeGreaterThan(0);
    expect(new Set(when).size).toBe(when.length);
    for (const parameter of Object.values(parameters)) {
      expect(parameter.says).not.toMatch(/[|\n.]/);
      expect(parameter.default).toBeDefined();
    }
  });

  it("knows its own names and nothing of the prototype", () => {
    expect(names.every(isFaultName)).toBe(true);
    expect(["constructor", "hasOwnProperty", "", "Exit"].some(isFaultName)).toBe(false);
  });
});

describe("types", () => {
  it("a fault takes the parameters of its own row and no other", () => {
    expectTypeOf<{ fault: "exit"; code: number; tool: string }>().toExtend<Fault>();
    expectTypeOf<{ fault: "exit"; code: string }>().not.toExtend<Fault>();
    expectTypeOf<{ fault: "no-such" }>().not.toExtend<Fault>();
    expectTypeOf<ActiveFaultOf<"exit">["code"]>().toEqualTypeOf<number>();
    expectTypeOf<ActiveFaultOf<"reset">["key"]>().toEqualTypeOf<string>();
  });

  it("a fault is narrowed by its name", () => {
    const fault = readFault({ fault: "delay", ms: 5 }, "k", all);
    expect(isFault(fault, "exit")).toBe(false);
    expect(isFault(fault, "delay") && fault.ms).toBe(5);
  });
});

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
function hits(fault: Fault, length: number): string {
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
    expect(hits(fault, 6)).toBe(expected);
  });

  it("a seed gives one row for ever; another seed another", () => {
    const fault: Fault = { fault: "delay", probability: 0.5, seed: 42 };
    expect(hits(fault, 40)).toBe(hits(fault, 40));
    expect(hits(fault, 40)).toBe("..xx.xx...xx...xx....x.xxx..xxxx......xx");
    expect(hits({ ...fault, seed: 43 }, 40)).not.toBe(hits(fault, 40));
    expect(hits({ ...fault, times: 2 }, 40).replaceAll(".", "")).toBe("xx");
  });

  it.each([0.1, 0.5, 0.9])("hits about %d of the time", (probability) => {
    const { length } = hits({ fault: "delay", probability, seed: 5 }, 5000).replaceAll(".", "");
    expect(Math.abs(length / 5000 - probability)).toBeLessThan(0.03);
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

const readme = readFileSync(fileURLToPath(new URL("../README.md", import.meta.url)), "utf8");

/** A row of the README as the table of faults has it. */
function shownRow(name: FaultName): string {
  const { says, on, when, parameters } = faultEntry(name);
  const fields = Object.entries(parameters).map(([field, { default: value, says: what }]) => {
    const text = JSON.stringify(value);
    return `\`${field}\` ${what}${text.length > 40 ? "" : ` (\`${text}\`)`}`;
  });
  const where = on.length === 3 ? "all" : on.join(", ");
  return `| \`${name}\` | ${says} | ${where} | ${when.join(", ")} | ${fields.join("; ")} |`;
}

it("the README shows every fault as the table of faults has it, in its order", () => {
  const squeezed = (line: string) => line.replaceAll(/ +/g, " ").replaceAll(/ \|$/g, "|");
  const shown = readme
    .split("\n")
    .filter((line) => /^\| `[\w-]+`/.test(line) && line.split("|").length === 7);
  expect(shown.map(squeezed)).toEqual(names.map(shownRow).map(squeezed));
});

it("the README says that this is no mock, and where the mock is", () => {
  expect(readme).toContain("a real server, not a mock");
  expect(readme).toContain("`mockServer` in `@x/mcp-transport/testing`");
});
