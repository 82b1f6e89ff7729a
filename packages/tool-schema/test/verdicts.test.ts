import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Dialect } from "../src/index.ts";
import { engines } from "./engines.ts";

interface Case {
  readonly id: string;
  readonly inputSchema: unknown;
  readonly compileFirst?: readonly unknown[];
  readonly accept: readonly unknown[];
  readonly reject: readonly unknown[];
  readonly either?: readonly unknown[];
  readonly unresolvable?: boolean;
}

const cases = JSON.parse(
  readFileSync(new URL("fixtures/schemas.json", import.meta.url), "utf8"),
) as readonly Case[];

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** That MCP arguments are an object is for the caller to see to. */
const notJudged: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ["schema-09-only-dialect", (value: unknown) => !isObject(value)],
]);

describe.each(engines)("%s: the schemas that broke other bridges", (_engine, compileSchema) => {
  it("are all here", () => {
    expect(cases).toHaveLength(28);
  });

  it.each(cases.filter(({ unresolvable }) => unresolvable !== true))("$id", (each) => {
    const { id, inputSchema, compileFirst = [], accept, reject, either = [] } = each;
    const before = JSON.stringify([inputSchema, accept, reject]);
    const isJudged = (value: unknown): boolean => notJudged.get(id)?.(value) !== true;
    for (const schema of compileFirst) compileSchema(schema).validate({});
    const { validate } = compileSchema(inputSchema);
    for (const value of accept)
      expect(validate(value), JSON.stringify(value)).toEqual({ ok: true });
    for (const value of reject.filter(isJudged)) {
      expect(validate(value).ok, JSON.stringify(value)).toBe(false);
    }
    for (const value of either.filter((each) => isJudged(each) && id !== "schema-27-redos")) {
      expect(() => validate(value)).not.toThrow();
    }
    expect(JSON.stringify([inputSchema, accept, reject])).toBe(before);
  });

  it("a reference to the network is refused and never followed (schema-23)", () => {
    const remote = cases.find(({ unresolvable }) => unresolvable === true);
    expect(() => compileSchema(remote?.inputSchema)).toThrowError(
      expect.objectContaining({ code: "unresolved_ref", path: "/properties/x/$ref" }),
    );
  });

  it("a pattern that would take for ever is stopped (schema-27)", () => {
    const redos = cases.find(({ id }) => id === "schema-27-redos");
    const { validate } = compileSchema(redos?.inputSchema);
    const start = performance.now();
    expect(() => validate(redos?.either?.[0])).toThrowError(
      expect.objectContaining({ name: "ToolSchemaError", code: "timeout" }),
    );
    expect(performance.now() - start).toBeLessThan(1_500);
  });

  it("a property called __proto__ is checked like any other (schema-15)", () => {
    const proto = cases.find(({ id }) => id === "schema-15-proto");
    const { validate } = compileSchema(proto?.inputSchema);
    expect(validate(JSON.parse('{"__proto__":"3"}')).ok).toBe(false);
  });
});

const d7 = "http://json-schema.org/draft-07/schema#";
const d2019 = "https://json-schema.org/draft/2019-09/schema";

/** keyword, schema, values that fit, values that do not */
const keywords: readonly [string, unknown, readonly unknown[], readonly unknown[]][] = [
  ["true", true, [1, null, {}], []],
  ["false", false, [], [1, null, {}]],
  ["nothing", {}, [1, null, {}, []], []],
  ["type integer", { type: "integer" }, [0, -1, 1.0, 2 ** 60], [1.5, "1", true, null]],
  ["type number", { type: "number" }, [0, 1.5], ["1", Number.NaN, Number.POSITIVE_INFINITY]],
  ["type boolean", { type: "boolean" }, [true, false], [0, 1, "true", null]],
  ["type null", { type: "null" }, [null], [0, "", false, {}]],
  ["type array", { type: "array" }, [[]], [{}, "[]"]],
  ["type object", { type: "object" }, [{}], [[], null, "{}"]],
  ["types", { type: ["string", "null"] }, ["", null], [0, {}]],
  ["const", { const: { a: [1] } }, [{ a: [1] }], [{ a: [1, 2] }, { a: ["1"] }, {}]],
  ["const null", { const: null }, [null], [0, false, ""]],
  ["const 0", { const: 0 }, [0, -0], [false, null, ""]],
  ["enum", { enum: [1, "a", null, [], { b: 1 }] }, [1, "a", null, [], { b: 1 }], ["1", true, {}]],
  ["minimum", { minimum: 1 }, [1, 2, "0"], [0.99]],
  ["exclusive bounds", { exclusiveMinimum: 0, exclusiveMaximum: 2 }, [1], [0, 2]],
  ["multipleOf", { multipleOf: 0.1 }, [0.3, 0.7, 1, 19.9], [0.35, 1.05]],
  ["multipleOf 5", { multipleOf: 5 }, [0, -10, 25], [3, 5.5]],
  ["minLength counts characters", { minLength: 2 }, ["ab", "🚢🚢"], ["a", "🚢"]],
  ["maxLength counts characters", { maxLength: 1 }, ["", "🚢"], ["ab"]],
  ["pattern is not anchored", { pattern: "b+" }, ["abba", 5], ["aca"]],
  ["pattern with u", { pattern: "^\\p{Letter}+$" }, ["été", "日本"], ["a1"]],
  ["items", { items: { type: "string" } }, [[], ["a"], "no array"], [[1]]],
  [
    "prefixItems",
    { prefixItems: [{ type: "string" }], items: false },
    [[], ["a"]],
    [[1], ["a", 1]],
  ],
  ["contains", { contains: { const: 1 } }, [[0, 1]], [[], [0]]],
  ["minContains 0", { contains: { const: 1 }, minContains: 0 }, [[], [0]], []],
  ["maxContains", { contains: { const: 1 }, maxContains: 1 }, [[1, 0]], [[1, 1], []]],
  [
    "uniqueItems",
    { uniqueItems: true },
    [[1, "1", [1], [[1]]]],
    [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
  ],
  ["required", { required: ["a"] }, [{ a: null }, []], [{}, { a: undefined }]],
  [
    "required names of Object",
    { required: ["toString", "constructor"] },
    [{ toString: 1, constructor: 2 }],
    [{}, { toString: 1 }],
  ],
  ["required __proto__", { required: ["__proto__"] }, [JSON.parse('{"__proto__":1}')], [{}]],
  [
    "properties",
    { properties: { a: { type: "string" }, toString: { type: "string" } } },
    [{}, { a: "" }, { b: 1 }],
    [{ a: 1 }, { toString: 1 }],
  ],
  [
    "additionalProperties",
    { properties: { a: true }, patternProperties: { "^x": true }, additionalProperties: false },
    [{}, { a: 1, x1: 1 }],
    [{ b: 1 }, { constructor: 1 }, JSON.parse('{"__proto__":1}')],
  ],
  [
    "additionalProperties by schema",
    { additionalProperties: { type: "string" } },
    [{ a: "" }],
    [{ a: 1 }],
  ],
  [
    "patternProperties",
    { patternProperties: { "^n": { type: "number" } } },
    [{ n1: 1, s: "" }],
    [{ n: "" }],
  ],
  ["propertyNames", { propertyNames: { maxLength: 2 } }, [{ ab: 1 }], [{ abc: 1 }]],
  ["minProperties", { minProperties: 1, maxProperties: 2 }, [{ a: 1 }], [{}, { a: 1, b: 2, c: 3 }]],
  [
    "dependentRequired",
    { dependentRequired: { a: ["b"] } },
    [{}, { b: 1 }, { a: 1, b: 1 }],
    [{ a: 1 }],
  ],
  [
    "dependentSchemas",
    { dependentSchemas: { a: { minProperties: 2 } } },
    [{ b: 1 }, { a: 1, b: 1 }],
    [{ a: 1 }],
  ],
  ["allOf", { allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1, 2], [0, 3]],
  ["anyOf", { anyOf: [{ const: 1 }, { const: 2 }] }, [1, 2], [3]],
  ["oneOf", { oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }] }, [2, 3], [5, 6]],
  ["not", { not: { type: "string" } }, [1], [""]],
  ["if", JSON.parse('{"if":{"const":1},"then":true,"else":{"type":"string"}}'), [1, ""], [2]],
  ["if alone", { if: { const: 1 } }, [1, 2], []],
  ["then alone", JSON.parse('{"then":{"const":1}}'), [1, 2], []],
  [
    "unevaluatedProperties",
    { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
    [{ a: 1 }],
    [{ b: 1 }],
  ],
  ["unevaluatedItems", { prefixItems: [true], unevaluatedItems: false }, [[1]], [[1, 2]]],
  ["$ref", { $ref: "#/$defs/a", $defs: { a: { type: "string" } } }, ["x"], [1]],
  [
    "$ref and its siblings",
    { $ref: "#/$defs/a", minLength: 2, $defs: { a: { type: "string" } } },
    ["ab"],
    [1, "a"],
  ],
  [
    "$ref to a name of its own",
    { $ref: "#me", $defs: { x: { $anchor: "me", type: "string" } } },
    ["x"],
    [1],
  ],
  [
    "$ref by pointer from the nearest $id",
    {
      $id: "https://h.example/root",
      $ref: "#/$defs/y",
      $defs: {
        x: { type: "number" },
        y: {
          $id: "inner",
          properties: { a: { $ref: "#/$defs/x" }, b: { $ref: "#me" }, c: { $ref: "#" } },
          $defs: { x: { $anchor: "me", type: "string" } },
        },
      },
    },
    [{ a: "s", b: "s", c: { a: "s" } }],
    [{ a: 1 }, { b: 1 }, { c: { a: 1 } }],
  ],
  [
    "the same $id twice",
    { $defs: { a: { $id: "same" }, b: { $id: "same", type: "string" } }, $ref: "#/$defs/b" },
    ["x"],
    [1],
  ],
  [
    "$ref to itself",
    { properties: { next: { $ref: "#" } }, additionalProperties: false },
    [{ next: { next: {} } }],
    [{ next: { last: 1 } }],
  ],
  ["$ref to a boolean", { $ref: "#/$defs/never", $defs: { never: false } }, [], [1]],
  [
    "$ref with escapes",
    { $ref: "#/$defs/a~1b~0c%25d", $defs: { "a/b~c%d": { const: 1 } } },
    [1],
    [2],
  ],
  [
    "$ref to what is no place for a schema",
    { $ref: "#/x-parts/0", "x-parts": [{ type: "string" }] },
    ["x"],
    [1],
  ],
  [
    "a property called $ref",
    { properties: { $ref: { type: "string" } } },
    [{ $ref: "x" }],
    [{ $ref: 1 }],
  ],
  ["keywords nobody knows", { "x-foo": { $ref: 5 }, foo: null, $comment: "c" }, [1], []],
  [
    "a default is no value",
    { properties: { a: { default: 1 } }, required: ["a"] },
    [{ a: 2 }],
    [{}],
  ],
  [
    "draft-07: items as a tuple",
    { $schema: d7, items: [{ type: "string" }], additionalItems: false },
    [["a"]],
    [[1], ["a", 1]],
  ],
  [
    "draft-07: dependencies",
    { $schema: d7, dependencies: { a: ["b"], c: { minProperties: 2 } } },
    [{ a: 1, b: 1 }],
    [{ a: 1 }, { c: 1 }],
  ],
  ["draft-07: no prefixItems", { $schema: d7, prefixItems: [{ type: "string" }] }, [[1]], []],
  [
    "draft-07: no dependentRequired",
    { $schema: d7, dependentRequired: { a: ["b"] } },
    [{ a: 1 }],
    [],
  ],
  [
    "draft-07: $ref alone counts",
    { $schema: d7, $ref: "#/definitions/a", minLength: 2, definitions: { a: { type: "string" } } },
    ["a"],
    [1],
  ],
  [
    "draft-07: $ref by $id as a name",
    { $schema: d7, $ref: "#me", definitions: { x: { $id: "#me", type: "string" } } },
    ["x"],
    [1],
  ],
  [
    "2019-09: items as a tuple",
    { $schema: d2019, items: [{ type: "string" }], additionalItems: false },
    [["a"]],
    [[1], ["a", 1]],
  ],
  [
    "2019-09: dependentRequired",
    { $schema: d2019, dependentRequired: { a: ["b"] } },
    [{}],
    [{ a: 1 }],
  ],
  [
    "2019-09: unevaluatedProperties",
    { $schema: d2019, properties: { a: true }, unevaluatedProperties: false },
    [{ a: 1 }],
    [{ b: 1 }],
  ],
  ["2019-09: no prefixItems", { $schema: d2019, prefixItems: [{ type: "string" }] }, [[1]], []],
];

describe.each(engines)("%s: keywords", (_engine, compileSchema) => {
  it.each(keywords)("%s", (_, schema, fitting, unfit) => {
    const { validate } = compileSchema(schema);
    for (const value of fitting)
      expect(validate(value), JSON.stringify(value)).toEqual({ ok: true });
    for (const value of unfit) expect(validate(value).ok, JSON.stringify(value)).toBe(false);
  });
});

describe.each(engines)("%s: formats", (_engine, compileSchema) => {
  it.each<[string, readonly string[], readonly string[]]>([
    [
      "date-time",
      ["2024-01-05T10:00:00Z", "2024-01-05t10:00:00.5+02:00"],
      ["2024-01-05", "2024-13-05T10:00:00Z", "now"],
    ],
    ["date", ["2024-02-29"], ["2023-02-29", "2024-1-5", ""]],
    ["time", ["10:00:00Z", "23:59:60Z"], ["10:00", "25:00:00Z"]],
    ["duration", ["P1D", "PT0.5S".replace("0.5", "5"), "P3W"], ["1D", "P", "PT"]],
    ["email", ["a@b.example"], ["a", "a@", "@b.example"]],
    ["uri", ["https://h.example/x?y#z", "urn:x:y"], ["h.example/x", "//h", ""]],
    [
      "uuid",
      ["123e4567-e89b-12d3-a456-426614174000"],
      ["123e4567", "123e4567e89b12d3a456426614174000"],
    ],
    ["ipv4", ["192.0.2.1"], ["192.0.2", "256.0.0.1", "192.0.02.1"]],
    ["ipv6", ["::1", "2001:db8::1"], ["1", "::g", "12345::"]],
  ])("%s is asserted, of strings only, unless formats are off", (format, fitting, unfit) => {
    const { validate } = compileSchema({ format });
    const lax = compileSchema({ format }, { formats: false }).validate;
    for (const value of fitting) expect(validate(value).ok, value).toBe(true);
    for (const value of unfit) {
      expect(validate(value).ok, value).toBe(false);
      expect(lax(value).ok, value).toBe(true);
    }
    for (const value of [5, null, true, [], {}]) expect(validate(value).ok).toBe(true);
  });

  it.each([
    "hostname",
    "regex",
    "json-pointer",
    "uri-reference",
    "int32",
    "google-duration",
    "binary",
    "",
    "__proto__",
    "constructor",
    "toString",
    "valueOf",
  ])("%s is an annotation", (format) => {
    const { validate, notes } = compileSchema({ properties: { a: { format } } });
    expect(validate({ a: "\u0000 anything" })).toEqual({ ok: true });
    expect(notes).toEqual([]);
  });
});

describe.each(engines)("%s: the dialect", (_engine, compileSchema) => {
  it.each<[unknown, Dialect]>([
    [undefined, "2020-12"],
    [null, "2020-12"],
    ["https://json-schema.org/draft/2020-12/schema", "2020-12"],
    ["https://json-schema.org/draft/2020-12/schema#", "2020-12"],
    ["http://json-schema.org/draft/2020-12/schema", "2020-12"],
    ["http://json-schema.org/schema#", "2020-12"],
    ["https://json-schema.org/draft/2019-09/schema", "2019-09"],
    ["http://json-schema.org/draft-07/schema#", "draft-07"],
    ["http://json-schema.org/draft-07/schema", "draft-07"],
    ["https://json-schema.org/draft-07/schema#", "draft-07"],
    [" http://json-schema.org/draft-07/schema# ", "draft-07"],
    ["http://json-schema.org/draft-06/schema#", "draft-07"],
    ["http://json-schema.org/draft-04/schema#", "draft-07"],
  ])("of $schema %j is %s", ($schema, dialect) => {
    const compiled = compileSchema({ $schema, type: "object" });
    expect(compiled.dialect).toBe(dialect);
    expect(compiled.validate({}).ok).toBe(true);
    expect(compiled.validate([]).ok).toBe(false);
  });

  it.each([
    "http://json-schema.org/draft-03/schema#",
    "http://json-schema.org/draft-08/schema#",
    "https://schema.example/mine",
    "https://evil.example/?json-schema.org/draft-07/schema",
    "file:///etc/passwd",
    "draft-07",
    "",
    "__proto__",
    "x".repeat(10_000),
  ])("is refused when $schema is %s", ($schema) => {
    expect(() => compileSchema({ $schema })).toThrowError(
      expect.objectContaining({
        name: "ToolSchemaError",
        code: "unsupported_dialect",
        path: "/$schema",
        message: `the dialect ${JSON.stringify($schema.slice(0, 100))} is not supported`,
      }),
    );
  });

  it.each([5, {}, ["x"], true])("is refused when $schema is %j", ($schema) => {
    expect(() => compileSchema({ $schema })).toThrowError(
      expect.objectContaining({ code: "invalid_schema", path: "/$schema" }),
    );
  });

  it("of one schema says nothing about the next", () => {
    const tuple = { type: "array", items: [{ type: "string" }] };
    expect(compileSchema({ $schema: d7, ...tuple }).notes).toEqual([]);
    expect(compileSchema(tuple).notes).toHaveLength(1);
    expect(compileSchema({ $schema: d7, ...tuple }).validate([1]).ok).toBe(false);
  });
});

describe.each(engines)(
  "%s: a reference to what is no schema elsewhere",
  (_engine, compileSchema) => {
    const data = { type: "string", nullable: true, id: "x", properties: null, enum: ["a"] };

    it.each<[string, unknown, readonly unknown[], readonly unknown[]]>([
      [
        "the value of const, which stays as it is",
        { properties: { a: { const: data }, b: { $ref: "#/properties/a/const" } } },
        [{ a: data }, { b: "a" }, { a: data, b: "a" }],
        [{ a: { ...data, id: "y" } }, { a: "a" }, { b: "b" }, { b: 1 }],
      ],
      [
        "a member of enum",
        { enum: [data, "x"], $defs: { b: { $ref: "#/enum/0" } } },
        [data, "x"],
        ["a", { ...data, properties: {} }, { type: "string", enum: ["a"] }],
      ],
      [
        "a default",
        { properties: { a: { default: data }, b: { $ref: "#/properties/a/default" } } },
        [{ a: 1, b: "a" }],
        [{ b: "b" }],
      ],
      [
        "the map of properties, one of which has a name that is repaired in schemas",
        { properties: { id: { type: "number" }, b: { $ref: "#/properties" } } },
        [{ id: 1, b: 5 }, { b: {} }],
        [{ id: "x" }],
      ],
      [
        "the map of definitions, which holds itself",
        {
          $ref: "#/$defs",
          $defs: { items: { $ref: "#/$defs" }, not: { type: "string" } },
        },
        [[], [[1], 2], {}],
        ["x", ["x"], [[["x"]]]],
      ],
      [
        "a boolean that is no schema",
        {
          properties: {
            a: { uniqueItems: true, minItems: 2 },
            b: { $ref: "#/properties/a/uniqueItems" },
          },
        },
        [{ b: 1 }, { a: [1, 2] }],
        [{ a: [1, 1] }],
      ],
      [
        "a tuple of old, by its old place",
        {
          items: [{ type: "string" }],
          $defs: { a: { $ref: "#/items/0" } },
          contains: { $ref: "#/$defs/a" },
        },
        [["a"], ["a", 1]],
        [[1], []],
      ],
      [
        "a place that a server named like our copies",
        {
          $defs: { "#/const": { type: "number" } },
          properties: { a: { $ref: "#/x" }, b: { $ref: "#/$defs/%23~1const" } },
          x: { type: "string" },
        },
        [{ a: "x", b: 1 }],
        [{ a: 1 }, { b: "x" }],
      ],
    ])("%s", (_, schema, fitting, unfit) => {
      const before = JSON.stringify(schema);
      const { validate } = compileSchema(schema);
      for (const value of fitting)
        expect(validate(value), JSON.stringify(value)).toEqual({ ok: true });
      for (const value of unfit) expect(validate(value).ok, JSON.stringify(value)).toBe(false);
      expect(JSON.stringify(schema)).toBe(before);
    });

    it("is refused where it says nothing sound, at the place it was written", () => {
      const schema = { const: { type: "no type" }, $defs: { a: { $ref: "#/const" } } };
      expect(() => compileSchema(schema)).toThrowError(
        expect.objectContaining({ code: "invalid_schema", path: "/const/type" }),
      );
    });

    it("costs what it makes: many references into one large value are too large", () => {
      const large = { a: Array.from({ length: 900 }, (_, n) => n) };
      const list = Array.from({ length: 40 }, (_, n) => ({ $ref: `#/examples/${n}` }));
      const schema = { examples: Array.from({ length: 40 }, () => large), anyOf: list };
      const limits = { maxNodes: 37_000 };
      expect(compileSchema(schema, { limits: { maxNodes: 80_000 } }).validate(1).ok).toBe(true);
      expect(() =>
        compileSchema(
          { ...schema, default: { a: schema.examples }, $defs: { d: { $ref: "#/default/a/0" } } },
          { limits },
        ),
      ).toThrowError(expect.objectContaining({ code: "too_large" }));
    });
  },
);

describe.each(engines)("%s: what is left unevaluated", (_engine, compileSchema) => {
  it.each<[string, unknown, readonly unknown[], readonly unknown[]]>([
    [
      "is seen through every branch that fits, and no other",
      {
        anyOf: [
          { properties: { a: { const: 1 } }, required: ["a"] },
          { properties: { b: { const: 2 } }, required: ["b"] },
        ],
        unevaluatedProperties: false,
      },
      [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }],
      [{ a: 1, b: 3 }, { a: 1, c: 1 }, {}],
    ],
    [
      "is not what a neighbour evaluated",
      { allOf: [{ properties: { a: true } }, { unevaluatedProperties: false }] },
      [{}],
      [{ a: 1 }],
    ],
    [
      "is seen through references, conditions and dependent schemas",
      {
        $ref: "#/$defs/a",
        if: { properties: { kind: { const: "b" } }, required: ["kind"] },
        ...JSON.parse('{ "then": { "properties": { "b": true } } }'),
        else: { properties: { c: true } },
        dependentSchemas: { x: { properties: { x: true, y: true } } },
        unevaluatedProperties: false,
        $defs: { a: { properties: { a: true } } },
      },
      [{ a: 1 }, { kind: "b", b: 1 }, { c: 1 }, { x: 1, y: 1 }],
      [{ kind: "b", c: 1 }, { b: 1 }, { kind: "c", c: 1 }, { y: 1 }],
    ],
    [
      "is not what not tried",
      { not: { properties: { a: { const: 1 } }, required: ["b"] }, unevaluatedProperties: false },
      [{}],
      [{ a: 2 }],
    ],
    [
      "counts items that contains took",
      { prefixItems: [true], contains: { type: "string" }, unevaluatedItems: { type: "number" } },
      [[null, "a", 1], ["a"]],
      [
        [null, "a", null],
        [null, 1],
      ],
    ],
    [
      "has a schema of its own",
      { properties: { a: true }, unevaluatedProperties: { type: "number" } },
      [{ a: "x", b: 1 }],
      [{ b: "x" }],
    ],
    [
      "counts no contains before 2020-12",
      {
        $schema: "https://json-schema.org/draft/2019-09/schema",
        contains: { type: "string" },
        unevaluatedItems: { type: "number" },
      },
      [],
      [["a"], ["a", 1], [1]],
    ],
    [
      "means nothing in draft-07",
      { $schema: "http://json-schema.org/draft-07/schema#", unevaluatedProperties: false },
      [{ a: 1 }],
      [],
    ],
  ])("%s", (_, schema, fitting, unfit) => {
    const { validate } = compileSchema(schema);
    for (const value of fitting)
      expect(validate(value), JSON.stringify(value)).toEqual({ ok: true });
    for (const value of unfit) expect(validate(value).ok, JSON.stringify(value)).toBe(false);
  });
});

describe.each(engines)("%s: a list after another one", (_engine, compileSchema) => {
  it.each<[string, unknown, unknown, boolean]>([
    [
      "holds what contains asks for by itself",
      { contains: { type: "string" } },
      [["a"], []],
      false,
    ],
    [
      "holds it as often as asked for",
      { contains: { type: "string" }, minContains: 2 },
      [["a", "b"], ["a"]],
      false,
    ],
    [
      "is judged on where the tuple is empty",
      { prefixItems: [{ type: "string" }], contains: { const: "a" } },
      [["a"], []],
      false,
    ],
    ["may be empty", { prefixItems: [{ type: "string" }], uniqueItems: true }, [["a"], []], true],
  ])("%s", (_, items, value, fits) => {
    expect(compileSchema({ items }).validate(value).ok).toBe(fits);
    expect(compileSchema({ properties: { a: { items } } }).validate({ a: value }).ok).toBe(fits);
  });
});
