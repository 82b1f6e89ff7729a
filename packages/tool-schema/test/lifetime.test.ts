import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createAjvEngine } from "../src/ajv.ts";
import { compileSchema, ToolSchemaError } from "../src/index.ts";

describe("a compiled schema", () => {
  it("is not compiled before its first use", () => {
    const compile = performance.now();
    const many = Array.from({ length: 200 }, (_, index) =>
      compileSchema({ properties: { [`p${index}`]: { type: "string", pattern: `^${index}` } } }),
    );
    const use = performance.now();
    for (const { validate } of many) validate({});
    const end = performance.now();
    expect(use - compile).toBeLessThan(end - use);
  });

  it("goes with its schema when it is let go: nothing is kept for a server's text", () => {
    const program = fileURLToPath(new URL("../figures/memory.ts", import.meta.url));
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ["--expose-gc", "--import", "tsx", program],
      { encoding: "utf8" },
    );
    expect(stderr).toBe("");
    // Kept, they would be more than 12 MB.
    expect(Number(stdout)).toBeLessThan(4_000_000);
    expect(Number(stdout)).not.toBe(0);
  });

  it("depends on nothing that others compiled before", () => {
    const id = "https://tools.example/args.json";
    const strict = compileSchema({ $id: id, required: ["a"] });
    expect(strict.validate({}).ok).toBe(false);
    const other = compileSchema({ $id: id, required: ["b"] });
    expect(other.validate({ b: 1 }).ok).toBe(true);
    expect(strict.validate({ b: 1 }).ok).toBe(false);
    expect(() => compileSchema({ $ref: id })).toThrowError(
      expect.objectContaining({ code: "unresolved_ref" }),
    );
  });

  it("may take the id of a metaschema without disturbing anyone", () => {
    const $id = "https://json-schema.org/draft/2020-12/schema";
    const { validate } = compileSchema({ $id, type: "string" });
    expect(validate("x").ok).toBe(true);
    expect(() => compileSchema({ type: "any" })).toThrowError(ToolSchemaError);
  });

  it("is no longer touched by changes to the schema it was made of", () => {
    const schema: Record<string, unknown> = { type: "object", required: ["a"] };
    const { validate } = compileSchema(schema);
    schema["required"] = [];
    schema["type"] = "string";
    expect(validate({}).ok).toBe(false);
    expect(validate({ a: 1 }).ok).toBe(true);
  });

  it("never changes a schema or a value", () => {
    const schema = Object.freeze({
      type: "object",
      properties: Object.freeze({ a: Object.freeze({ type: "integer", default: 5 }), b: null }),
      required: null,
      nullable: true,
    });
    const { validate } = compileSchema({
      ...schema,
      properties: { a: { type: "integer", default: 5 } },
    });
    const value = Object.freeze({ a: "1", extra: Object.freeze([1]) });
    expect(validate(value).ok).toBe(false);
    expect(validate(Object.freeze({}))).toEqual({ ok: true });
    expect(value).toEqual({ a: "1", extra: [1] });
    expect(schema.required).toBeNull();
  });

  it("gives the same verdict however often it is asked", () => {
    const { validate } = compileSchema({ anyOf: [{ type: "string" }, { required: ["a"] }] });
    const first = validate({});
    for (let time = 0; time < 50; time += 1) {
      expect(validate({})).toEqual(first);
      expect(validate("x")).toEqual({ ok: true });
    }
  });
});

it("only the verdict true is one: a promise, as of an asynchronous schema, is not", () => {
  const prepared = {
    schema: { $async: true },
    dialect: "2020-12",
    notes: [],
    schemas: new Set<Record<string, unknown>>(),
    targets: new Map<object, boolean>(),
    cost: { evaluations: 1, keywords: 1, looksBack: false, isIntricate: false },
  } as const;
  expect(createAjvEngine(prepared, { formats: true }).fits({})).toBe(false);
});

describe("any schema at all", () => {
  const words = [
    "$id",
    "$ref",
    "$anchor",
    "$defs",
    "$async",
    "$data",
    "$comment",
    "id",
    "type",
    "properties",
    "required",
    "items",
    "prefixItems",
    "additionalProperties",
    "patternProperties",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "enum",
    "const",
    "format",
    "pattern",
    "nullable",
    "discriminator",
    "minimum",
    "exclusiveMinimum",
    "contains",
    "propertyNames",
    "dependencies",
    "dependentSchemas",
    "unevaluatedProperties",
    "unevaluatedItems",
    "default",
    "__proto__",
    "constructor",
    "toString",
    "*/globalThis.PWNED=1;/*",
    "\u2028",
    "`+(1)+`",
    "'+(1)+'",
  ];
  const scalars = [
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    "",
    "#",
    "#/$defs/a",
    "#a",
    "object",
    "string",
    "integer",
    "date",
    "^(a+)$",
    "\\",
    "__proto__",
    "constructor",
    "*/globalThis.PWNED=1;/*",
    "`+(1)+`",
    "\u2028",
  ];

  /** A small generator with a fixed seed, so that a failure can be repeated. */
  function random(seed: number): (below: number) => number {
    let state = seed;
    return (below) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
  }

  function make(next: (below: number) => number, depth: number): unknown {
    const kind = next(10);
    if (depth > 3 || kind < 3) return scalars[next(scalars.length)];
    if (kind < 5) return Array.from({ length: next(3) }, () => make(next, depth + 1));
    const entries = Array.from({ length: 1 + next(4) }, () => [
      words[next(words.length)] ?? "type",
      make(next, depth + 1),
    ]);
    return JSON.parse(
      `{${entries.map(([k, v]) => `${JSON.stringify(k)}:${JSON.stringify(v)}`).join(",")}}`,
    );
  }

  it("is judged or refused with a coded error, and nothing of it ever runs", () => {
    const next = random(7);
    const outcomes = new Map<string, number>();
    const prototype = Object.getOwnPropertyNames(Object.prototype);
    for (let round = 0; round < 4_000; round += 1) {
      const schema = make(next, 0);
      let outcome: string;
      try {
        const { validate } = compileSchema(schema);
        for (const value of [{}, { a: 1, __proto__: null }, [1], "x", 5, null]) {
          const verdict = validate(value);
          expect(typeof verdict.ok).toBe("boolean");
        }
        outcome = "judged";
      } catch (error) {
        if (!(error instanceof ToolSchemaError)) throw error;
        outcome = error.code;
      }
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    expect(outcomes.get("judged")).toBeGreaterThan(200);
    expect(outcomes.get("invalid_schema")).toBeGreaterThan(200);
    expect("PWNED" in globalThis).toBe(false);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototype);
  });
});
