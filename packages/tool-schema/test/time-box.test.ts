import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { attacks } from "../bench/attacks.ts";
import { ToolSchemaError } from "../src/index.ts";
import { hasTimeBox, timeBoxed } from "../src/time-box.ts";
import { engines } from "./engines.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.resetModules();
});

const forever = (): never => {
  for (;;);
};

describe("the time box", () => {
  it("is there on Node", () => {
    expect(hasTimeBox()).toBe(true);
  });

  it("gives what the work gives and throws what it throws", () => {
    const error = new Error("boom");
    expect(timeBoxed("work", 100, () => "done")).toBe("done");
    expect(timeBoxed("work", 100, () => undefined)).toBeUndefined();
    const failing = (): never => {
      throw error;
    };
    expect(() => timeBoxed("work", 100, failing)).toThrow(error);
  });

  it.each([
    ["a loop", forever],
    ["a pattern", () => /^(a+)+$/.test(`${"a".repeat(50)}!`)],
    [
      "a loop that catches everything",
      () => {
        for (;;) {
          try {
            forever();
          } catch {
            // goes on
          }
        }
      },
    ],
  ])("stops %s", (_, work) => {
    const start = performance.now();
    expect(() => timeBoxed("the work", 30, work)).toThrowError(
      expect.objectContaining({ code: "timeout", message: "the work takes longer than 30 ms" }),
    );
    expect(performance.now() - start).toBeLessThan(1_000);
    expect(timeBoxed("work", 100, () => 1)).toBe(1);
  });

  it("may stand in another one, and is stopped with it", () => {
    const inner = () => timeBoxed("inner", 20, forever);
    expect(() => timeBoxed("outer", 2_000, inner)).toThrowError("inner takes longer than 20 ms");
    expect(() => timeBoxed("outer", 20, () => timeBoxed("inner", 5_000, forever))).toThrowError(
      "outer takes longer than 20 ms",
    );
  });

  it("takes any time to mean at least a millisecond, and Infinity no box", () => {
    for (const timeoutMs of [0, -5, 0.5]) {
      expect(() => timeBoxed("work", timeoutMs, forever)).toThrowError(ToolSchemaError);
    }
    expect(timeBoxed("work", Number.POSITIVE_INFINITY, () => 1)).toBe(1);
  });

  it("keeps nothing of the work", async () => {
    let work: (() => number) | undefined = () => 1;
    const reference = new WeakRef(work);
    timeBoxed("work", 100, work);
    work = undefined;
    await new Promise((resolve) => setTimeout(resolve, 0));
    setFlagsFromString("--expose-gc");
    runInNewContext("gc")();
    expect(reference.deref()).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ["there is no such module", undefined],
    ["it is there in name only", { createContext: () => ({}) }],
    [
      "it does not run anything",
      {
        createContext: (x: object) => x,
        Script: class {
          runInContext() {}
        },
      },
    ],
  ])("is absent where %s: work runs without it", async (_, vm) => {
    vi.spyOn(process, "getBuiltinModule").mockReturnValue(vm as never);
    vi.resetModules();
    const other = await import("../src/time-box.ts");
    expect(other.hasTimeBox()).toBe(false);
    expect(other.timeBoxed("work", 1, () => 5)).toBe(5);
  });
});

describe.each(engines)("%s: a schema or value that is to block", (_engine, compileSchema) => {
  it.each(attacks)("is refused or stopped in time: $name", ({ schema, value }) => {
    const start = performance.now();
    try {
      const verdict = compileSchema(schema).validate(value);
      expect(typeof verdict.ok).toBe("boolean");
    } catch (error) {
      expect(error).toBeInstanceOf(ToolSchemaError);
      expect((error as ToolSchemaError).code).toMatch(
        /^(too_large|cyclic_ref|timeout|invalid_pattern)$/,
      );
    }
    expect(performance.now() - start).toBeLessThan(1_500);
  });

  it("is stopped by the options given, and the schema stays usable", () => {
    const slow = compileSchema({ pattern: "^(a+)+$" }, { validateTimeoutMs: 20 });
    slow.validate("a");
    const start = performance.now();
    expect(() => slow.validate(`${"a".repeat(50)}!`)).toThrowError(
      expect.objectContaining({
        code: "timeout",
        message: "validating the value takes longer than 20 ms",
      }),
    );
    expect(performance.now() - start).toBeLessThan(200);
    expect(slow.validate("aaa")).toEqual({ ok: true });
    expect(slow.validate("b").ok).toBe(false);
  });

  it("keeps its verdict where only the explanation is too long", () => {
    const anyOf = Array.from({ length: 90 }, (_, index) => ({
      properties: { kind: { const: index } },
      required: ["kind"],
      anyOf: Array.from({ length: 8 }, () => ({ required: ["other"] })),
    }));
    const { validate } = compileSchema(
      { anyOf },
      { validateTimeoutMs: 1, compileTimeoutMs: 5_000 },
    );
    try {
      const verdict = validate({ kind: "none" });
      expect(verdict.ok).toBe(false);
      if (!verdict.ok) expect(verdict.issues.length).toBeGreaterThan(0);
    } catch (error) {
      expect(error).toMatchObject({ code: "timeout" });
    }
  });
});

describe("a machine that is busy with other things", () => {
  /** A process that got so much of each millisecond. */
  function share(part: number): void {
    const start = performance.now();
    vi.spyOn(process, "cpuUsage").mockImplementation(() => ({
      user: (performance.now() - start) * 1_000 * part,
      system: 0,
    }));
  }

  const lasting = (ms: number) => () => {
    const end = performance.now() + ms;
    while (performance.now() < end);
    return "done";
  };

  it.each([0.1, 0.5])("is no reason to refuse work: it got %d of the time", (part) => {
    share(part);
    const start = performance.now();
    expect(timeBoxed("work", 100, lasting(160))).toBe("done");
    expect(performance.now() - start).toBeGreaterThan(255);
  });

  it("is none either for work that never ends: that is stopped after four times as long", () => {
    share(0.01);
    const start = performance.now();
    expect(() => timeBoxed("work", 40, forever)).toThrowError("work takes longer than 40 ms");
    const took = performance.now() - start;
    expect(took).toBeGreaterThan(155);
    expect(took).toBeLessThan(1_000);
  });

  it("is told from a machine that is not: then work is not run twice", () => {
    share(1);
    let runs = 0;
    const work = (): never => {
      runs += 1;
      return forever();
    };
    expect(() => timeBoxed("work", 40, work)).toThrowError(ToolSchemaError);
    expect(runs).toBe(1);
  });

  it("is taken for one that is not where nobody can tell", () => {
    vi.stubGlobal("process", { getBuiltinModule: process.getBuiltinModule });
    let runs = 0;
    const work = (): never => {
      runs += 1;
      return forever();
    };
    try {
      expect(() => timeBoxed("work", 40, work)).toThrowError(ToolSchemaError);
    } finally {
      vi.unstubAllGlobals();
    }
    expect(runs).toBe(1);
  });
});

describe("what generating code fails for", () => {
  async function failingFor(cause: Error, properties = 1) {
    const create = vi.fn();
    vi.doMock("../src/ajv.ts", () => ({ createAjvEngine: create }));
    vi.resetModules();
    try {
      const { compileSchema, ToolSchemaError: Failure } = await import("../src/index.ts");
      create.mockImplementation(() => {
        throw new Failure("uncompilable", "the schema cannot be compiled", { cause });
      });
      const each = Array.from({ length: properties }, (_, index) => [`p${index}`, { minimum: 1 }]);
      return { create, ...compileSchema({ properties: Object.fromEntries(each) }) };
    } finally {
      vi.doUnmock("../src/ajv.ts");
    }
  }

  it.each([1, 300])("is no matter where it is the stack, with %d properties", async (count) => {
    const { create, validate } = await failingFor(new RangeError("stack"), count);
    expect(validate({ p0: 1 })).toEqual({ ok: true });
    expect(validate({ p0: 0 })).toMatchObject({ ok: false, issues: [{ keyword: "minimum" }] });
    expect(create).toHaveBeenCalledTimes(1);
  });

  it("is told where it is anything else", async () => {
    const { validate } = await failingFor(new EvalError("no code"));
    expect(() => validate({ p0: 1 })).toThrowError(
      expect.objectContaining({ code: "uncompilable" }),
    );
  });
});

describe.each(engines)("%s: a sound schema as large as the limits allow", (_engine, compile) => {
  const count = 999;
  const names = Array.from({ length: count }, (_, index) => `p${index}`);
  const branch = (index: number) => ({
    type: "object",
    properties: { kind: { const: `k${index}` }, value: { type: "string" } },
    required: ["kind"],
    additionalProperties: false,
  });

  it.each<[string, unknown, readonly unknown[], readonly unknown[]]>([
    [
      "1,000 properties",
      {
        properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
        required: names.slice(0, 500),
      },
      [Object.fromEntries(names.map((name) => [name, "x"]))],
      [{}, Object.fromEntries(names.map((name, index) => [name, index === 998 ? 1 : "x"]))],
    ],
    [
      "400 properties, which takes its time to compile",
      { properties: Object.fromEntries(names.slice(0, 400).map((name) => [name, { minimum: 1 }])) },
      [{ p399: 1 }],
      [{ p399: 0 }],
    ],
    [
      "1,000 dependencies, twice",
      {
        dependentRequired: Object.fromEntries(names.map((name) => [name, ["q"]])),
        dependencies: Object.fromEntries(names.map((name) => [name, ["q"]])),
      },
      [{}, 0, { p1: 1, q: 1 }],
      [{ p998: 1 }],
    ],
    [
      "dependencies that need 9,990 names",
      { dependentRequired: Object.fromEntries(names.slice(0, 10).map((name) => [name, names])) },
      [{}, { p10: 1 }],
      [{ p9: 1 }],
    ],
    [
      "1,000 properties that must not be there, and as many dependencies",
      {
        properties: Object.fromEntries(names.map((name) => [name, false])),
        dependentSchemas: Object.fromEntries(names.map((name) => [name, false])),
      },
      [{}, { q: 1 }],
      [{ p0: 1 }, { p998: 1 }],
    ],
    [
      "oneOf of 100",
      { oneOf: Array.from({ length: 100 }, (_, index) => branch(index)) },
      [{ kind: "k0" }, { kind: "k99", value: "x" }],
      [{ kind: "k100" }, { kind: "k99", value: 1 }, 1],
    ],
    [
      "anyOf of 100",
      { anyOf: Array.from({ length: 100 }, (_, index) => branch(index)) },
      [{ kind: "k0" }, { kind: "k99", value: "x" }],
      [{ kind: "k100" }, { kind: "k99", other: 1 }],
    ],
  ])("is judged, however busy the machine: %s", (_, schema, fitting, unfit) => {
    const { validate } = compile(schema, { compileTimeoutMs: 1 });
    for (const value of fitting) expect(validate(value)).toEqual({ ok: true });
    for (const value of unfit) {
      const verdict = validate(value);
      expect(verdict).toMatchObject({ ok: false });
      if (!verdict.ok) expect(verdict.issues[0]?.keyword).not.toBe("");
    }
  });
});
