import { describe, expect, expectTypeOf, it } from "vitest";
import { compileSchema as evalFree } from "../src/eval-free.ts";
import { type CompiledSchema, compileSchema, type SchemaIssue } from "../src/index.ts";
import { explain } from "../src/issues.ts";
import { engines } from "./engines.ts";

function readersOf(compile: typeof compileSchema) {
  const issues = (schema: unknown, value: unknown): readonly SchemaIssue[] => {
    const verdict = compile(schema).validate(value);
    return verdict.ok ? [] : verdict.issues;
  };
  const messages = (schema: unknown, value: unknown): string[] =>
    issues(schema, value).map(({ message }) => message);
  return { issues, messages };
}

const args = (properties: Record<string, unknown>, rest: object = {}): object => ({
  type: "object",
  properties,
  ...rest,
});

describe.each(engines)("%s: the message of an issue", (_engine, compile) => {
  const { issues } = readersOf(compile);
  it.each<[string, unknown, unknown, string]>([
    [
      "type",
      args({ page: { type: "integer", minimum: 1 } }),
      { page: "2" },
      '`page` must be an integer ≥ 1, got "2"',
    ],
    [
      "type",
      args({ page: { type: "string" } }),
      { page: { a: [1, null] } },
      '`page` must be a string, got {"a":[1,null]}',
    ],
    [
      "type",
      args({ on: { type: "boolean" } }),
      { on: "yes" },
      '`on` must be true or false, got "yes"',
    ],
    [
      "type",
      args({ a: { type: ["string", "null"] } }),
      { a: 5 },
      "`a` must be a string or null, got 5",
    ],
    ["type", { type: "object" }, [1], "the value must be an object, got [1]"],
    ["type", { type: "array" }, null, "the value must be an array, got null"],
    [
      "minimum",
      args({ page: { type: "integer", minimum: 1 } }),
      { page: 0 },
      "`page` must be an integer ≥ 1, got 0",
    ],
    [
      "minimum",
      args({ page: { minimum: 1, maximum: 5 } }),
      { page: 0 },
      "`page` must be ≥ 1 and ≤ 5, got 0",
    ],
    [
      "exclusiveMaximum",
      args({ p: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 } }),
      { p: 1 },
      "`p` must be a number > 0 and < 1, got 1",
    ],
    [
      "multipleOf",
      args({ a: { type: "number", multipleOf: 0.01 } }),
      { a: 1.005 },
      "`a` must be a multiple of 0.01, got 1.005",
    ],
    [
      "enum",
      args({ m: { enum: ["fast", "exact"] } }),
      { m: "slow" },
      '`m` must be one of "fast", "exact", got "slow"',
    ],
    ["enum", args({ m: { enum: ["fast"] } }), { m: "slow" }, '`m` must be "fast", got "slow"'],
    [
      "enum",
      args({ m: { enum: [0, null, false, "a"] } }),
      { m: "0" },
      '`m` must be one of 0, null, false, "a", got "0"',
    ],
    ["const", args({ m: { const: "x" } }), { m: "y" }, '`m` must be "x", got "y"'],
    ["const", { const: { a: 1 } }, 5, 'the value must be {"a":1}, got 5'],
    [
      "required",
      args({ q: { type: "string" } }, { required: ["q"] }),
      {},
      "`q` is missing; it must be a string",
    ],
    [
      "required",
      args({ m: { enum: [1, 2] } }, { required: ["m"] }),
      {},
      "`m` is missing; it must be one of 1, 2",
    ],
    ["required", { required: ["q"] }, {}, "`q` is missing"],
    [
      "dependentRequired",
      { dependentRequired: { a: ["b"] } },
      { a: 1 },
      "`b` is missing, but needed with `a`",
    ],
    [
      "additionalProperties",
      args({ a: {}, b: {} }, { additionalProperties: false }),
      { c: 1 },
      "`c` is not allowed; allowed: `a`, `b`",
    ],
    [
      "additionalProperties",
      { additionalProperties: false },
      { c: 1 },
      "`c` is not allowed; no property is",
    ],
    [
      "unevaluatedProperties",
      args({ a: {} }, { unevaluatedProperties: false }),
      { c: 1 },
      "`c` is not allowed",
    ],
    ["false schema", args({ a: false }), { a: 1 }, "`a` is not allowed"],
    [
      "pattern",
      args({ t: { pattern: "^[0-9]+$" } }),
      { t: "a" },
      '`t` must match the pattern ^[0-9]+$, got "a"',
    ],
    [
      "format",
      args({ d: { format: "date" } }),
      { d: "soon" },
      '`d` must be a valid date, got "soon"',
    ],
    [
      "minLength",
      args({ t: { minLength: 1 } }),
      { t: "" },
      "`t` must have at least 1 character, got 0",
    ],
    [
      "maxLength",
      args({ t: { maxLength: 2 } }),
      { t: "🚢🚢🚢" },
      "`t` must have at most 2 characters, got 3",
    ],
    ["minItems", args({ l: { minItems: 2 } }), { l: [1] }, "`l` must have at least 2 items, got 1"],
    [
      "maxItems",
      args({ l: { maxItems: 1 } }),
      { l: [1, 2] },
      "`l` must have at most 1 item, got 2",
    ],
    [
      "items",
      { prefixItems: [{}], items: false },
      [1, 2],
      "the value must have at most 1 item, got 2",
    ],
    [
      "unevaluatedItems",
      { prefixItems: [{}], unevaluatedItems: false },
      [1, 2],
      "the value must have at most 1 item, got 2",
    ],
    [
      "uniqueItems",
      args({ l: { uniqueItems: true } }),
      { l: [1, 2, 1] },
      "`l` must not repeat an item, but items 0 and 2 are equal",
    ],
    ["minProperties", { minProperties: 1 }, {}, "the value must have at least 1 property, got 0"],
    [
      "maxProperties",
      { maxProperties: 1 },
      { a: 1, b: 2 },
      "the value must have at most 1 property, got 2",
    ],
    [
      "contains",
      args({ l: { contains: { type: "string" } } }),
      { l: [1, 2] },
      "`l` must hold an item that is a string at least 1 times",
    ],
    [
      "contains",
      { contains: { const: 1 }, maxContains: 2 },
      [1, 1, 1],
      "the value must hold an item that is 1 at least 1 and at most 2 times",
    ],
    [
      "contains",
      { contains: { minProperties: 1 } },
      [{}],
      "the value must hold an item that fits `contains` at least 1 times",
    ],
    [
      "not",
      args({ a: { not: { type: "string" } } }),
      { a: "x" },
      '`a` must not be a string, got "x"',
    ],
    [
      "not",
      { not: { required: ["a"] } },
      { a: 1 },
      'the value must not be what the schema excludes, got {"a":1}',
    ],
    [
      "enum",
      args({ w: { propertyNames: { enum: ["red"] } } }),
      { w: { pink: 1 } },
      'the property name "pink" in `w` must be "red", got "pink"',
    ],
    [
      "maxLength",
      { propertyNames: { maxLength: 2 } },
      { abc: 1 },
      'the property name "abc" in the value must have at most 2 characters, got 3',
    ],
    [
      "false schema",
      { propertyNames: false },
      { a: 1 },
      'the property name "a" in the value is not allowed',
    ],
    [
      "required",
      JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]}}'),
      { a: 1 },
      "`b` is missing",
    ],
  ])("of %s (%#)", (keyword, schema, value, message) => {
    const found = issues(schema, value);
    expect(found.map((issue) => [issue.keyword, issue.message])).toEqual([[keyword, message]]);
  });
});

describe.each(engines)("%s: an issue", (_engine, compile) => {
  const { issues, messages } = readersOf(compile);
  it.each<[unknown, unknown, string, (string | number)[], string]>([
    [
      args({ a: { items: args({ b: { type: "string" } }) } }),
      { a: [{}, { b: 1 }] },
      "/a/1/b",
      ["a", 1, "b"],
      "`a[1].b`",
    ],
    [{ items: { type: "string" } }, ["", 1], "/1", [1], "`[1]`"],
    [args({ "0": { type: "string" } }), { "0": 1 }, "/0", ["0"], "`0`"],
    [args({ "a/b~c": { type: "string" } }), { "a/b~c": 1 }, "/a~1b~0c", ["a/b~c"], '`["a/b~c"]`'],
    [args({ "": { type: "string" } }), { "": 1 }, "/", [""], '`[""]`'],
    [
      args({ "a b": args({ c: { type: "string" } }) }),
      { "a b": { c: 1 } },
      "/a b/c",
      ["a b", "c"],
      '`["a b"].c`',
    ],
    [args({ a: args({ b: {} }, { required: ["b"] }) }), { a: {} }, "/a/b", ["a", "b"], "`a.b`"],
    [args({ a: args({}, { additionalProperties: false }) }), { a: { x: 1 } }, "/a", ["a"], "`a.x`"],
    [{ required: ["__proto__"] }, {}, "/__proto__", ["__proto__"], "`__proto__`"],
    [{ type: "object" }, 5, "", [], "the value"],
  ])("of %j and %j is at %s", (schema, value, pointer, path, name) => {
    const [issue] = issues(schema, value);
    expect(issue).toMatchObject({ pointer, path });
    expect(issue?.message.startsWith(`${name} `)).toBe(true);
  });

  it("comes for each fault, in the order of the schema", () => {
    const schema = args(
      { a: { type: "string" }, b: { type: "integer" } },
      { required: ["c"], additionalProperties: false },
    );
    expect(messages(schema, { a: 1, b: "x", d: 0 }).sort()).toEqual([
      "`a` must be a string, got 1",
      '`b` must be an integer, got "x"',
      "`c` is missing",
      "`d` is not allowed; allowed: `a`, `b`",
    ]);
  });

  it("comes at most 20 times", () => {
    const value = Array.from({ length: 5_000 }, (_, index) => index);
    const found = issues({ items: { type: "string" } }, value);
    expect(found).toHaveLength(20);
    expect(found.map(({ pointer }) => pointer)).toEqual(
      Array.from({ length: 20 }, (_, index) => `/${index}`),
    );
  });

  it("is said once when two parts of a schema say the same", () => {
    const text = { type: "string" };
    expect(messages({ allOf: [args({ a: text }), args({ a: text })] }, { a: 1 })).toEqual([
      "`a` must be a string, got 1",
    ]);
  });

  it.each<[string, unknown, unknown]>([
    ["long text", { type: "integer" }, "x".repeat(1_000_000)],
    [
      "a wide object",
      { type: "integer" },
      Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`key ${i}`, i])),
    ],
    ["a long list", { type: "integer" }, Array.from({ length: 100_000 }, () => "x")],
    ["many members", { enum: Array.from({ length: 5_000 }, (_, i) => `member ${i}`) }, "x"],
    ["long members", { enum: ["a".repeat(10_000), "b".repeat(10_000)] }, "x"],
    [
      "many allowed names",
      {
        properties: Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`p${i}`, {}])),
        additionalProperties: false,
      },
      { x: 1 },
    ],
    ["a long name", { additionalProperties: false }, { ["n".repeat(10_000)]: 1 }],
    ["a long pattern", { pattern: `^${"a?".repeat(200)}$` }, "b"],
    ["a long constant", { const: "c".repeat(10_000) }, "x"],
    [
      "many alternatives",
      { anyOf: Array.from({ length: 100 }, (_, i) => ({ const: `alternative ${i}` })) },
      "x",
    ],
  ])("is short whatever came: %s", (_, schema, value) => {
    for (const message of messages(schema, value)) {
      expect(message.length).toBeLessThanOrEqual(500);
      expect(message).not.toContain("undefined");
    }
    expect(messages(schema, value).length).toBeGreaterThan(0);
  });

  it("shows about 60 characters of a value", () => {
    const [message = ""] = messages({ type: "integer" }, "x".repeat(1_000));
    expect(message).toBe(`the value must be an integer, got "${"x".repeat(58)}…`);
  });

  it("cannot be broken up by control characters", () => {
    const [message = ""] = messages(args({ "a\n\u001b": { type: "integer" } }), {
      "a\n\u001b": "\n\u001b",
    });
    expect(message).not.toMatch(/\p{Control}/u);
  });

  it.each<[string, unknown, string]>([
    ["deep", [[[[[1]]]]], "[[[[…]]]]".replace("[[[[…]]]]", "[[[[…]]]]")],
    ["an object in objects", { a: { b: { c: { d: 1 } } } }, '{"a":{"b":{"c":{…}}}}'],
    ["a list of many", Array.from({ length: 12 }, () => 1), "[1,1,1,1,1,1,1,1,1,1,…]"],
  ])("shows a value that is %s", (_, value, shown) => {
    expect(messages({ type: "string" }, value)).toEqual([
      `the value must be a string, got ${shown}`,
    ]);
  });

  it("is told of a value with half a million faults as of one with twenty", () => {
    const schema = { items: { anyOf: [{ type: "string" }, { type: "null" }] }, maxItems: 5 };
    const found = issues(schema, new Array(490_000).fill(0));
    expect(found).toHaveLength(20);
    expect(found[0]?.message).toBe("the value must have at most 5 items, got 490000");
    expect(found[19]).toMatchObject({
      pointer: "/18",
      message: "`[18]` must be a string or null, got 0",
    });
  });

  it("is there even if the engine refuses a value without saying why", () => {
    expect(explain({}, [])).toEqual([
      { pointer: "", path: [], keyword: "", message: "the value does not fit the schema" },
    ]);
  });
});

describe("a value that JSON cannot write", () => {
  const trap = Object.defineProperty({}, "trap", {
    enumerable: true,
    get: () => {
      throw new Error("boom");
    },
  });

  const values: readonly (readonly [string, unknown, string])[] = [
    ["a bigint", 1n, "1n"],
    ["undefined", undefined, "undefined"],
    ["NaN", Number.NaN, "NaN"],
    ["Infinity", Number.POSITIVE_INFINITY, "Infinity"],
    ["a date", new Date(0), "{}"],
    ["a trap", trap, "something that cannot be read"],
  ];

  it.each(values)("is shown as it is: %s", (_, value, shown) => {
    for (const [, compile] of engines) {
      expect(readersOf(compile).messages({ type: "string" }, value)).toEqual([
        `the value must be a string, got ${shown}`,
      ]);
    }
  });

  it.each(values.filter(([name]) => name !== "a trap"))(
    "is judged alike by both engines: %s",
    (_, value) => {
      for (const schema of [
        {},
        { type: "null" },
        { type: ["number", "null"] },
        { type: "object" },
        { enum: [null, 0] },
        { minimum: 1, multipleOf: 2 },
        { not: { type: "number" } },
        { items: { type: "integer" }, uniqueItems: true },
        { properties: { a: { type: "string" } }, required: ["a"] },
        { properties: { a: {} }, additionalProperties: false },
        { unevaluatedProperties: { type: "number" } },
      ]) {
        for (const given of [value, [value], [value, value], { a: value }, { b: value }]) {
          const one = compileSchema(schema).validate(given);
          expect(evalFree(schema).validate(given), JSON.stringify(schema)).toEqual(one);
        }
      }
    },
  );

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1n])(
    "%s is neither null nor a number",
    (value) => {
      for (const [, compile] of engines) {
        expect(compile({ type: ["null", "number", "integer"] }).validate({ a: value }.a).ok).toBe(
          false,
        );
        expect(compile({ properties: { a: { type: "number" } } }).validate({ a: value }).ok).toBe(
          false,
        );
        expect(compile({}).validate({ a: value })).toEqual({ ok: true });
      }
    },
  );
});

describe.each(engines)("%s: a union", (_engine, compile) => {
  const { issues, messages } = readersOf(compile);
  const open = args(
    { op: { const: "open" }, title: { type: "string" } },
    { required: ["op", "title"], additionalProperties: false },
  );
  const close = args(
    { op: { const: "close" }, id: { type: "integer" } },
    { required: ["op", "id"], additionalProperties: false },
  );

  it.each<[unknown, unknown, string]>([
    [
      { anyOf: [{ type: "string" }, { type: "null" }] },
      5,
      "the value must be a string or null, got 5",
    ],
    [
      { anyOf: [{ type: "integer", minimum: 1 }, { enum: ["auto", "off"] }] },
      true,
      'the value must be an integer ≥ 1 or one of "auto", "off", got true',
    ],
    [
      { oneOf: [{ const: "a" }, { const: "b" }, { const: "b" }] },
      "c",
      'the value must be "a" or "b", got "c"',
    ],
    [
      {
        anyOf: [{ $ref: "#/$defs/s" }, { $ref: "#/$defs/n" }],
        $defs: { s: { type: "string" }, n: { type: "null" } },
      },
      5,
      "the value must be a string or null, got 5",
    ],
    [
      { oneOf: [{ type: "number" }, { type: "integer" }] },
      1,
      "the value must fit exactly one of 2 alternatives, but fits 1 and 2",
    ],
    [
      { anyOf: [open, close] },
      { op: "close", id: "4" },
      'the value fits none of 2 alternatives; by the closest (number 2): `id` must be an integer, got "4"',
    ],
    [
      { anyOf: [open, close] },
      { op: "open", id: 4 },
      "the value fits none of 2 alternatives; by the closest (number 1): `title` is missing; it must be a string; `id` is not allowed; allowed: `op`, `title`",
    ],
    [
      { anyOf: [{ type: "string" }, open] },
      { op: "open" },
      "the value fits none of 2 alternatives; by the closest (number 2): `title` is missing; it must be a string",
    ],
    [
      { anyOf: [false, { minLength: 3 }] },
      "x",
      "the value fits none of 2 alternatives; by the closest (number 2): the value must have at least 3 characters, got 1",
    ],
  ])("%# is told by what comes closest", (schema, value, message) => {
    expect(messages(schema, value)).toEqual([message]);
  });

  it("is one issue, at the value itself, with full names inside", () => {
    const schema = args({ steps: { items: { oneOf: [open, close] } } });
    expect(issues(schema, { steps: [{ op: "open", title: "t" }, { op: "close" }] })).toEqual([
      {
        pointer: "/steps/1",
        path: ["steps", 1],
        keyword: "oneOf",
        message:
          "`steps[1]` fits none of 2 alternatives; by the closest (number 2): `steps[1].id` is missing; it must be an integer",
      },
    ]);
  });

  it("does not swallow the faults around it, nor they its own", () => {
    const schema = {
      ...args({ a: { type: "string" }, z: { type: "string" } }),
      minProperties: 5,
      allOf: [args({ a: { maxLength: 1 } }), { anyOf: [open, close] }],
      required: ["q"],
    };
    const found = messages(schema, { a: "long", op: "close", z: 1 });
    expect(found).toHaveLength(5);
    expect(found).toContain("`a` must have at most 1 character, got 4");
    expect(found).toContain("`z` must be a string, got 1");
    expect(found).toContain("`q` is missing");
    expect(found).toContain("the value must have at least 5 properties, got 3");
    expect(found.filter((message) => message.includes("fits none of 2"))).toHaveLength(1);
  });

  it("of unions, through references and recursion, keeps its faults to itself", () => {
    const schema = {
      $defs: {
        leaf: args(
          { kind: { const: "leaf" }, n: { type: "integer" } },
          { required: ["kind", "n"] },
        ),
        node: {
          anyOf: [
            { $ref: "#/$defs/leaf" },
            args(
              { kind: { const: "node" }, kids: { type: "array", items: { $ref: "#/$defs/node" } } },
              { required: ["kind", "kids"] },
            ),
          ],
        },
      },
      ...args({ tree: { $ref: "#/$defs/node" }, note: { type: "string" } }),
    };
    const tree = { kind: "node", kids: [{ kind: "node", kids: [{ kind: "leaf", n: "1" }] }] };
    expect(
      issues(schema, { note: 5, tree }).map(({ pointer, keyword }) => [pointer, keyword]),
    ).toEqual([
      ["/tree", "anyOf"],
      ["/note", "type"],
    ]);
    expect(messages(schema, { tree })[0]).toContain(
      '`tree.kids[0].kids[0].n` must be an integer, got "1"',
    );
  });

  it("inside unions is explained three levels down and then only counted", () => {
    let schema: object = { anyOf: [{ minLength: 9 }, { minLength: 8 }] };
    for (let level = 0; level < 6; level += 1) schema = { anyOf: [{ type: "null" }, schema] };
    expect(issues(schema, "x")).toHaveLength(1);
    const [message = ""] = messages(schema, "x");
    expect(message.match(/fits none/g)).toHaveLength(4);
  });

  it("that fails 20,000 times over is explained quickly", () => {
    const item = { anyOf: [{ type: "null" }, { anyOf: [open, close] }] };
    const schema = args({ steps: { anyOf: [{ type: "null" }, { items: item }] } });
    const value = { steps: Array.from({ length: 20_000 }, () => ({ op: "other" })) };
    const { validate } = compile(schema);
    validate({});
    const start = performance.now();
    expect(validate(value).ok).toBe(false);
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it("of which the second fits after the first failed is still exactly one too many", () => {
    const schema = {
      oneOf: [{ type: "string" }, { minimum: 0 }, { type: "integer" }, { type: "null" }],
    };
    expect(messages(schema, 3)).toEqual([
      "the value must fit exactly one of 4 alternatives, but fits 2 and 3",
    ]);
  });

  it("that fits too often takes along only what was tried before that", () => {
    const alternatives = [
      { required: ["z"] },
      { minProperties: 1 },
      { maxProperties: 5 },
      { required: ["y"] },
    ];
    expect(messages({ allOf: [{ required: ["q"] }, { oneOf: alternatives }] }, { n: 1 })).toEqual([
      "`q` is missing",
      "the value must fit exactly one of 4 alternatives, but fits 2 and 3",
    ]);
  });

  it("comes closest where the tag is right, however wrong the rest", () => {
    const schema = {
      anyOf: [
        args({ op: { const: "close" } }),
        args({ op: { const: "open" }, by: args({ mode: args({ is: { enum: ["a"] } }) }) }),
      ],
    };
    expect(messages(schema, { op: "open", by: { mode: { is: "b" } } })).toEqual([
      'the value fits none of 2 alternatives; by the closest (number 2): `by.mode.is` must be "a", got "b"',
    ]);
  });

  it("beside contains keeps to itself what was tried on each item", () => {
    const schema = args(
      { l: { contains: { anyOf: [{ const: 1 }, { const: 2 }] }, minContains: 2, maxContains: 3 } },
      { required: ["q"] },
    );
    expect(messages(schema, { l: [1, 5, "x"] }).sort()).toEqual([
      "`l` must hold an item that fits `contains` at least 2 and at most 3 times",
      "`q` is missing",
    ]);
    expect(messages(schema, { q: 0, l: [9, 1, 2, 1, 2, 8] })).toEqual([
      "`l` must hold an item that fits `contains` at least 2 and at most 3 times",
    ]);
  });
});

it("promises its types", () => {
  expectTypeOf<ReturnType<CompiledSchema["validate"]>>().toEqualTypeOf<
    { readonly ok: true } | { readonly ok: false; readonly issues: readonly SchemaIssue[] }
  >();
  expectTypeOf(compileSchema).parameter(0).toBeUnknown();
  expectTypeOf<SchemaIssue["path"]>().toEqualTypeOf<readonly (string | number)[]>();
});
