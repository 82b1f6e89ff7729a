import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { ToolSchemaError } from "../src/index.ts";
import { engines } from "./engines.ts";

const run = "globalThis.PWNED=1";
const d7 = "http://json-schema.org/draft-07/schema#";

afterEach(() => {
  expect("PWNED" in globalThis).toBe(false);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

/** Ways out of source text that an engine may write a schema into. */
const breakouts = [
  `*/${run};/*`,
  `"+(${run})+"`,
  `'+(${run})+'`,
  `\`+(${run})+\``,
  `\${${run}}`,
  `\n${run}\n`,
  `\u2028${run}\u2028`,
  `\\"+(${run})+"`,
  `</script>${run}`,
  `]);${run};([`,
];

/** Every spot of a schema that a text of a server can stand in. */
const spots: readonly (readonly [string, (text: string) => unknown])[] = [
  ["$id", ($id) => ({ $id, type: "object" })],
  ["$anchor", ($anchor) => ({ $anchor })],
  ["$comment and description", (text) => ({ $comment: text, description: text, title: text })],
  ["a property", (text) => ({ properties: { [text]: { type: "string" } }, required: [text] })],
  ["const, enum and default", (text) => ({ const: text, enum: [text], default: text })],
  ["dependentRequired", (text) => ({ dependentRequired: { [text]: [text] } })],
  ["format", (format) => ({ format })],
  ["a pattern", (text) => ({ pattern: text.replace(/[\\[\](){}*+?.|^$]/g, "\\$&") })],
  ["a keyword nobody knows", (text) => ({ [text]: text, tsType: text, errorMessage: text })],
  [
    "a reference",
    (text) => ({ $ref: `#/$defs/${encodeURIComponent(text)}`, $defs: { [text]: {} } }),
  ],
  [
    "discriminator",
    (text) => ({
      oneOf: ["a", "b"].map((value) => ({
        type: "object",
        properties: { [text]: { type: "string", const: value } },
        required: [text],
      })),
      discriminator: { propertyName: text },
    }),
  ],
];

describe.each(engines)("%s: nothing of a schema runs", (_engine, compileSchema) => {
  it.each(spots)("that stands in %s", (_, make) => {
    for (const text of breakouts) {
      for (const value of [{}, { [text]: text }, text, [text], 1]) {
        try {
          compileSchema(make(text)).validate(value);
        } catch (error) {
          expect(error).toBeInstanceOf(ToolSchemaError);
        }
      }
    }
  });
});

describe.each(engines)(
  "%s: a schema cannot get round its own verdict",
  (_engine, compileSchema) => {
    it.each<[string, unknown]>([
      ["$async", { $async: true, type: "object", required: ["a"] }],
      ["$async inside", { allOf: [{ $async: true, required: ["a"] }] }],
      [
        "$async behind a reference",
        { $ref: "#/$defs/a", $defs: { a: { $async: true, required: ["a"] } } },
      ],
      ["names that every object has", { required: ["toString", "constructor", "__proto__"] }],
      ["a default", { properties: { a: { default: 1 } }, required: ["a"] }],
      [
        "a default prototype",
        JSON.parse('{"properties":{"o":{"default":{"__proto__":{"a":1}}}},"required":["a"]}'),
      ],
      ["$data", { required: ["a"], properties: { b: { const: { $data: "1/a" } } } }],
      [
        "a private name of cfworker",
        { required: ["a"], __absolute_ref__: "#", __absolute_uri__: "x" },
      ],
      [
        "a reference to a private name",
        {
          allOf: [{ $ref: "#/$defs/a", __absolute_ref__: "#/$defs/b" }],
          $defs: { a: false, b: true },
        },
      ],
      ["nullable and unknown words", { nullable: true, required: ["a"], type: "object" }],
    ])("by %s", (_, schema) => {
      const value = Object.freeze({});
      const verdict = compileSchema(schema).validate(value);
      expect(verdict.ok).toBe(false);
      expect(verdict).not.toBeInstanceOf(Promise);
      expect(Object.getOwnPropertyNames(value)).toEqual([]);
    });

    it("by a property called __proto__, in any place of it", () => {
      const parse = (text: string): unknown => JSON.parse(text);
      const own = parse('{"__proto__":"text"}');
      for (const schema of [
        parse('{"properties":{"__proto__":{"type":"number"}}}'),
        parse('{"additionalProperties":{"type":"number"}}'),
        parse('{"patternProperties":{"^__proto__$":{"type":"number"}}}'),
        parse('{"dependentRequired":{"__proto__":["a"]}}'),
        parse('{"dependentSchemas":{"__proto__":false}}'),
        parse('{"propertyNames":{"not":{"const":"__proto__"}}}'),
        parse('{"const":{}}'),
      ]) {
        expect(compileSchema(schema).validate(own).ok, JSON.stringify(schema)).toBe(false);
        expect(compileSchema(schema).validate({}).ok).toBe(true);
      }
    });

    it("by the $id of another schema, whichever was compiled first", () => {
      const $id = "https://tools.example/args.json";
      const lax = compileSchema({ $id });
      expect(lax.validate({}).ok).toBe(true);
      expect(compileSchema({ $id, required: ["a"] }).validate({}).ok).toBe(false);
      expect(() => compileSchema({ $ref: $id })).toThrowError(
        expect.objectContaining({ code: "unresolved_ref", path: "/$ref" }),
      );
    });

    it("by two patterns that an engine might take for one", () => {
      const { validate } = compileSchema({
        properties: { a: { pattern: "^\\:a$" }, b: { pattern: "^b$" }, c: { pattern: "^c\\-$" } },
      });
      expect(validate({ a: ":a", b: "b", c: "c-" }).ok).toBe(true);
      for (const value of [{ a: "b" }, { b: ":a" }, { c: "b" }]) {
        expect(validate(value).ok).toBe(false);
      }
    });
  },
);

describe.each(engines)("%s: a multiple", (_engine, compileSchema) => {
  it.each<[number, readonly number[], readonly number[]]>([
    [0.01, [19.99, 143.47, 1.11, 0, -0.05, 1e300], [1.005, 0.001, -0.011]],
    [0.1, [0.3, 0.7, 19.9], [0.35, 0.30000000000000004]],
    [0.123456789, [0.123456789, 1.23456789], [1e308, 5e-324, 1]],
    [1e-8, [12_391_239_123, 1e-7], [1.5e-9]],
    [5e-324, [1e308, 1, 5e-324], []],
    [1e308, [0, 1e308], [1, 1.5e308]],
    [3, [9_007_199_254_740_990, -9, -0], [1, 9_007_199_254_740_991.0, 1e-10]],
  ])("of %d is told by its digits", (multipleOf, fitting, unfit) => {
    const { validate } = compileSchema({ multipleOf });
    for (const value of fitting) expect(validate(value).ok, String(value)).toBe(true);
    for (const value of unfit) {
      expect(validate(value), String(value)).toMatchObject({
        issues: [
          {
            keyword: "multipleOf",
            message: `the value must be a multiple of ${multipleOf}, got ${value}`,
          },
        ],
      });
    }
    expect(validate("text").ok).toBe(true);
  });
});

describe.each(engines)("%s: the network", (_engine, compileSchema) => {
  it("is never asked for a reference", async () => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests += 1;
      response.end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const schema of [
      { $ref: `${host}/a.json` },
      { $id: `${host}/root.json`, properties: { a: { $ref: "a.json" } } },
      { $schema: d7, $id: `${host}/root.json`, items: { $ref: "//127.0.0.1/a" } },
      { $dynamicRef: `${host}/a.json` },
      { $recursiveRef: `${host}/a.json` },
      { $schema: `${host}/schema` },
    ]) {
      expect(() => compileSchema(schema)).toThrowError(ToolSchemaError);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    await new Promise((resolve) => server.close(resolve));
    expect(requests).toBe(0);
  });
});
