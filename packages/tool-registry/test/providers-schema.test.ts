import { describe, expect, expectTypeOf, it } from "vitest";
import { defineTool, type JsonSchema, modelTools, ToolRegistry } from "../src/index.ts";
import { langChainSchema, type ObjectSchema, objectSchema, openAITools } from "../src/providers.ts";
import realInputSchemas from "./fixtures/real-input-schemas.json" with { type: "json" };
import { Random } from "./random.ts";

const text = { type: "string" };
const number = { type: "number" };

/** What the providers are known to refuse, read by a second hand. */
function refusals(schema: unknown): string[] {
  const root = Object(schema);
  const found = ["anyOf", "oneOf", "allOf", "not", "enum", "$ref"].filter((word) => word in root);
  if (root.type !== "object") found.push("type");
  if (Object.prototype.toString.call(root.properties) !== "[object Object]")
    found.push("properties");
  if (root.required?.some((name: unknown) => typeof name !== "string")) found.push("required");
  return found;
}

/** JSON of a schema with the sorts of keywords at random that a root may have. */
function randomRoot(random: Random, depth = 2): Record<string, unknown> {
  const deeper = (): Record<string, unknown> => (depth === 0 ? {} : randomRoot(random, depth - 1));
  const any = (...from: readonly [unknown, ...unknown[]]): unknown => random.pick<unknown>(from);
  const list = (): unknown => any([deeper(), deeper()], [], null, [1, [], deeper()], "x");
  const named = (): unknown => any({ a: deeper(), ["__proto__"]: deeper() }, [], null, { a: true });
  const makers: [string, () => unknown][] = [
    ["type", () => any("object", "array", "string", ["object", "array"], null)],
    ["properties", named],
    ["required", () => any(["a"], ["a", "b", "a"], "a", [1, "a"], [], true)],
    ["anyOf", list],
    ["oneOf", list],
    ["allOf", list],
    ["not", deeper],
    ["enum", () => [{}, 1]],
    ["$ref", () => any("#", "#/$defs/a", "#/definitions/b", "#/$defs/none", 7, "https://e")],
    ["$defs", named],
    ["definitions", named],
    ["items", () => any(deeper(), [deeper()], false)],
    ["description", () => "says"],
  ];
  return Object.fromEntries(random.some(makers, 0.4).map(([key, make]) => [key, make()]));
}

describe("objectSchema", () => {
  it("changes 10 of 667 real schemas: 9 without an object root, 1 with an array without items", () => {
    const before = JSON.stringify(realInputSchemas);
    const schemas: readonly JsonSchema[] = realInputSchemas;
    const changed = schemas.filter((schema) => {
      const made = objectSchema(schema);
      expect(refusals(made)).toEqual([]);
      return JSON.stringify(made) !== JSON.stringify(schema);
    });
    expect(schemas).toHaveLength(667);
    expect(changed).toHaveLength(10);
    expect(changed.filter((schema) => refusals(schema).length === 0)).toHaveLength(1);
    expect(JSON.stringify(realInputSchemas)).toBe(before);
  });

  const base = { type: "object", properties: { text }, required: ["text"] };

  it.each<[what: string, schema: JsonSchema, made: JsonSchema]>([
    ["nothing", {}, { type: "object", properties: {} }],
    ["no properties", { type: "object" }, { type: "object", properties: {} }],
    ["no type", { properties: { text } }, { type: "object", properties: { text } }],
    ["two types", { type: ["object", "null"] }, { type: "object", properties: {} }],
    [
      "another type",
      { type: "string", minLength: 1 },
      { type: "object", minLength: 1, properties: {} },
    ],
    [
      "null for properties",
      { type: "object", properties: null },
      { type: "object", properties: {} },
    ],
    [
      "a list for properties",
      { type: "object", properties: [text] },
      { type: "object", properties: {} },
    ],
    ["null for required", { ...base, required: null }, { type: "object", properties: { text } }],
    ["a wrong name in required", { ...base, required: [7, "text"] }, base],
    [
      "one of two",
      {
        type: "object",
        oneOf: [
          { properties: { kind: { const: "a" }, text }, required: ["kind", "text"] },
          { properties: { kind: { const: "b" }, number }, required: ["kind"] },
        ],
      },
      {
        type: "object",
        properties: { kind: { anyOf: [{ const: "a" }, { const: "b" }] }, text, number },
        required: ["kind"],
      },
    ],
    [
      "a property that root and branches describe alike",
      { properties: { text }, anyOf: [base, { ...base, required: [] }] },
      { type: "object", properties: { text } },
    ],
    [
      "a choice of what is required",
      {
        type: "object",
        properties: { text, number },
        anyOf: [{ required: ["text"] }, { required: ["number"] }],
      },
      { type: "object", properties: { text, number } },
    ],
    [
      "a branch that may be anything beside one that requires",
      { anyOf: [base, true] },
      { type: "object", properties: { text } },
    ],
    [
      "all of two, one by reference",
      {
        allOf: [{ $ref: "#/$defs/base" }, { properties: { number }, required: ["number"] }],
        $defs: { base },
      },
      {
        $defs: { base },
        type: "object",
        properties: { text, number },
        required: ["text", "number"],
      },
    ],
    [
      "its own required before that of branches, each name once",
      { ...base, required: ["x", "text"], allOf: [base] },
      { ...base, required: ["x", "text"] },
    ],
    [
      "a reference",
      { $ref: "#/definitions/Args", definitions: { Args: base } },
      { definitions: { Args: base }, ...base },
    ],
    [
      "a reference with an encoded name",
      { $ref: "#/$defs/A%20B", $defs: { "A B": base } },
      { $defs: { "A B": base }, ...base },
    ],
    [
      "references with a slash, a tilde and a percent sign in the name",
      {
        allOf: [
          { $ref: "#/definitions/a~1b" },
          { $ref: "#/definitions/c~0d" },
          { $ref: "#/definitions/e%25f" },
          { $ref: "#/definitions/100%" },
        ],
        definitions: {
          "a/b": { properties: { a: text } },
          "c~d": { properties: { c: text } },
          "e%f": { properties: { e: text } },
          "100%": { properties: { p: text } },
        },
      },
      {
        definitions: {
          "a/b": { properties: { a: text } },
          "c~d": { properties: { c: text } },
          "e%f": { properties: { e: text } },
          "100%": { properties: { p: text } },
        },
        type: "object",
        properties: { a: text, c: text, e: text, p: text },
      },
    ],
    ["a reference to nowhere", { $ref: "#/$defs/a" }, { type: "object", properties: {} }],
    ["a reference to itself", { $ref: "#" }, { type: "object", properties: {} }],
    ["a reference elsewhere", { $ref: "https://example.com" }, { type: "object", properties: {} }],
    [
      "a reference to what is no schema",
      { $ref: "#/$defs/a", $defs: { a: true } },
      { $defs: { a: true }, type: "object", properties: {} },
    ],
    [
      "a reference to what every object has",
      { $ref: "#/$defs/toString", $defs: {}, anyOf: [{ $ref: "#/definitions/constructor" }] },
      { $defs: {}, type: "object", properties: {} },
    ],
    ["what must not be", { ...base, not: { required: ["x"] }, enum: [{ text: "a" }] }, base],
    [
      "branches of a wrong type",
      { anyOf: [null, 1, true, []], allOf: "x", oneOf: { properties: { text } } },
      { type: "object", properties: {} },
    ],
    [
      "a description and everything else beside",
      { description: "a", additionalProperties: false, $schema: "x", anyOf: [base] },
      { description: "a", additionalProperties: false, $schema: "x", ...base },
    ],
  ])("makes an object of a root with %s", (_, schema, made) => {
    expect(objectSchema(schema)).toEqual(made);
  });

  /** What a reference inside a schema points at. */
  function targetOf(schema: JsonSchema, ref: string): unknown {
    let at: unknown = schema;
    for (const token of ref.slice(2).split("/")) at = Reflect.get(Object(at), token);
    return at;
  }

  const place = { type: "object", properties: { lat: number } };

  it("keeps what properties refer to in branches that have moved, as zod-to-json-schema writes", () => {
    const ref = "#/anyOf/0/properties/from";
    const schema = {
      anyOf: [
        { properties: { from: place, to: { $ref: ref } } },
        { properties: { at: { type: "array", items: { $ref: ref } } } },
      ],
    };
    const made = objectSchema(schema);
    const moved = `#/$defs/root${ref.slice(1)}`;
    expect(refusals(made)).toEqual([]);
    expect(made.properties).toEqual({
      from: place,
      to: { $ref: moved },
      at: { type: "array", items: { $ref: moved } },
    });
    expect(targetOf(made, moved)).toEqual(place);
    expect(schema.anyOf[0]?.properties.to).toEqual({ $ref: ref });
    expect(objectSchema(made)).toEqual(made);
  });

  it.each(["anyOf", "oneOf", "allOf"])(
    "keeps them of %s, beside definitions of its own",
    (word) => {
      const ref = `#/${word}/1/properties/a`;
      const definitions = { root: text, root_: number };
      const made = objectSchema({
        properties: { b: { $ref: ref }, c: { $ref: "#/definitions/root" } },
        [word]: [{}, { properties: { a: place } }],
        definitions,
      });
      const moved = `#/definitions/root__${ref.slice(1)}`;
      expect(made.properties).toMatchObject({
        b: { $ref: moved },
        c: { $ref: "#/definitions/root" },
      });
      expect(made["definitions"]).toMatchObject(definitions);
      expect(targetOf(made, moved)).toEqual(place);
    },
  );

  it("keeps no branch that nothing refers to", () => {
    expect(objectSchema({ anyOf: [base], properties: { $ref: text } })).toEqual({
      type: "object",
      properties: { $ref: text, text },
      required: ["text"],
    });
  });

  it("adds items that allow everything to arrays without, and leaves values and names alone", () => {
    const data = { type: "array" };
    const bare = { type: "array" };
    const filled = { type: "array", items: {} };
    const schema = {
      type: "object",
      properties: {
        default: { type: ["array", "null"], default: data, examples: [data] },
        type: { type: "array", items: { anyOf: [{ type: "array" }, text] } },
        fixed: { const: data, enum: [data] },
        pair: { type: "array", items: [bare, text] },
        map: { patternProperties: { enum: bare }, additionalProperties: bare },
      },
      $defs: { const: bare },
      definitions: { examples: bare },
      dependentSchemas: { default: { properties: { a: bare } } },
    };
    expect(objectSchema(schema)).toEqual({
      type: "object",
      properties: {
        default: { type: ["array", "null"], default: data, examples: [data], items: {} },
        type: { type: "array", items: { anyOf: [filled, text] } },
        fixed: { const: data, enum: [data] },
        pair: { type: "array", items: [filled, text] },
        map: { patternProperties: { enum: filled }, additionalProperties: filled },
      },
      $defs: { const: filled },
      definitions: { examples: filled },
      dependentSchemas: { default: { properties: { a: filled } } },
    });
    expect(data).toEqual({ type: "array" });
  });

  it("gives what the caller may write into: nothing of it belongs to the tool or stands twice", () => {
    const shared = { type: "string" };
    const schema = Object.freeze({
      anyOf: Object.freeze([Object.freeze({ $ref: "#/$defs/base" })]),
      $defs: { base: { properties: { a: shared } } },
      default: Object.freeze({ a: Object.freeze([1]) }),
    });
    const made = objectSchema(schema);
    expect(() => Object.assign(Object(made.properties["a"]), { written: true })).not.toThrow();
    expect(() => Object(made["default"]).a.push(2)).not.toThrow();
    expect(() => Object.assign(made, { written: true })).not.toThrow();
    expect(made["$defs"]).toEqual({ base: { properties: { a: text } } });
    expect(shared).toEqual(text);
    expect(schema.default).toEqual({ a: [1] });
  });

  it("takes __proto__, constructor and toString for names like any other", () => {
    const schema: JsonSchema = JSON.parse(
      `{"oneOf":[{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"array"}},
        "required":["__proto__","toString"]}],"__proto__":{"type":"array"},"const":{"__proto__":1}}`,
    );
    const made = objectSchema(schema);
    expect(Object.entries(made.properties)).toEqual([
      ["__proto__", text],
      ["constructor", { type: "array", items: {} }],
    ]);
    expect(made.required).toEqual(["__proto__", "toString"]);
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(made.properties)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(made, "__proto__")?.value).toEqual({
      type: "array",
      items: {},
    });
    expect(JSON.stringify(made["const"])).toBe('{"__proto__":1}');
    expect(Object.hasOwn(Object.prototype, "items")).toBe(false);
  });

  it("survives a schema deeper than any stack, and arrays within", () => {
    let deep: Record<string, unknown> = { type: "array" };
    for (let level = 0; level < 200_000; level += 1) deep = { type: "array", items: deep };
    const root = { anyOf: [{ properties: { deep } }, { properties: { deep: { items: deep } } }] };
    const made = objectSchema(root);
    expect(Object(made.properties["deep"]).anyOf).toHaveLength(2);
    let end = Object(made.properties["deep"]).anyOf[0];
    for (let level = 0; level < 200_000; level += 1) end = end.items;
    expect(end).toEqual({ type: "array", items: {} });
  });

  it("survives a schema that holds itself", () => {
    const cyclic: Record<string, unknown> = { type: "array" };
    Object.assign(cyclic, { not: cyclic, properties: { cyclic, list: [cyclic] }, anyOf: [cyclic] });
    const made = objectSchema(cyclic);
    expect(refusals(made)).toEqual([]);
    expect(Object.keys(made.properties)).toEqual(["cyclic", "list"]);
    expect(Object(made.properties["cyclic"]).items).toEqual({});
    expect(cyclic).not.toHaveProperty("items");
  });

  it("takes time in proportion to the schema, however its branches refer and differ", () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `p${index}`);
    const big = {
      properties: Object.fromEntries(names.map((name) => [name, text])),
      required: names,
    };
    const refer = Array.from({ length: 20_000 }, () => ({ $ref: "#/$defs/big" }));
    const differ = names.map((name) => ({ properties: { a: { const: name } }, required: names }));
    const startedAt = performance.now();
    const made = objectSchema({
      $defs: { big },
      anyOf: refer,
      allOf: [big, ...refer],
      oneOf: differ,
    });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(Object.keys(made.properties)).toEqual([...names, "a"]);
    expect(Object(made.properties["a"]).anyOf).toHaveLength(2_000);
    expect(made.required).toEqual(names);
  });

  it("gives of 2,000 random schemas one that no provider refuses, and of that one the same", () => {
    const random = new Random(7);
    for (let run = 0; run < 2_000; run += 1) {
      const schema = randomRoot(random);
      const before = JSON.stringify(schema);
      const made = objectSchema(schema);
      expect(refusals(made), before).toEqual([]);
      expect(JSON.stringify(objectSchema(made))).toBe(JSON.stringify(made));
      expect(JSON.stringify(schema)).toBe(before);
    }
  });

  it("promises an object root by its type", () => {
    expectTypeOf(objectSchema).toEqualTypeOf<(schema: JsonSchema) => ObjectSchema>();
    expectTypeOf<ObjectSchema["type"]>().toEqualTypeOf<"object">();
    expectTypeOf<ObjectSchema>().toExtend<JsonSchema>();
    // @ts-expect-error a tuple is no schema
    const wrong = (): ObjectSchema => objectSchema([text]);
    expect(wrong()).toMatchObject({ type: "object" });
  });
});

describe("langChainSchema", () => {
  const inputSchema = Object.freeze({ anyOf: Object.freeze([{ properties: { text } }]) });

  it("is a Standard JSON Schema that shows the object schema, a new one each time", () => {
    const standard = Object(langChainSchema(inputSchema)["~standard"]);
    expect(standard).toMatchObject({ version: 1, vendor: "@x/tool-registry" });
    const shown = standard.jsonSchema.input({ target: "draft-07" });
    expect(shown).toEqual({ type: "object", properties: { text } });
    expect(standard.jsonSchema.output({ target: "draft-07" })).toEqual(shown);
    expect(standard.jsonSchema.input()).not.toBe(shown);
  });

  it.each([{ text: 7 }, null, undefined, "x"])(
    "lets %j pass as it is: the tool judges",
    (value) => {
      const standard = Object(langChainSchema(inputSchema)["~standard"]);
      expect(standard.validate(value)).toEqual({ value });
    },
  );

  it("is no plain JSON Schema, which LangChain would judge by itself", () => {
    expect(Object.keys(langChainSchema(inputSchema))).toEqual(["~standard"]);
    expectTypeOf(langChainSchema).toEqualTypeOf<(schema: JsonSchema) => JsonSchema>();
  });
});

it("one hostile schema in a registry does not cost the others", () => {
  const registry = new ToolRegistry();
  const nested = `${'{"items":'.repeat(3_000)}{"type":"array"}${"}".repeat(3_000)}`;
  const schemas: JsonSchema[] = [
    JSON.parse(`{"oneOf":[{"properties":{"a":${nested}}},{"properties":{"a":1}}]}`),
    { type: "object", properties: { text } },
  ];
  for (const [index, inputSchema] of schemas.entries()) {
    registry.register("own", defineTool({ name: `t${index}`, inputSchema, invoke: () => "" }));
  }
  const [hostile, other] = openAITools(modelTools(registry));
  expect(refusals(hostile?.parameters)).toEqual([]);
  expect(JSON.stringify(hostile)).toContain('{"type":"array","items":{}}');
  expect(other?.parameters).toEqual({ type: "object", properties: { text } });
});
