import { describe, expect, expectTypeOf, it } from "vitest";
import { type ActiveFaultOf, type Fault, isFault, readFault } from "../src/faults/fault.ts";
import { type FaultName, faultEntry, faultTable, isFaultName } from "../src/faults/table.ts";
import { TestkitError } from "../src/index.ts";

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
