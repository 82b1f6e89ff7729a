/** A schema that is to block whoever compiles it or judges the value by it. */
export interface Attack {
  readonly name: string;
  readonly schema: unknown;
  readonly value: unknown;
}

function nested(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let schema: unknown = { type: "string" };
  for (let level = 0; level < levels; level += 1) schema = wrap(schema);
  return schema;
}

/** Each definition uses the next one twice: two kilobytes, 2 ** levels evaluations. */
function chain(levels: number, link: (next: { $ref: string }) => object): unknown {
  const $defs: Record<string, unknown> = { [`d${levels}`]: { type: "string" } };
  for (let level = 0; level < levels; level += 1) {
    $defs[`d${level}`] = link({ $ref: `#/$defs/d${level + 1}` });
  }
  return { $ref: "#/$defs/d0", $defs };
}

function properties(count: number): unknown {
  const entries = Array.from({ length: count }, (_, index) => [`p${index}`, { type: "string" }]);
  return { type: "object", properties: Object.fromEntries(entries) };
}

function branches(keyword: string, count: number): unknown {
  const objects = Array.from({ length: count }, (_, index) => ({
    type: "object",
    properties: { kind: { const: `k${index}` }, value: { type: "string" } },
    required: ["kind", "value"],
    additionalProperties: false,
  }));
  return { [keyword]: objects };
}

function named<T>(count: number, prefix: string, make: () => T): Record<string, T> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`${prefix}${index}`, make()]),
  );
}

const thousandNames = Object.keys(named(1_000, "q", () => 0));
const allMissing = { not: { dependentRequired: named(18, "p", () => thousandNames) } };
const fourMaps = {
  properties: named(1_000, "p", () => true),
  dependencies: named(1_000, "p", () => ["q"]),
  dependentRequired: named(1_000, "p", () => ["q"]),
  dependentSchemas: named(1_000, "p", () => true),
};
const manyBooleans = {
  anyOf: [...Array.from({ length: 90 }, () => ({ anyOf: new Array(99).fill(false) })), true],
};

function deep(levels: number): unknown {
  let value: unknown = "x";
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
}

const evil = `${"a".repeat(40)}!`;
const spaces = `${" ".repeat(50_000)}x`;
const twice = (schema: unknown): unknown => ({
  allOf: [{ properties: { a: schema } }, { properties: { a: schema } }],
});

export const attacks: readonly Attack[] = [
  ...[500, 1_000, 10_000].map((levels) => ({
    name: `properties nested ${levels} deep`,
    schema: nested(levels, (a) => ({ properties: { a } })),
    value: {},
  })),
  ...[22, 30].map((levels) => ({
    name: `allOf of $ref, 2 ** ${levels}`,
    schema: chain(levels, (next) => ({ allOf: [next, next] })),
    value: "x",
  })),
  {
    name: "anyOf of $ref, 2 ** 30",
    schema: chain(30, (next) => ({ anyOf: [next, next] })),
    value: 1,
  },
  {
    name: "properties of $ref, 2 ** 24",
    schema: chain(24, (next) => ({ properties: { a: next, b: next } })),
    value: deep(24),
  },
  {
    name: "allOf over properties, 2 ** 30 along the value",
    schema: chain(30, (next) => twice(next) as object),
    value: deep(30),
  },
  {
    name: "allOf over a recursion, 2 ** 60 along the value",
    schema: twice({ $ref: "#" }),
    value: deep(60),
  },
  { name: "$ref to itself", schema: { $ref: "#" }, value: {} },
  {
    name: "$ref in a circle",
    schema: { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
    value: {},
  },
  { name: "allOf of itself", schema: { allOf: [{ $ref: "#" }] }, value: {} },
  ...[1_000, 10_000, 100_000].map((count) => ({
    name: `${count} properties`,
    schema: properties(count),
    value: {},
  })),
  { name: "oneOf of 2000", schema: branches("oneOf", 2_000), value: { kind: "none" } },
  { name: "oneOf of 100", schema: branches("oneOf", 100), value: { kind: "none" } },
  { name: "anyOf of 100", schema: branches("anyOf", 100), value: { kind: "none" } },
  {
    name: "uniqueItems of 20000 objects",
    schema: { uniqueItems: true },
    value: Array.from({ length: 20_000 }, (_, id) => ({ id, name: "n" })),
  },
  { name: "pattern ^(a+)+$", schema: { pattern: "^(a+)+$" }, value: evil },
  {
    name: "patternProperties ^(a+)+$",
    schema: { patternProperties: { "^(a+)+$": { type: "string" } } },
    value: { [evil]: 1 },
  },
  {
    name: "propertyNames ^(a+)+$",
    schema: { propertyNames: { pattern: "^(a+)+$" } },
    value: { [evil]: 1 },
  },
  { name: "pattern \\s+$ on 50000 spaces", schema: { pattern: "\\s+$" }, value: spaces },
  { name: "pattern (a|a)*$", schema: { pattern: "^(a|a)*$" }, value: evil },
  {
    name: "a pattern of huge repetitions",
    schema: { pattern: "((((a{999}){999}){999}){999}){999}" },
    value: "a",
  },
  {
    name: "an enum of 5000 against 20000 items",
    schema: { items: { enum: Array.from({ length: 5_000 }, (_, id) => ({ id })) } },
    value: Array.from({ length: 20_000 }, () => ({ id: -1 })),
  },
  {
    name: "anyOf of 80 against 490000 items",
    schema: {
      items: { anyOf: Array.from({ length: 80 }, (_, n) => ({ type: "string", maxLength: n })) },
    },
    value: Array.from({ length: 490_000 }, () => 0),
  },
  {
    name: "the same, and only the last item is wrong",
    schema: {
      items: {
        anyOf: [
          ...Array.from({ length: 80 }, (_, n) => ({ type: "string", maxLength: n })),
          { const: 0 },
        ],
      },
    },
    value: Array.from({ length: 490_000 }, (_, index) => (index === 489_999 ? 1 : 0)),
  },
  {
    name: "unevaluated in unevaluated, 60 deep",
    schema: nested(30, (inner) => ({
      unevaluatedProperties: false,
      anyOf: [inner, { properties: { b: true }, unevaluatedProperties: false }],
    })),
    value: { a: 1, b: 2 },
  },
  {
    name: "a reference into a reference's copy, 60 deep",
    schema: {
      default: nested(58, (a) => ({ a, type: "object" })),
      allOf: Array.from({ length: 58 }, (_, n) => ({ $ref: `#/default${"/a".repeat(n)}` })),
    },
    value: deep(60),
  },
  {
    name: "a union in unions, explained",
    schema: nested(6, (inner) => ({
      anyOf: Array.from({ length: 4 }, () => ({ properties: { a: inner }, required: ["a"] })),
    })),
    value: deep(7),
  },
  ...[
    { name: "compiled", beside: {} },
    { name: "interpreted", beside: { prefixItems: [true] } },
  ].flatMap(({ name, beside }) => [
    {
      name: `dependentRequired that misses 18000 names in 1700 items, ${name}`,
      schema: { ...beside, items: allMissing },
      value: Array.from({ length: 1_700 }, () => named(18, "p", () => 0)),
    },
    {
      name: `four maps of 1000 against 49000 items, ${name}`,
      schema: { ...beside, items: fourMaps },
      value: Array.from({ length: 49_000 }, () => ({})),
    },
    {
      name: `9000 times false against 1500 items, ${name}`,
      schema: { ...beside, items: manyBooleans },
      value: new Array(1_500).fill(0),
    },
  ]),
  { name: "an object of 20 MB", schema: { default: "x".repeat(20_000_000) }, value: {} },
  { name: "a sparse list", schema: { enum: new Array(4_000_000_000) }, value: {} },
];
