import { readFileSync } from "node:fs";
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  type JsonObject,
  type MCPToolDescriptor,
  type Quarantined,
  readTool,
  readTools,
  type ToolReading,
  type Warning,
} from "../src/index.ts";

const openObject = { type: "object" };

function tool(value: unknown): MCPToolDescriptor {
  const reading = readTool(value);
  if (!reading.ok) throw new Error(`quarantined: ${reading.quarantined.message}`);
  return reading.tool;
}

function quarantined(value: unknown): Quarantined {
  const reading = readTool(value);
  if (reading.ok) throw new Error(`not quarantined: ${reading.tool.name}`);
  return reading.quarantined;
}

function warnings(value: unknown): readonly Warning[] {
  const reading = readTool(value);
  return reading.ok ? reading.warnings : [];
}

describe("a tool", () => {
  it("keeps every field the protocol names, by reference, and the whole item as raw", () => {
    const item = {
      name: "read_file",
      title: "Read a file",
      description: "Reads.",
      inputSchema: { type: "object", properties: { path: { type: "string" } } },
      outputSchema: { type: "object" },
      annotations: { readOnlyHint: true, vendorHint: 3 },
      execution: { taskSupport: "required" },
      icons: [{ src: "https://icons.example/a.png" }],
      _meta: { "example/x": 1 },
      vendorKey: "kept in raw",
    };
    const before = structuredClone(item);

    const reading = readTool(item);

    expect(reading).toEqual({
      ok: true,
      warnings: [],
      tool: {
        name: item.name,
        title: item.title,
        description: item.description,
        inputSchema: item.inputSchema,
        outputSchema: item.outputSchema,
        annotations: item.annotations,
        execution: item.execution,
        icons: item.icons,
        _meta: item._meta,
        raw: item,
      },
    });
    expect(tool(item).raw).toBe(item);
    expect(tool(item).inputSchema).toBe(item.inputSchema);
    expect(tool(item).outputSchema).toBe(item.outputSchema);
    expect(item).toEqual(before);
  });

  it("needs no more than a name", () => {
    const item = { name: "ping" };
    expect(tool(item)).toEqual({
      name: "ping",
      description: "",
      inputSchema: openObject,
      raw: item,
    });
  });

  it.each([
    ["missing", { name: "t" }, "undefined"],
    ["undefined", { name: "t", inputSchema: undefined }, "undefined"],
    ["null", { name: "t", inputSchema: null }, "null"],
  ])("takes any object when its inputSchema is %s, and says so", (_, item, came) => {
    expect(tool(item).inputSchema).toEqual(openObject);
    expect(tool(item).raw).toBe(item);
    expect(warnings(item)).toEqual([
      {
        code: "schema_missing",
        message: `tool "t" has no inputSchema (${came}); it takes any object`,
        path: "/inputSchema",
      },
    ]);
  });

  it("does not share the schema it makes up between tools", () => {
    expect(tool({ name: "a" }).inputSchema).not.toBe(tool({ name: "b" }).inputSchema);
  });

  it.each([
    ["no type", {}],
    ["only a dialect", { $schema: "http://json-schema.org/draft-07/schema#" }],
    ["a root union", { anyOf: [{ type: "object" }, { type: "null" }] }],
    ["properties: null", { type: "object", properties: null }],
    [
      "an own __proto__",
      JSON.parse('{"type":"object","properties":{"__proto__":{}}}') as JsonObject,
    ],
  ])(
    "keeps a schema with %s untouched: to judge it is not this package's business",
    (_, schema) => {
      const text = JSON.stringify(schema);
      const read = tool({ name: "t", inputSchema: schema });
      expect(read.inputSchema).toBe(schema);
      expect(JSON.stringify(read.inputSchema)).toBe(text);
      expect(warnings({ name: "t", inputSchema: schema })).toEqual([]);
    },
  );

  it.each([
    ["an array", [{ type: "object" }]],
    ["string", "object"],
    ["number", 7],
    ["boolean", true],
    ["boolean", false],
  ])("is quarantined when its inputSchema is %s (%j)", (kind, inputSchema) => {
    expect(quarantined({ name: "t", inputSchema })).toEqual({
      name: "t",
      code: "invalid_schema",
      path: "/inputSchema",
      message: `tool "t": inputSchema must be an object, got ${kind}`,
    });
  });

  it.each([
    ["undefined", undefined],
    ["null", null],
    ["an array", ["name"]],
    ["string", "tool"],
    ["number", 4],
    ["function", () => ({ name: "x" })],
  ])("is quarantined when it is %s instead of an object", (kind, value) => {
    expect(quarantined(value)).toEqual({
      code: "not_an_object",
      path: "",
      message: `tool must be an object, got ${kind}`,
    });
  });

  it.each([
    ["undefined", {}],
    ["undefined", { name: undefined }],
    ["null", { name: null }],
    ["number", { name: 7 }],
    ["an array", { name: ["a"] }],
    ["object", { name: { toString: () => "a" } }],
    ["an empty one", { name: "" }],
  ])("is quarantined when its name is %s", (came, item) => {
    expect(quarantined({ ...item, inputSchema: openObject })).toEqual({
      code: "invalid_name",
      path: "/name",
      message: `tool: name must be a non-empty string, got ${came}`,
    });
  });

  it("does not take a name from its prototype", () => {
    expect(quarantined(Object.create({ name: "inherited" })).code).toBe("invalid_name");
    expect(tool({ name: "t", __proto__: { title: "inherited" } }).title).toBeUndefined();
  });

  it.each([
    "a b/c é",
    "admin.tools/list",
    "__proto__",
    "constructor",
    "x".repeat(300),
    " ",
    "名前",
    "a\u0000b",
  ])("may be called %j: names are not ours to judge", (name) => {
    expect(tool({ name, inputSchema: openObject }).name).toBe(name);
  });

  it.each([
    ["title", 5, "a string", "number"],
    ["description", { en: "x" }, "a string", "object"],
    ["outputSchema", "object", "an object", "string"],
    ["outputSchema", [], "an object", "an array"],
    ["outputSchema", true, "an object", "boolean"],
    ["annotations", [1], "an object", "an array"],
    ["annotations", "readOnly", "an object", "string"],
    ["execution", 1, "an object", "number"],
    ["icons", { src: "x" }, "an array", "object"],
    ["_meta", "m", "an object", "string"],
  ])("loses no more than %s when that is %j", (field, value, expected, came) => {
    const item = { name: "t", inputSchema: openObject, [field]: value };
    expect(tool(item)).toEqual({
      name: "t",
      description: "",
      inputSchema: openObject,
      raw: item,
    });
    expect(warnings(item)).toEqual([
      {
        code: "invalid_field",
        message: `tool "t": ${field} must be ${expected}, got ${came}; it is left out`,
        path: `/${field}`,
      },
    ]);
  });

  it.each(["title", "description", "outputSchema", "annotations", "execution", "icons", "_meta"])(
    "reads %s: null as absent, without a word",
    (field) => {
      const item = { name: "t", inputSchema: openObject, [field]: null };
      const { raw, ...rest } = tool(item);
      expect(rest).toEqual({ name: "t", description: "", inputSchema: openObject });
      expect(warnings(item)).toEqual([]);
      expect(raw).toBe(item);
    },
  );

  it("cannot break out of a message by its name", () => {
    const name = `x"\n\u001b[31m${"y".repeat(500)}`;
    const { message } = quarantined({ name, inputSchema: 1 });
    expect(message).not.toMatch(/\p{Control}/u);
    expect(message.length).toBeLessThan(200);
  });
});

describe("a list of tools", () => {
  it("loses nothing to its bad items and names each of them", () => {
    const { tools, quarantined, warnings } = readTools([
      null,
      { name: "good_a", inputSchema: openObject },
      { description: "nameless" },
      { name: "bad", inputSchema: [] },
      { name: "good_b" },
    ]);
    expect(tools.map(({ name }) => name)).toEqual(["good_a", "good_b"]);
    expect(quarantined.map(({ code, name, message }) => [code, name, message])).toEqual([
      ["not_an_object", undefined, "tool 0 of the list must be an object, got null"],
      [
        "invalid_name",
        undefined,
        "tool 2 of the list: name must be a non-empty string, got undefined",
      ],
      ["invalid_schema", "bad", 'tool "bad": inputSchema must be an object, got an array'],
    ]);
    expect(warnings.map(({ message }) => message)).toEqual([
      'tool "good_b" has no inputSchema (undefined); it takes any object',
    ]);
  });

  it("keeps all five tools of a server with schemas missing, null and bare (case server-08)", () => {
    const schema = {
      type: "object",
      properties: { x: { type: "integer" } },
      required: ["x"],
    };
    const { tools, quarantined, warnings } = readTools([
      { name: "good_a", inputSchema: schema },
      { name: "no_schema", description: "none" },
      { name: "null_schema", inputSchema: null },
      {
        name: "only_dialect",
        inputSchema: { $schema: "http://json-schema.org/draft-07/schema#" },
      },
      { name: "good_b", inputSchema: schema },
    ]);
    expect(tools).toHaveLength(5);
    expect(quarantined).toEqual([]);
    expect(warnings.map(({ code, message }) => [code, message.split(" ")[1]])).toEqual([
      ["schema_missing", '"no_schema"'],
      ["schema_missing", '"null_schema"'],
    ]);
  });

  it("keeps the first of two tools of one name and names the other (case server-07)", () => {
    const byId = {
      name: "find",
      description: "by id",
      inputSchema: { type: "object", required: ["id"] },
    };
    const byName = {
      name: "find",
      description: "by name",
      inputSchema: { type: "object", required: ["name"] },
    };
    const { tools, quarantined } = readTools([byId, { name: "solo", inputSchema: {} }, byName]);
    expect(tools.map(({ raw }) => raw)).toEqual([byId, { name: "solo", inputSchema: {} }]);
    expect(quarantined).toEqual([
      {
        name: "find",
        code: "duplicate_name",
        path: "/name",
        message: 'tool "find" is listed twice; the first one is kept',
      },
    ]);
  });

  it("lets a readable tool have the name of an unreadable one before it", () => {
    const { tools, quarantined } = readTools([
      { name: "t", inputSchema: 5 },
      { name: "t", inputSchema: {} },
    ]);
    expect(tools).toHaveLength(1);
    expect(quarantined.map(({ code }) => code)).toEqual(["invalid_schema"]);
  });

  it("says nothing about the fields of a tool that it sets aside as a duplicate", () => {
    const { warnings } = readTools([{ name: "t", inputSchema: {} }, { name: "t" }]);
    expect(warnings).toEqual([]);
  });

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"])(
    "tells tools called %s apart without a prototype",
    (name) => {
      const { tools, quarantined } = readTools([{ name }, { name }, { name: "other" }]);
      expect(tools.map((each) => each.name)).toEqual([name, "other"]);
      expect(quarantined.map((each) => each.name)).toEqual([name]);
      expect(({} as JsonObject)["name"]).toBeUndefined();
    },
  );

  it("distinguishes names that differ only in case or form", () => {
    const names = ["Read", "read", "read ", "re\u0301ad", "r\u00e9ad"];
    expect(readTools(names.map((name) => ({ name }))).tools.map(({ name }) => name)).toEqual(names);
  });

  it("reads an empty list as an empty list", () => {
    expect(readTools([])).toEqual({ tools: [], quarantined: [], warnings: [] });
  });
});

describe("the tools of 25 real servers", () => {
  const rows = JSON.parse(
    readFileSync(new URL("fixtures/real-tools.json", import.meta.url), "utf8"),
  ) as { server: string; tool: JsonObject }[];
  const servers = [...new Set(rows.map(({ server }) => server))];

  it("are all 667 read, none set aside, none with a warning", () => {
    expect(rows).toHaveLength(667);
    expect(servers).toHaveLength(25);
    for (const { tool: item } of rows) {
      const reading = readTool(item);
      expect(reading, JSON.stringify(item["name"])).toMatchObject({ ok: true, warnings: [] });
    }
  });

  it.each(servers)("of %s keep their order, schemas and hints", (server) => {
    const items = rows.filter((row) => row.server === server).map((row) => row.tool);
    const { tools, quarantined, warnings } = readTools(items);
    expect(quarantined).toEqual([]);
    expect(warnings).toEqual([]);
    expect(tools.map(({ name }) => name)).toEqual(items.map((item) => item["name"]));
    for (const [index, item] of items.entries()) {
      expect(tools[index]?.inputSchema).toBe(item["inputSchema"]);
      expect(tools[index]?.outputSchema).toBe(item["outputSchema"]);
      expect(tools[index]?.annotations).toBe(item["annotations"]);
      expect(tools[index]?.description).toBe(item["description"]);
    }
  });
});

it("promises its types", () => {
  expectTypeOf(readTool).parameter(0).toBeUnknown();
  expectTypeOf(readTool).returns.toEqualTypeOf<ToolReading>();
  expectTypeOf<MCPToolDescriptor["inputSchema"]>().toEqualTypeOf<JsonObject>();
  expectTypeOf<MCPToolDescriptor["title"]>().toEqualTypeOf<string | undefined>();
  expectTypeOf(readTools).parameter(0).toEqualTypeOf<readonly unknown[]>();
});
