import { describe, expect, it } from "vitest";
import {
  AdapterMCPError,
  callMcpTool,
  loadMcpToolCatalog,
  McpProtocolError,
  normalizeMcpCallResult,
  normalizeMcpToolCatalog,
  validateMcpToolArguments,
} from "../src/index.ts";
import { fakeClient, text } from "./fake-client.ts";

const tool = (name: string, more: object = {}) => ({
  name,
  inputSchema: { type: "object" },
  ...more,
});
const thrownBy = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe("normalizeMcpToolCatalog", () => {
  it("sorts, keeps what a tool needs, and leaves the rest", () => {
    const listed = [
      tool("b", {
        description: "B",
        title: "Bee",
        icons: [],
        execution: { taskSupport: "required" },
      }),
      tool("B"),
      { name: "a" },
    ];
    expect(normalizeMcpToolCatalog(listed)).toEqual([
      tool("B"),
      { name: "a", inputSchema: { type: "object", properties: {} } },
      tool("b", { description: "B", title: "Bee", execution: { taskSupport: "required" } }),
    ]);
  });

  it("freezes copies, however deep, and leaves the list alone", () => {
    const deep: Record<string, unknown> = {};
    let at = deep;
    for (let level = 0; level < 500; level += 1) {
      const inner = {};
      at["not"] = inner;
      at = inner;
    }
    const listed = [tool("a", { inputSchema: deep })];
    const catalog = normalizeMcpToolCatalog(listed);
    let frozen: unknown = catalog;
    for (const key of [0, "inputSchema", "not", "not"]) {
      expect(Object.isFrozen(frozen)).toBe(true);
      frozen = Reflect.get(Object(frozen), key);
    }
    expect(Object.isFrozen(deep)).toBe(false);
    expect(Object.isFrozen(listed)).toBe(false);
  });

  it.each([
    [[3], "invalid_tool_name", undefined],
    [[{}], "invalid_tool_name", undefined],
    [[tool("")], "invalid_tool_name", undefined],
    [[tool("a", { description: 3 })], "invalid_tool_description", "a"],
    [[tool("a", { inputSchema: [] })], "invalid_tool_schema", "a"],
    [[tool("a", { inputSchema: "{}" })], "invalid_tool_schema", "a"],
    [[tool("a"), tool("b"), tool("a")], "duplicate_tool_name", "a"],
  ])("refuses %j with %s", (listed, code, toolName) => {
    const error = thrownBy(() => normalizeMcpToolCatalog(listed));
    expect(error).toBeInstanceOf(McpProtocolError);
    expect(error).toBeInstanceOf(AdapterMCPError);
    expect(error).toMatchObject({ name: "McpProtocolError", code, toolName });
  });

  it("keeps why a schema cannot be copied", () => {
    const listed = [tool("a", { inputSchema: { make: () => 1 } })];
    expect(thrownBy(() => normalizeMcpToolCatalog(listed))).toMatchObject({
      code: "invalid_tool_schema",
      cause: expect.objectContaining({ name: "DataCloneError" }),
    });
  });
});

describe("loadMcpToolCatalog", () => {
  const pages = (params: unknown) =>
    params ? { tools: [tool("a")] } : { tools: [tool("b")], nextCursor: "2" };

  it.each([
    [{}, ["a", "b"], 2],
    [{ autoPaginate: false }, ["b"], 1],
    [{ maxItems: 2 }, ["a", "b"], 2],
  ])("with %j gives %j", async (options, names, requests) => {
    const { client, log } = fakeClient({ listTools: pages });
    const catalog = await loadMcpToolCatalog(client, options);
    expect(catalog.map(({ name }) => name)).toEqual(names);
    expect(log).toHaveLength(requests);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    "refuses maxItems %d",
    async (maxItems) => {
      const { client, log } = fakeClient({ listTools: pages });
      await expect(loadMcpToolCatalog(client, { maxItems })).rejects.toMatchObject({
        code: "invalid_catalog_limit",
      });
      expect(log).toEqual([]);
    },
  );

  it.each([
    ["more than maxItems", pages, { maxItems: 1 }, "catalog_limit_exceeded"],
    ["no list", () => ({}), {}, "invalid_catalog_shape"],
    ["no cursor", () => ({ tools: [], nextCursor: 2 }), {}, "invalid_cursor"],
    ["a bad tool", () => [{}], {}, "invalid_tool_name"],
  ])("refuses a list of %s", async (_, listTools, options, code) => {
    const { client } = fakeClient({ listTools });
    await expect(loadMcpToolCatalog(client, options)).rejects.toMatchObject({ code });
  });

  it("ends a list that goes in circles", async () => {
    const { client, log } = fakeClient({
      listTools: () => ({ tools: [tool("a")], nextCursor: "x" }),
    });
    expect(await loadMcpToolCatalog(client)).toHaveLength(1);
    expect(log.length).toBeLessThan(4);
  });

  it("remembers nothing", async () => {
    const { client, log } = fakeClient({ listTools: () => [tool("a")] });
    await loadMcpToolCatalog(client);
    await loadMcpToolCatalog(client);
    expect(log).toHaveLength(2);
  });
});

describe("validateMcpToolArguments", () => {
  const schema = {
    type: "object",
    properties: {
      mode: { enum: ["summary", "full"] },
      target: {
        anyOf: [
          { type: "string", minLength: 3 },
          { type: "integer", minimum: 1 },
        ],
      },
      when: { type: "string", format: "date" },
    },
    required: ["mode"],
    additionalProperties: false,
  };

  it.each([{ mode: "full" }, { mode: "summary", target: 2 }, { mode: "full", when: "2026-11-30" }])(
    "takes %j",
    (args) => {
      expect(validateMcpToolArguments(schema, args)).toEqual({ ok: true });
    },
  );

  it("names all that is wrong", () => {
    const verdict = validateMcpToolArguments(schema, {
      mode: "other",
      target: "x",
      extra: true,
      when: "now",
    });
    expect(verdict).toMatchObject({ ok: false, reason: "invalid_arguments" });
    const issues = verdict.ok ? [] : verdict.issues;
    expect(issues.map(({ keyword }) => keyword).sort()).toEqual([
      "additionalProperties",
      "anyOf",
      "enum",
      "format",
    ]);
    for (const issue of issues) {
      expect(issue).toEqual({
        instancePath: expect.any(String),
        schemaPath: "",
        keyword: expect.any(String),
        message: expect.stringMatching(/./),
      });
    }
  });

  it.each([
    [{ type: "no-such-type" }],
    [{ $ref: "#/missing" }],
    [{ properties: { a: { pattern: "(" } } }],
  ])("tells a schema that is none, %j, from arguments that do not fit", (broken) => {
    expect(validateMcpToolArguments(broken, {})).toMatchObject({
      ok: false,
      reason: "invalid_schema",
      issues: [{ keyword: "schema", message: expect.stringMatching(/./) }],
    });
  });

  it("takes no arguments that are no object, even where the schema would", () => {
    for (const args of [[], "x", 3, null]) {
      const given = args as unknown as Record<string, unknown>;
      expect(validateMcpToolArguments({}, given)).toMatchObject({ reason: "invalid_arguments" });
    }
  });

  it("blames arguments that throw when they are read on the arguments", () => {
    const args = Object.defineProperty({}, "a", {
      enumerable: true,
      get: () => {
        throw new Error("no");
      },
    });
    expect(validateMcpToolArguments({ required: ["a"] }, args)).toMatchObject({
      ok: false,
      reason: "invalid_arguments",
    });
  });
});

describe("normalizeMcpCallResult", () => {
  it("keeps blocks as they came, in a frozen copy", () => {
    const raw = {
      content: [
        { type: "text", text: "a", _meta: { x: 1 } },
        { type: "chart", points: [1] },
      ],
      structuredContent: { a: { b: 1 } },
      isError: true,
    };
    const result = normalizeMcpCallResult(raw);
    expect(result).toEqual(raw);
    expect(result.content[1]).not.toBe(raw.content[1]);
    for (const part of [
      result,
      result.content,
      result.content[1],
      result.structuredContent?.["a"],
    ]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
    expect(normalizeMcpCallResult(text("a"))).toEqual({ ...text("a"), isError: false });
  });

  it.each([
    [undefined],
    ["a"],
    [{}],
    [{ content: "a" }],
    [{ content: [], isError: "yes" }],
    [{ content: [], structuredContent: [] }],
    [{ content: [3] }],
    [{ content: [{}] }],
    [{ content: [{ type: "" }] }],
    [{ content: [{ type: "text" }] }],
    [{ content: [{ type: "image", data: "AAAA" }] }],
    [{ content: [{ type: "audio", mimeType: "audio/wav" }] }],
    [{ content: [{ type: "resource" }] }],
    [{ content: [{ type: "resource", resource: {} }] }],
    [{ content: [{ type: "chart", draw: () => 1 }] }],
  ])("refuses %j", (raw) => {
    expect(thrownBy(() => normalizeMcpCallResult(raw))).toMatchObject({
      name: "McpProtocolError",
      code: "invalid_call_result",
    });
  });
});

describe("callMcpTool", () => {
  it("is one request, in the form of MCP", async () => {
    const { client, log } = fakeClient({});
    const args = { a: 1 };
    expect(
      await callMcpTool(
        { callTool: (params) => client.callTool(params as never, {} as never) },
        "t",
        args,
      ),
    ).toEqual({
      ...text("done"),
      isError: false,
    });
    expect(log[0]?.[1]).toEqual({ name: "t", arguments: args });
  });

  it.each([
    [
      "what the client rejects with",
      () => Promise.reject(new Error("quota")),
      { message: "quota" },
    ],
    ["an answer that is none", () => undefined, { code: "invalid_call_result" }],
  ])("throws %s, once", async (_, callTool, error) => {
    const { client, log } = fakeClient({ callTool });
    await expect(callMcpTool(client as never, "t", {})).rejects.toMatchObject(error);
    expect(log).toHaveLength(1);
  });
});
