import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { SchemaLimits, ToolSchemaError } from "../src/index.ts";
import { limitsOf } from "../src/limits.ts";
import { weigh } from "../src/weigh.ts";
import { engines } from "./engines.ts";

function list<T>(length: number, make: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => make(index));
}

function record(length: number, make: (index: number) => unknown): object {
  return Object.fromEntries(list(length, (index) => [`k${index}`, make(index)]));
}

function nest(levels: number): unknown {
  let value: unknown = [];
  for (let level = 1; level < levels; level += 1) value = [value];
  return value;
}

interface Limited {
  readonly limit: keyof SchemaLimits;
  readonly max: number;
  /** A schema that costs this much. */
  readonly make: (size: number) => unknown;
  /** Where it is refused when it costs one more. */
  readonly path: (max: number) => string;
}

const limited: readonly Limited[] = [
  {
    limit: "maxBytes",
    max: 100,
    // Braces 2, `"title":` 8, quotes and a comma 3.
    make: (size) => ({ title: `${size % 2 === 0 ? "x" : ""}${"é".repeat((size - 13) >> 1)}` }),
    path: () => "/title",
  },
  {
    limit: "maxNodes",
    max: 10,
    make: (size) => ({ enum: list(size - 2, (index) => index) }),
    path: () => "/enum",
  },
  {
    limit: "maxDepth",
    max: 5,
    make: (size) => ({ const: nest(size - 1) }),
    path: (max) => `/const${"/0".repeat(max - 1)}`,
  },
  {
    limit: "maxSubschemas",
    max: 4,
    make: (size) => ({ properties: record(size - 1, () => ({})) }),
    path: (max) => `/properties/k${max - 1}`,
  },
  ...(["properties", "$defs", "definitions", "dependencies", "dependentSchemas"] as const).map(
    (keyword): Limited => ({
      limit: "maxProperties",
      max: 3,
      make: (size) => ({ [keyword]: record(size, () => true) }),
      path: () => `/${keyword}`,
    }),
  ),
  {
    limit: "maxProperties",
    max: 3,
    make: (size) => ({ required: list(size, String) }),
    path: () => "/required",
  },
  ...(["anyOf", "oneOf", "allOf", "prefixItems"] as const).map(
    (keyword): Limited => ({
      limit: "maxBranches",
      max: 3,
      make: (size) => ({ items: { [keyword]: list(size, () => true) } }),
      path: () => `/items/${keyword}`,
    }),
  ),
  {
    limit: "maxEnumItems",
    max: 3,
    make: (size) => ({ enum: list(size, String) }),
    path: () => "/enum",
  },
  {
    limit: "maxStringLength",
    max: 12,
    make: (size) => ({ description: "x".repeat(size) }),
    path: () => "/description",
  },
  {
    limit: "maxPatterns",
    max: 3,
    make: (size) => ({ pattern: "a", patternProperties: record(size - 1, () => true) }),
    path: (max) => `/patternProperties/k${max - 1}`,
  },
  {
    limit: "maxPatternLength",
    max: 3,
    make: (size) => ({ items: { pattern: "x".repeat(size) } }),
    path: () => "/items/pattern",
  },
  {
    limit: "maxEvaluations",
    max: 7,
    make: (size) => ({ items: { allOf: list(size - 1, () => ({})) } }),
    path: () => "/items",
  },
];

function caught(run: () => unknown): ToolSchemaError {
  try {
    run();
  } catch (error) {
    return error as ToolSchemaError;
  }
  throw new Error("nothing was thrown");
}

describe.each(engines)("%s: a limit", (_engine, compileSchema) => {
  it.each(limited)("$limit: as much is taken, one more refused ($path)", (each) => {
    const { limit, max, make, path } = each;
    const options = { limits: { [limit]: max } };
    expect(() => compileSchema(make(max), options)).not.toThrow();
    const error = caught(() => compileSchema(make(max + 1), options));
    expect(error).toMatchObject({ name: "ToolSchemaError", code: "too_large", path: path(max) });
    expect(error.message).toContain(`${limit} (${max})`);
  });

  it.each<[keyof SchemaLimits, unknown]>([
    ["maxBytes", { enum: list(10, () => "x".repeat(30_000)) }],
    ["maxNodes", { const: list(20_001, (index) => index) }],
    ["maxDepth", { const: nest(65) }],
    ["maxSubschemas", { anyOf: list(80, () => ({ properties: record(20, () => ({})) })) }],
    ["maxProperties", { properties: record(1_001, () => true) }],
    ["maxBranches", { anyOf: list(101, () => true) }],
    ["maxEnumItems", { enum: list(5_001, (index) => index) }],
    ["maxStringLength", { title: "x".repeat(32_769) }],
    ["maxPatterns", { properties: record(201, () => ({ pattern: "x" })) }],
    ["maxPatternLength", { pattern: "x".repeat(513) }],
    [
      "maxEvaluations",
      {
        $ref: "#/$defs/a",
        $defs: {
          a: { allOf: list(50, () => ({ $ref: "#/$defs/b" })) },
          b: { anyOf: list(50, () => ({ $ref: "#/$defs/c" })) },
          c: { oneOf: list(10, () => ({})) },
        },
      },
    ],
  ])("%s has the default the README gives", (limit, schema) => {
    const error = caught(() => compileSchema(schema));
    expect(error.code).toBe("too_large");
    expect(error.message).toContain(`${limit} (${limitsOf()[limit]})`);
    expect(() => compileSchema(schema, { limits: { [limit]: Infinity } })).not.toThrow();
  });

  it("that is no number refuses everything, and one that is undefined keeps its default", () => {
    expect(caught(() => compileSchema({}, { limits: { maxNodes: Number.NaN } })).code).toBe(
      "too_large",
    );
    const limits = JSON.parse("{}") as { maxBranches?: number };
    Object.assign(limits, { maxBranches: undefined });
    expect(caught(() => compileSchema({ anyOf: list(101, () => true) }, { limits })).message) //
      .toContain("maxBranches (100)");
  });

  it("holds for what one object is said to be in a thousand places", () => {
    let shared: unknown = { type: "string" };
    for (let level = 0; level < 30; level += 1) shared = { anyOf: [shared, shared] };
    expect(caught(() => compileSchema(shared)).code).toBe("too_large");
  });
});

describe.each(engines)("%s: a schema that stands for itself", (_engine, compileSchema) => {
  const self = { $ref: "#" };
  it.each<[string, unknown, string]>([
    ["at once", self, ""],
    ["in allOf", { allOf: [self] }, ""],
    ["in anyOf", { anyOf: [{ type: "null" }, self] }, ""],
    ["in oneOf", { oneOf: [self] }, ""],
    ["in not", { not: self }, ""],
    ["in if", { if: self }, ""],
    ["in then", JSON.parse('{"if":true,"then":{"$ref":"#"}}'), ""],
    ["in else", { if: true, else: self }, ""],
    ["in dependentSchemas", { dependentSchemas: { a: self } }, ""],
    ["in dependencies", { dependencies: { a: self } }, ""],
    [
      "through others",
      {
        properties: { x: { $ref: "#/$defs/a" } },
        $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: { $ref: "#/$defs/a" } },
      },
      "/$defs/a",
    ],
    ["by a name", { items: { $anchor: "me", allOf: [{ $ref: "#me" }] } }, "/items"],
  ])("%s is refused", (_, schema, path) => {
    expect(caught(() => compileSchema(schema))).toMatchObject({ code: "cyclic_ref", path });
  });

  it.each<[string, unknown]>([
    ["in properties", { properties: { a: self } }],
    ["in items", { items: self }],
    ["in propertyNames", { propertyNames: self }],
    ["in contains", { contains: { anyOf: [self, true] }, minContains: 0 }],
    ["in a definition nobody uses in place", { $defs: { a: { items: self } } }],
  ])("%s of another value is recursion", (_, schema) => {
    const compiled = compileSchema(schema);
    expect(compiled.validate({ a: { a: {} } }).ok).toBe(true);
    expect(compiled.validate([[[]]]).ok).toBe(true);
    expect(compiled.cheap).toBe(false);
  });
});

describe.each(engines)("%s: a cheap schema", (_engine, compileSchema) => {
  const thousand = list(1_000, String);
  const names = { required: thousand };
  const tuple = { prefixItems: list(90, () => true) };

  it.each<[string, unknown, boolean]>([
    ["nothing", {}, true],
    ["a boolean", true, true],
    ["no schema", null, true],
    ["plain arguments", { properties: { a: { type: "string", format: "uri" } } }, true],
    ["a union", { anyOf: [{ const: 1 }, { enum: [2, 3] }] }, true],
    ["a reference", { $ref: "#/$defs/a", $defs: { a: { type: "string" } } }, true],
    ["uniqueItems false", { uniqueItems: false }, true],
    ["a pattern", { properties: { a: { pattern: "^a" } } }, false],
    ["a pattern for names", { propertyNames: { pattern: "^a" } }, false],
    ["patternProperties", { patternProperties: { a: true } }, false],
    ["a pattern in not", { not: { pattern: "a" } }, false],
    ["uniqueItems", { items: { uniqueItems: true } }, false],
    ["recursion", { items: { $ref: "#" } }, false],
    ["many schemas", { properties: record(250, () => ({})) }, false],
    [
      "a schema reached often",
      {
        ...{ $defs: { a: { anyOf: list(60, () => ({})) } } },
        allOf: list(5, () => ({ items: { $ref: "#/$defs/a" } })),
      },
      false,
    ],
    ["a long enum", { enum: list(3_000, String) }, false],
    ["long lists of required names", { allOf: list(4, () => names) }, false],
    ["properties of any value", { properties: record(100, () => true) }, true],
    ["as many as it may have", { properties: record(1_000, () => true) }, false],
    ["a tuple of booleans in a union", { anyOf: list(3, () => tuple) }, false],
    ["unions of booleans", { anyOf: list(3, () => ({ oneOf: list(90, () => false) })) }, false],
    ["some dependencies", { dependentRequired: record(40, () => ["a", "b"]) }, true],
    ["dependentRequired with many names", { dependentRequired: record(2, () => thousand) }, true],
    ["with more", { dependentRequired: record(3, () => thousand) }, false],
    ["the same in dependencies", { dependencies: record(3, () => thousand) }, false],
    ["dependencies of many names", { dependencies: record(1_000, () => list(2, String)) }, false],
    ["dependentSchemas of booleans", { dependentSchemas: record(300, () => true) }, false],
    ["names like those of all objects", JSON.parse('{"dependentRequired":{"__proto__":[]}}'), true],
  ])("is or is not: %s", (_, schema, cheap) => {
    expect(compileSchema(schema).cheap).toBe(cheap);
  });

  it("is what nearly every real tool has", () => {
    const rows = JSON.parse(
      readFileSync(new URL("fixtures/real-tools.json", import.meta.url), "utf8"),
    ) as { tool: { inputSchema: unknown } }[];
    const cheap = rows.filter(({ tool }) => compileSchema(tool.inputSchema).cheap);
    expect(rows).toHaveLength(667);
    expect(cheap).toHaveLength(662);
  });
});

describe("weights", () => {
  const graph = (edges: Record<string, string>) => ({
    weight: () => 1,
    next: (node: string) => [...(edges[node] ?? "")],
  });

  it("count what is reached on two ways twice", () => {
    const { totals, cycle } = weigh("a", graph({ a: "bb", b: "cc" }));
    expect([totals.get("a"), totals.get("b"), totals.get("c"), cycle]).toEqual([
      7,
      3,
      1,
      undefined,
    ]);
  });

  it("end at a circle, wherever it begins", () => {
    expect(weigh("xa", graph({ x: "", a: "b", b: "cx", c: "b" })).cycle).toBe("b");
  });

  it("of a chain of 100,000 need no stack", () => {
    const next = (node: number) => (node < 100_000 ? [node + 1] : []);
    expect(weigh([0], { weight: () => 1, next }).totals.get(0)).toBe(100_001);
  });
});
