import { readFileSync } from "node:fs";
import { type StdioTestServer, stdioTestServer } from "@x/mcp-testkit";
import { ToolRegistry } from "@x/tool-registry";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MCPAdapterEvent, MCPToolAdapter, type MCPToolResult } from "../src/index.ts";

/** Schemas that broke other bridges, each offered by a server process that echoes its arguments. */

interface SchemaCase {
  readonly id: string;
  readonly inputSchema: object;
  readonly compileFirst?: readonly object[];
  readonly accept: readonly unknown[];
  readonly reject: readonly unknown[];
  readonly either?: readonly unknown[];
  readonly unresolvable?: boolean;
}

const cases = JSON.parse(
  readFileSync(new URL("fixtures/schemas.json", import.meta.url), "utf8"),
) as readonly SchemaCase[];
const sound = cases.filter(({ unresolvable }) => unresolvable !== true);
const remote = cases.filter(({ unresolvable }) => unresolvable === true);

/** Tools beside those of the cases: what is set aside, and what only costs a warning. */
const broken = {
  "at the guard": { type: "object", properties: { a: { items: { type: "any" } } } },
  "too deep": { properties: { a: nested(100) } },
  "asynchronous and remote": { $async: true, $ref: "http://127.0.0.1:9/never.json" },
};
const outputs = {
  "honest output": {
    schema: { type: "object", required: ["n"] },
    result: { content: [], structuredContent: { n: 1 } },
  },
  "broken promise": {
    schema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
    result: { content: [{ type: "text", text: "kept" }], structuredContent: { n: "1" } },
  },
  "no structure": {
    schema: { type: "object", required: ["n"] },
    result: { content: [{ type: "text", text: "kept" }] },
  },
  "unusable output": {
    schema: { type: "object", properties: { n: { pattern: "(" } } },
    result: { content: [{ type: "text", text: "kept" }], structuredContent: { n: 5 } },
  },
  "asynchronous output": {
    schema: { $async: true, type: "object", required: ["n"] },
    result: { content: [{ type: "text", text: "kept" }], structuredContent: {} },
  },
};

function nested(levels: number): object {
  let schema: object = { type: "string" };
  for (let level = 0; level < levels; level += 1) schema = { items: schema };
  return schema;
}

const tools = [
  ...cases.flatMap(({ id, inputSchema, compileFirst = [] }) => [
    ...compileFirst.map((schema, index) => listed(`${id} first ${index}`, schema)),
    listed(id, inputSchema),
  ]),
  ...Object.entries(broken).map(([name, schema]) => listed(name, schema)),
  ...Object.entries(outputs).map(([name, { schema, result }]) => ({
    listed: { name, inputSchema: { type: "object" }, outputSchema: schema },
    result,
  })),
];

function listed(name: string, inputSchema: object) {
  return { listed: { name, inputSchema } };
}

let server: StdioTestServer;
let adapter: MCPToolAdapter;
const events: MCPAdapterEvent[] = [];

beforeAll(async () => {
  server = stdioTestServer({ tools, builtInTools: false });
  adapter = new MCPToolAdapter(
    { name: "cases", command: server.command, args: [...server.args] },
    { onEvent: (event) => events.push(event) },
  );
  await adapter.connect();
});

afterAll(async () => {
  await adapter.disconnect();
  await server.stop();
});

function invoke(name: string, args: unknown): Promise<MCPToolResult> {
  // Arguments come from a model and may be anything.
  return adapter.invoke(name, args as Record<string, unknown>);
}

/** What the server was called with. */
function received(name: string): unknown[] {
  return server.calls.filter(({ tool }) => tool === name).map((call) => call.arguments);
}

describe("a schema of a server", () => {
  it("is shown as the server wrote it", async () => {
    const found = new Map((await adapter.discoverTools()).map((tool) => [tool.name, tool]));
    expect(sound).toHaveLength(27);
    for (const { id, inputSchema } of sound) {
      expect(JSON.stringify(found.get(id)?.inputSchema), id).toBe(JSON.stringify(inputSchema));
    }
  });

  it.each(sound)("$id: what fits arrives as it was given", async ({ id, accept }) => {
    const before = JSON.stringify(accept);
    for (const args of accept) {
      const result = await invoke(id, args);
      expect(result, JSON.stringify(args)).toMatchObject({ success: true, warnings: [] });
      expect(JSON.parse(textOf(result))).toEqual(args);
    }
    expect(received(id).map((args) => JSON.stringify(args))).toEqual(
      accept.map((args) => JSON.stringify(args)),
    );
    expect(JSON.stringify(accept)).toBe(before);
  });

  it.each(sound)("$id: what does not fit is never sent", async ({ id, reject }) => {
    const calls = received(id).length;
    for (const args of reject) {
      const result = await invoke(id, args);
      expect(result, JSON.stringify(args)).toMatchObject({
        success: false,
        errorCode: "validation",
        error: expect.stringMatching(/^validation failed: ./),
        ran: "no",
      });
    }
    expect(received(id)).toHaveLength(calls);
  });

  it.each(sound.filter(({ either = [], id }) => either.length > 0 && id !== "schema-27-redos"))(
    "$id: what may be taken or not is answered",
    async ({ id, either = [] }) => {
      for (const args of either) {
        const { errorCode } = await invoke(id, args);
        expect([null, "validation"]).toContain(errorCode);
      }
    },
  );
});

function textOf({ content }: MCPToolResult): string {
  return content.map((block) => ("text" in block ? block.text : "")).join("");
}

describe("a tool whose schema cannot be used", () => {
  it.each<[string, string, unknown]>([
    ["at the guard", "invalid_schema", "/inputSchema/properties/a/items/type"],
    ["too deep", "too_large", expect.stringMatching(/^\/inputSchema\/properties\/a\/items\//)],
    ["asynchronous and remote", "unresolved_ref", "/inputSchema/$ref"],
    ...remote.map(({ id }): [string, string, unknown] => [
      id,
      "unresolved_ref",
      "/inputSchema/properties/x/$ref",
    ]),
  ])("is set aside with code and path: %s", async (name, code, path) => {
    await adapter.discoverTools();
    const { tools: usable, quarantined } = adapter.discovery;
    expect(usable.map((tool) => tool.name)).not.toContain(name);
    expect(quarantined).toContainEqual(expect.objectContaining({ name, code, path }));
    expect(events).toContainEqual(
      expect.objectContaining({ type: "tool.quarantined", tool: name }),
    );
    expect(await invoke(name, {})).toMatchObject({ errorCode: "schema", ran: "no" });
    expect(received(name)).toEqual([]);
  });

  it("is not set aside for one value that takes too long to judge", async () => {
    const [redos] = cases.filter(({ id }) => id === "schema-27-redos");
    const [hostile] = redos?.either ?? [];
    const before = adapter.discovery.quarantined.length;
    const start = performance.now();
    expect(await invoke("schema-27-redos", hostile)).toMatchObject({
      errorCode: "schema",
      error: expect.stringMatching(/^validation is not possible: .*takes longer than 250 ms/),
      ran: "no",
    });
    expect(performance.now() - start).toBeLessThan(1_500);
    expect(adapter.discovery.quarantined).toHaveLength(before);
    for (const args of redos?.accept ?? []) {
      expect(await invoke("schema-27-redos", args)).toMatchObject({ success: true });
    }
  });

  it("costs the others nothing, in a registry either", async () => {
    const registry = new ToolRegistry();
    const { added, quarantined } = await adapter.registerTools(registry, "cases");
    expect(added).toHaveLength(adapter.discovery.tools.length);
    expect(quarantined.map(({ name }) => name)).toEqual(
      expect.arrayContaining(Object.keys(broken)),
    );
    for (const { id, accept } of sound.filter((each) => each.id !== "schema-27-redos")) {
      const result = await registry.invoke(`cases/${id}`, accept[0] as Record<string, unknown>);
      expect(result.success, id).toBe(true);
    }
  });
});

describe("an output schema", () => {
  it("that is kept goes without a word", async () => {
    expect(await invoke("honest output", {})).toMatchObject({ success: true, warnings: [] });
  });

  it.each([
    ["broken promise", '`n` must be an integer, got "1"'],
    ["no structure", "the tool has an output schema and sent no structured content"],
    ["asynchronous output", "`n` is missing"],
  ])("that is not kept is a warning, and the answer stays: %s", async (name, message) => {
    const { result } = outputs[name as keyof typeof outputs];
    const answer = await invoke(name, {});
    expect(answer).toMatchObject({
      success: true,
      data: result,
      content: result.content,
      warnings: [{ code: "output_schema", message: expect.stringContaining(message) }],
    });
    if ("structuredContent" in result) {
      expect(answer.structuredContent).toEqual(result.structuredContent);
    }
  });

  it("that cannot be used costs only the check, and is told of", async () => {
    expect(await invoke("unusable output", {})).toMatchObject({
      success: true,
      data: outputs["unusable output"].result,
    });
    expect(adapter.discovery.warnings).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining("unusable output") }),
    );
  });
});
