import { describe, expect, it } from "vitest";
import type { SchemaNote } from "../src/index.ts";
import { engines } from "./engines.ts";

const d4 = "http://json-schema.org/draft-04/schema#";
const d7 = "http://json-schema.org/draft-07/schema#";

interface Repaired {
  readonly name: string;
  readonly schema: unknown;
  readonly notes: readonly Pick<SchemaNote, "code" | "path">[];
  readonly accept: readonly unknown[];
  readonly reject: readonly unknown[];
}

const repaired: readonly Repaired[] = [
  {
    name: "a missing schema takes any object",
    schema: undefined,
    notes: [{ code: "missing_root", path: "" }],
    accept: [{}, { a: 1 }],
    reject: [5, [], null],
  },
  {
    name: "null as schema takes any object",
    schema: null,
    notes: [{ code: "missing_root", path: "" }],
    accept: [{}, { a: 1 }],
    reject: [5, [], null],
  },
  {
    name: "properties and required null",
    schema: { type: "object", properties: null, required: null },
    notes: [
      { code: "null_keyword", path: "/properties" },
      { code: "null_keyword", path: "/required" },
    ],
    accept: [{}, { a: 1 }],
    reject: [5],
  },
  {
    name: "properties null deep inside",
    schema: { properties: { a: { anyOf: [{ properties: null, type: "object" }] } } },
    notes: [{ code: "null_keyword", path: "/properties/a/anyOf/0/properties" }],
    accept: [{ a: {} }],
    reject: [{ a: 1 }],
  },
  {
    name: "an empty enum",
    schema: { properties: { a: { type: "string", enum: [] } } },
    notes: [{ code: "empty_enum", path: "/properties/a/enum" }],
    accept: [{}],
    reject: [{ a: "x" }, { a: 1 }],
  },
  {
    name: "an empty enum beside not",
    schema: { enum: [], not: { const: 1 } },
    notes: [{ code: "empty_enum", path: "/enum" }],
    accept: [],
    reject: [1, 2],
  },
  {
    name: "exclusiveMinimum true",
    schema: { minimum: 0, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: true },
    notes: [
      { code: "boolean_exclusive", path: "/exclusiveMinimum" },
      { code: "boolean_exclusive", path: "/exclusiveMaximum" },
    ],
    accept: [0.1, 4.9],
    reject: [0, -1, 5, 6],
  },
  {
    name: "exclusiveMinimum false",
    schema: { $schema: d4, minimum: 0, exclusiveMinimum: false },
    notes: [{ code: "boolean_exclusive", path: "/exclusiveMinimum" }],
    accept: [0, 1],
    reject: [-1],
  },
  {
    name: "exclusiveMaximum true without a maximum",
    schema: { exclusiveMaximum: true },
    notes: [{ code: "boolean_exclusive", path: "/exclusiveMaximum" }],
    accept: [0, 1e9],
    reject: [],
  },
  {
    name: "a tuple as it was written before 2020-12",
    schema: { items: [{ type: "string" }, { type: "number" }], additionalItems: false },
    notes: [{ code: "tuple_items", path: "/items" }],
    accept: [[], ["a"], ["a", 1]],
    reject: [[1], ["a", "b"], ["a", 1, 2]],
  },
  {
    name: "an open tuple",
    schema: { items: [{ type: "string" }] },
    notes: [{ code: "tuple_items", path: "/items" }],
    accept: [["a", 1, {}]],
    reject: [[1]],
  },
  {
    name: "a tuple of nothing",
    schema: { items: [], additionalItems: { type: "string" } },
    notes: [{ code: "tuple_items", path: "/items" }],
    accept: [[], ["a"]],
    reject: [[1]],
  },
  {
    name: "a pattern that is legal only without u",
    schema: { properties: { hook: { pattern: "^wss\\:\\/\\/" } } },
    notes: [{ code: "pattern_without_u", path: "/properties/hook/pattern" }],
    accept: [{ hook: "wss://h" }],
    reject: [{ hook: "http://h" }],
  },
  {
    name: "a class with a dash",
    schema: {
      patternProperties: { "^[\\w-.]+$": { type: "number" } },
      additionalProperties: false,
    },
    notes: [{ code: "pattern_without_u", path: "/patternProperties/^[\\w-.]+$" }],
    accept: [{ "a-b.c": 1 }],
    reject: [{ "a-b.c": "" }, { "a b": 1 }],
  },
  {
    name: "patterns of both kinds in one schema",
    schema: { allOf: [{ pattern: "^\\:" }, { pattern: "\\p{Letter}$" }] },
    notes: [{ code: "pattern_without_u", path: "/allOf/0/pattern" }],
    accept: [":é"],
    reject: ["é", ":1"],
  },
  {
    name: "siblings of $ref in draft-07",
    schema: {
      $schema: d7,
      properties: {
        a: { $ref: "#/definitions/s", description: "d", default: "x" },
        b: { $ref: "#/definitions/s", maxLength: 1, $id: "https://h.example/other" },
      },
      definitions: { s: { type: "string" } },
    },
    notes: [{ code: "ref_siblings", path: "/properties/b/$ref" }],
    accept: [{ a: "long", b: "long" }],
    reject: [{ a: 1 }, { b: 1 }],
  },
  {
    name: "a $ref into the siblings of a $ref in draft-07",
    schema: {
      $schema: d7,
      $ref: "#/definitions/top",
      definitions: { top: { properties: { a: { $ref: "#/properties/x" } } } },
      properties: { x: { type: "string" } },
    },
    notes: [{ code: "ref_siblings", path: "/$ref" }],
    accept: [{ a: "s" }, { x: 1 }],
    reject: [{ a: 1 }],
  },
  {
    name: "nullable, as in OpenAPI",
    schema: { properties: { a: { type: "string", nullable: true }, b: { nullable: true } } },
    notes: [{ code: "nullable", path: "/properties/a/nullable" }],
    accept: [{ a: null }, { a: "x" }, { b: 5 }],
    reject: [{ a: 1 }],
  },
  {
    name: "nullable that says nothing new",
    schema: {
      anyOf: [
        { type: ["null", "string"], nullable: false },
        { nullable: false, const: 1 },
      ],
    },
    notes: [],
    accept: [null, "s", 1],
    reject: [2],
  },
  {
    name: "$async, which would turn every verdict into a promise",
    schema: { $async: true, type: "object", properties: { a: { $async: true, type: "string" } } },
    notes: [],
    accept: [{}, { a: "x" }],
    reject: [5, { a: 1 }],
  },
  {
    name: "id, which is a keyword of draft-04 only",
    schema: { id: "tool-7", type: "object", properties: { id: { type: "string" } } },
    notes: [],
    accept: [{ id: "x" }],
    reject: [{ id: 1 }],
  },
  {
    name: "a property called __proto__",
    schema: JSON.parse(
      '{"properties":{"__proto__":{"type":"integer"},"a":true},"additionalProperties":false}',
    ),
    notes: [],
    accept: [{}, { a: 1 }, JSON.parse('{"__proto__":3}')],
    reject: [JSON.parse('{"__proto__":"3"}'), { b: 1 }],
  },
  {
    name: "a pattern of properties that is __proto__",
    schema: JSON.parse('{"patternProperties":{"__proto__":{"type":"integer"}}}'),
    notes: [],
    accept: [{}, JSON.parse('{"__proto__":3,"a":"x"}')],
    reject: [JSON.parse('{"__proto__":"3"}'), { a__proto__b: "x" }],
  },
  {
    name: "__proto__ as property beside its own pattern",
    schema: JSON.parse(
      '{"properties":{"__proto__":{"minimum":3}},"patternProperties":{"^__proto__$":{"maximum":5}}}',
    ),
    notes: [],
    accept: [JSON.parse('{"__proto__":4}')],
    reject: [JSON.parse('{"__proto__":2}'), JSON.parse('{"__proto__":6}')],
  },
];

describe.each(engines)("%s: a repair", (_engine, compileSchema) => {
  it.each(repaired)("of $name", ({ schema, notes, accept, reject }) => {
    const before = JSON.stringify(schema);
    const compiled = compileSchema(schema);
    expect(compiled.notes.map(({ code, path }) => ({ code, path }))).toEqual(notes);
    for (const { message } of compiled.notes) expect(message.length).toBeGreaterThan(10);
    for (const value of accept) {
      expect(compiled.validate(value), JSON.stringify(value)).toEqual({ ok: true });
    }
    for (const value of reject) {
      expect(compiled.validate(value).ok, JSON.stringify(value)).toBe(false);
    }
    expect(JSON.stringify(schema)).toBe(before);
  });

  it("says what it did", () => {
    const { notes } = compileSchema({ minimum: 0, exclusiveMinimum: true, required: null });
    expect(notes).toEqual([
      { code: "null_keyword", path: "/required", message: "required is null and counts as absent" },
      {
        code: "boolean_exclusive",
        path: "/exclusiveMinimum",
        message: "exclusiveMinimum is a boolean, as in draft-04: minimum excludes its bound",
      },
    ]);
  });

  it("reaches what only a $ref says is a schema", () => {
    const { validate, notes } = compileSchema({
      $ref: "#/components/schemas/Pet",
      components: { schemas: { Pet: { type: "object", properties: null, $async: true } } },
    });
    expect(notes.map(({ path }) => path)).toEqual(["/components/schemas/Pet/properties"]);
    expect(validate({}).ok).toBe(true);
    expect(validate(5).ok).toBe(false);
  });

  it("leaves data alone that looks like a schema", () => {
    const data = { properties: null, $async: true, id: 1, nullable: true, enum: [] };
    const { validate, notes } = compileSchema({ const: data, default: data, examples: [data] });
    expect(notes).toEqual([]);
    expect(validate(structuredClone(data)).ok).toBe(true);
    expect(validate({}).ok).toBe(false);
  });
});
