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

it("compiling is stopped by the option given, once and for all", () => {
  const properties = Object.fromEntries(
    Array.from({ length: 900 }, (_, index) => [`p${index}`, { type: "string", minLength: 1 }]),
  );
  const [, compileSchema] = engines[0] ?? [];
  const { validate } = compileSchema?.({ properties }, { compileTimeoutMs: 1 }) ?? {};
  let first: unknown;
  try {
    validate?.({});
  } catch (error) {
    first = error;
  }
  expect(first).toMatchObject({
    code: "timeout",
    message: "compiling the schema takes longer than 1 ms",
  });
  expect(() => validate?.({})).toThrow(first as Error);
});
