import { describe, expect, it } from "vitest";
import { ParamHeaders } from "../src/engine/param-headers.ts";

type Properties = Record<string, unknown>;

function toolWith(properties: Properties, rest: object = {}): object {
  return { name: "t", inputSchema: { type: "object", properties, ...rest } };
}

/** What is listed of one tool, and why not. */
function learn(tool: unknown): { headers: ParamHeaders; kept: unknown[]; faults: string[] } {
  const headers = new ParamHeaders();
  const faults: string[] = [];
  const kept = headers.learn([tool], (name, why) => faults.push(`${name}: ${why}`));
  return { headers, kept, faults };
}

function headersOf(properties: Properties, args: unknown): object | undefined {
  const { headers, faults } = learn(toolWith(properties));
  expect(faults).toEqual([]);
  return headers.of({ name: "t", arguments: args });
}

const region = { type: "string", "x-mcp-header": "Region" };

describe("the headers of a call", () => {
  it.each<[what: string, properties: Properties, args: unknown, headers: object | undefined]>([
    ["a text", { r: region }, { r: "eu-1" }, { "Mcp-Param-Region": "eu-1" }],
    [
      "an integer and a flag",
      {
        n: { type: "integer", "x-mcp-header": "N" },
        b: { type: "boolean", "x-mcp-header": "B" },
      },
      { n: -7, b: false },
      { "Mcp-Param-N": "-7", "Mcp-Param-B": "false" },
    ],
    [
      "one that lies deeper",
      { a: { type: "object", properties: { b: { type: "object", properties: { c: region } } } } },
      { a: { b: { c: "x" } } },
      { "Mcp-Param-Region": "x" },
    ],
    [
      "one beside others",
      { r: region, s: { type: "string" } },
      { r: "x", s: "y" },
      { "Mcp-Param-Region": "x" },
    ],
    ["none for what is not given", { r: region }, {}, undefined],
    ["none for null", { r: region }, { r: null }, undefined],
    ["none for a list or an object", { r: region }, { r: ["x"] }, undefined],
    ["none without arguments", { r: region }, undefined, undefined],
    ["none for arguments that are none", { r: region }, "r", undefined],
    [
      "none where a list stands for the object",
      { a: { properties: { r: region } } },
      { a: ["x"] },
      undefined,
    ],
    [
      "none for a number that JSON readers understand differently",
      { n: { type: "integer", "x-mcp-header": "N" } },
      { n: 2 ** 53 },
      undefined,
    ],
    [
      "none for what is inherited",
      { constructor: region, toString: { type: "string", "x-mcp-header": "To" } },
      {},
      undefined,
    ],
    [
      "a parameter of a hostile name",
      JSON.parse('{"__proto__":{"type":"string","x-mcp-header":"Proto"}}'),
      JSON.parse('{"__proto__":"own"}'),
      { "Mcp-Param-Proto": "own" },
    ],
    [
      "a parameter that is only called so",
      { "x-mcp-header": { type: "string" }, properties: region },
      { "x-mcp-header": "no", properties: "yes" },
      { "Mcp-Param-Region": "yes" },
    ],
  ])("%s", (_, properties, args, headers) => {
    expect(headersOf(properties, args)).toEqual(headers);
  });

  it.each<[value: string, header: string]>([
    ["plain", "plain"],
    ["a b\tc ~!", "a b\tc ~!"],
    ["=?base64?", "=?base64?"],
    ["nord-øst", "=?base64?bm9yZC3DuHN0?="],
    ["", "=?base64??="],
    [" x", "=?base64?IHg=?="],
    ["x ", "=?base64?eCA=?="],
    ["\tx", "=?base64?CXg=?="],
    ["a\r\nX-Evil: 1", "=?base64?YQ0KWC1FdmlsOiAx?="],
    ["a\0b", "=?base64?YQBi?="],
    ["=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="],
  ])("carry the value %j as %s", (value, header) => {
    expect(headersOf({ r: region }, { r: value })).toEqual({ "Mcp-Param-Region": header });
    const [, coded] = /^=\?base64\?(.*)\?=$/.exec(header) ?? [];
    if (coded !== undefined) expect(Buffer.from(coded, "base64").toString()).toBe(value);
  });

  it("belong to the tool that declares them", () => {
    const headers = new ParamHeaders();
    const tools = [
      { name: "a", inputSchema: { properties: { r: region } } },
      { name: "b", inputSchema: { properties: { r: { type: "string" } } } },
    ];
    headers.learn(tools, () => {});
    const args = { r: "x" };
    expect(headers.of({ name: "a", arguments: args })).toEqual({ "Mcp-Param-Region": "x" });
    for (const name of ["b", "c", "__proto__", "constructor", undefined, 5]) {
      expect(headers.of({ name, arguments: args })).toBeUndefined();
    }
  });

  it("follow the list as it was last seen", () => {
    const { headers } = learn(toolWith({ r: region }));
    headers.learn([toolWith({ r: { ...region, "x-mcp-header": "Zone" } })], () => {});
    expect(headers.of({ name: "t", arguments: { r: "x" } })).toEqual({ "Mcp-Param-Zone": "x" });
    headers.learn([toolWith({ r: { type: "string" } })], () => {});
    expect(headers.of({ name: "t", arguments: { r: "x" } })).toBeUndefined();
  });
});

describe("a tool of a list", () => {
  it.each<[what: string, tool: unknown]>([
    ["without declarations", toolWith({ a: { type: "string" } })],
    ["without a schema", { name: "t" }],
    ["with a schema that is none", { name: "t", inputSchema: "x-mcp-header" }],
    ["without a name", { inputSchema: { properties: { r: { "x-mcp-header": "" } } } }],
    ["that is no object", null],
    ["that is a text", "t"],
    ["with a value that looks like one", toolWith({ a: { default: { "x-mcp-header": "" } } })],
    ["with examples that look like one", toolWith({ a: { examples: [{ "x-mcp-header": 1 }] } })],
    ["with a constant", toolWith({ a: { const: { "x-mcp-header": 1 }, enum: [region] } })],
  ])("%s stays", (_, tool) => {
    const { kept, faults } = learn(tool);
    expect(kept).toEqual([tool]);
    expect(faults).toEqual([]);
  });

  it.each<[why: string, properties: Properties, rest: object]>([
    ["is no header name", { r: { ...region, "x-mcp-header": "" } }, {}],
    ["is no header name", { r: { ...region, "x-mcp-header": "a b" } }, {}],
    ["is no header name", { r: { ...region, "x-mcp-header": "a:b" } }, {}],
    ["is no header name", { r: { ...region, "x-mcp-header": "a\r\nb" } }, {}],
    ["is no header name", { r: { ...region, "x-mcp-header": "é" } }, {}],
    ["is no header name", { r: { ...region, "x-mcp-header": 5 } }, {}],
    ["is no header name", { r: { ...region, "x-mcp-header": null } }, {}],
    ["not of type string, integer, boolean", { r: { "x-mcp-header": "R" } }, {}],
    ["not of type", { r: { type: "number", "x-mcp-header": "R" } }, {}],
    ["not of type", { r: { type: "object", "x-mcp-header": "R" } }, {}],
    ["not of type", { r: { type: "array", "x-mcp-header": "R" } }, {}],
    ["not of type", { r: { type: ["string"], "x-mcp-header": "R" } }, {}],
    ["names a header twice", { a: region, b: { ...region, "x-mcp-header": "REGION" } }, {}],
    ["stands where no parameter is", {}, { "x-mcp-header": "R", type: "string" }],
    ["stands where no parameter is", { l: { type: "array", items: region } }, {}],
    ["stands where no parameter is", { r: { anyOf: [region] } }, {}],
    ["stands where no parameter is", {}, { $defs: { r: region } }],
    ["stands where no parameter is", {}, { oneOf: [{ properties: { r: region } }] }],
    ["stands where no parameter is", {}, { additionalProperties: region }],
  ])("whose x-mcp-header %s is left out, as in %j %j", (why, properties, rest) => {
    const tool = toolWith(properties, rest);
    const { headers, kept, faults } = learn(tool);
    expect(kept).toEqual([]);
    expect(faults).toEqual([expect.stringContaining(why)]);
    expect(faults[0]).toMatch(/^t: /);
    expect(headers.of({ name: "t", arguments: { r: "x" } })).toBeUndefined();
  });

  it("left out costs the others nothing", () => {
    const headers = new ParamHeaders();
    const good = { name: "good", inputSchema: { properties: { r: region } } };
    const bad = { name: "bad", inputSchema: { "x-mcp-header": "R" } };
    expect(headers.learn([bad, good, bad], () => {})).toEqual([good]);
    expect(headers.of({ name: "good", arguments: { r: "x" } })).toBeDefined();
  });

  it("of any depth or width is read in little time", () => {
    let deep: object = region;
    for (let level = 0; level < 5_000; level += 1) deep = { properties: { a: deep } };
    const wide = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, n) => [`p${n}`, { ...region, "x-mcp-header": `H${n}` }]),
    );
    const start = performance.now();
    expect(learn({ name: "t", inputSchema: deep }).kept).toHaveLength(1);
    expect(learn(toolWith(wide)).kept).toHaveLength(1);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});
