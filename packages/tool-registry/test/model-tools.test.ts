import { describe, expect, expectTypeOf, it, vi } from "vitest";
import {
  type ModelTool,
  modelTools,
  ToolRegistry,
  type ToolSpec,
  type ToolValidation,
  toolSuccess,
} from "../src/index.ts";
import nameCases from "./fixtures/name-cases.json" with { type: "json" };
import realToolNames from "./fixtures/real-tool-names.json" with { type: "json" };
import { READS, said, spec, thrownBy, WRITES } from "./sample-tools.ts";

const withTool = (change: Partial<ToolSpec> = {}): ToolRegistry => {
  const registry = new ToolRegistry();
  registry.register("ns", spec("tool", change));
  return registry;
};

describe("modelTools", () => {
  it("lists name, description, schema and tool, sorted by id", () => {
    const registry = new ToolRegistry();
    registry.register("b", spec("x", { inputSchema: { type: "object", required: ["q"] } }));
    registry.register("a", spec("Z", { description: undefined as never, title: "The Z" }));
    registry.register("a", spec("b.c", { description: undefined as never }));
    registry.register("a", spec("a", { description: "", title: "unused" }));
    const { tools } = modelTools(registry);
    expect(tools.map(({ tool }) => tool.id)).toEqual(["a/Z", "a/a", "a/b.c", "b/x"]);
    expect(tools.map(({ description }) => description)).toEqual(["The Z", "", "", "Does x."]);
    expect(tools[0]?.name).toBe("a__Z");
    expect(tools[2]?.name).toMatch(/^a_b_c_[0-9a-z]{10}$/);
    expect(tools[3]?.inputSchema).toEqual({ type: "object", required: ["q"] });
    expect(tools[3]?.tool).toBe(registry.get("b/x"));
  });

  it("can be iterated, and found by name", () => {
    const set = modelTools(withTool());
    expect([...set]).toEqual(set.tools);
    expect(set.get("ns__tool")).toBe(set.tools[0]);
    for (const name of ["ns/tool", "tool", "", "__proto__"]) expect(set.get(name)).toBeUndefined();
  });

  it("is a snapshot, frozen: later tools and changes do not show", () => {
    const registry = withTool();
    const set = modelTools(registry);
    registry.register("ns", spec("later"));
    registry.replaceNamespace("ns", [spec("tool", { description: "Other." })]);
    expect(set.tools.map(({ name, description }) => [name, description])).toEqual([
      ["ns__tool", "Does tool."],
    ]);
    expect(() => (set.tools as ModelTool[]).push(set.tools[0] as ModelTool)).toThrow();
    expect(() => Object.assign(set.tools[0] as ModelTool, { name: "x" })).toThrow();
  });

  it("takes the filter of list", () => {
    const registry = withTool({ capability: READS });
    registry.register("ns", spec("other", { capability: WRITES }));
    const names = (filter: object): string[] =>
      modelTools(registry, { filter }).tools.map(({ name }) => name);
    expect(names({ effect: "read" })).toEqual(["ns__tool"]);
    expect(names({ names: "*other" })).toEqual(["ns__other"]);
    expect(names({ names: "none" })).toEqual([]);
  });

  it("refuses more than maxTools, naming the largest namespaces", () => {
    const registry = new ToolRegistry();
    for (const [server, tools] of Object.entries(realToolNames)) {
      registry.replaceNamespace(
        server,
        tools.map((name) => spec(name)),
        server,
      );
    }
    const error = thrownBy(() => modelTools(registry, { maxTools: 128 }));
    expect(error.code).toBe("too_many_tools");
    expect(error.message).toMatch(
      /^667 tools where at most 128 are allowed; the largest namespaces: "zereight__mcp-gitlab" \d+, /,
    );
    const largest = modelTools(registry, { maxTools: 667 });
    expect(largest.tools).toHaveLength(667);
    expect(thrownBy(() => modelTools(registry, { maxTools: 666 })).code).toBe("too_many_tools");
    expect(modelTools(registry, { maxTools: 0, filter: { names: [] } }).tools).toEqual([]);
  });

  it.each([-1, 1.5, Number.NaN, "5", null])("refuses %j for maxTools", (maxTools) => {
    const error = thrownBy(() => modelTools(withTool(), { maxTools: maxTools as number }));
    expect(error).toMatchObject({ code: "invalid_spec", field: "maxTools" });
  });

  it("leaves out tools that forge each other's name, says so, and keeps the others", () => {
    const registry = withTool();
    const forged = ["1f7cfa09148f9", "14a8f68901209"].map((tail) => `${"a".repeat(62)}${tail}`);
    registry.replaceNamespace(
      "n",
      forged.map((name) => spec(name)),
      "mcp:evil",
    );
    const set = modelTools(registry);
    expect(set.tools.map(({ name }) => name)).toEqual(["ns__tool"]);
    expect(set.clashes.map(({ ids }) => ids)).toEqual([forged.map((name) => `n/${name}`).sort()]);
  });

  it("keeps the type of the registry's context", () => {
    interface Mine {
      readonly user: string;
      readonly signal?: AbortSignal;
    }
    const registry = new ToolRegistry<Record<string, { args: Record<string, unknown> }>, Mine>();
    expectTypeOf(modelTools(registry).call).parameter(2).toEqualTypeOf<Mine | undefined>();
    type Tools = { "ns/tool": { args: { q: string } } };
    expect(modelTools(new ToolRegistry<Tools>()).tools).toEqual([]);
  });
});

describe("call", () => {
  it.each([
    ["an object", { a: [1] }],
    ["JSON text", '{"a":[1]}'],
    ["JSON text with spaces around", ' \n{"a": [1]}\t'],
  ])("takes %s", async (_what, args) => {
    const invoke = vi.fn<ToolSpec["invoke"]>(async () => toolSuccess({ content: [] }));
    const { call } = modelTools(withTool({ invoke }));
    expect((await call("ns__tool", args)).success).toBe(true);
    expect(invoke.mock.lastCall?.[0]).toEqual({ a: [1] });
  });

  it.each([undefined, "", "  \n", "{}"])("takes %j for no arguments", async (args) => {
    const invoke = vi.fn<ToolSpec["invoke"]>(async () => toolSuccess({ content: [] }));
    const { call } = modelTools(withTool({ invoke }));
    expect((await call("ns__tool", args)).success).toBe(true);
    expect(invoke.mock.lastCall?.[0]).toEqual({});
  });

  it("passes the context on", async () => {
    const invoke = vi.fn<ToolSpec["invoke"]>(async () => toolSuccess({ content: [] }));
    await modelTools(withTool({ invoke })).call("ns__tool", {}, { timeoutMs: 5 });
    expect(invoke.mock.lastCall?.[1].timeoutMs).toBe(5);
  });

  it.each([
    ["broken JSON", '{"a": 1', "JSON"],
    ["text after the JSON", '{"a":1} and more', "JSON"],
    ["single quotes", "{'a': 1}", "JSON"],
    ["plain text", "a=1", "JSON"],
    ["a JSON array", "[1]", "an array"],
    ["a JSON string", '"{}"', "a string"],
    ["JSON null", "null", "null"],
    ["an array", [1], "an array"],
    ["a number", 5, "a number"],
    ["null", null, "null"],
  ])("answers %s with a validation result that a model can act on", async (_what, args, shown) => {
    const invoke = vi.fn<ToolSpec["invoke"]>(async () => toolSuccess({ content: [] }));
    const { call } = modelTools(withTool({ invoke }));
    const result = await call("ns__tool", args as never);
    expect(result).toMatchObject({ success: false, errorCode: "validation", ran: "no" });
    expect(result.error).toContain("validation");
    expect(result.error).toContain("object");
    expect(result.error).toContain(shown);
    expect(result.success || result.issues?.length).toBe(1);
    expect(invoke).not.toHaveBeenCalled();
  });

  it("leaves numbers that came as text to the tool's validator", async () => {
    const validate = ({ n }: Record<string, unknown>): ToolValidation =>
      typeof n === "number"
        ? { ok: true }
        : { ok: false, issues: [{ path: "/n", message: 'must be a number, got "2"' }] };
    const result = await modelTools(withTool({ validate })).call("ns__tool", '{"n":"2"}');
    expect(result.error).toContain('/n: must be a number, got "2"');
  });

  it.each([
    ["of one byte each", "x", 1],
    ["of three bytes each", "€", 3],
  ])("caps JSON text at 1 MiB, counted in bytes: letters %s", async (_what, letter, size) => {
    const { call } = modelTools(withTool());
    const fitting = Math.floor((1_048_576 - 8) / size);
    const text = (letters: number): string => `{"a":"${letter.repeat(letters)}"}`;
    expect((await call("ns__tool", text(fitting))).success).toBe(true);
    const result = await call("ns__tool", text(fitting + 1));
    expect(result).toMatchObject({ success: false, errorCode: "too_large", ran: "no" });
    expect(result.error).toContain("1048576");
  });

  it("survives ten megabytes and 200,000 levels", async () => {
    const invoke = vi.fn<ToolSpec["invoke"]>(async () => toolSuccess({ content: [] }));
    const { call } = modelTools(withTool({ invoke }));
    const megabytes = "x".repeat(10_000_000);
    for (const args of [
      megabytes,
      { a: megabytes },
      { a: Array.from({ length: 600_000 }, () => 1) },
    ]) {
      const result = await call("ns__tool", args);
      expect(result).toMatchObject({ success: false, errorCode: "too_large", ran: "no" });
      expect(result.error).toBe("too large: the arguments are over 1048576 bytes; send less");
    }
    expect(invoke).not.toHaveBeenCalled();
    const deep = `{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
    expect((await call("ns__tool", deep)).success).toBe(true);
  });

  it("leaves objects that are no JSON to the registry", async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    const thrower = {
      get a(): never {
        throw new Error("not for you");
      },
    };
    const { call } = modelTools(withTool());
    expect((await call("ns__tool", cyclic)).success).toBe(true);
    expect((await call("ns__tool", { n: 5n })).success).toBe(true);
    expect((await call("ns__tool", thrower)).error).toContain("not for you");
  });

  it("answers an unknown name with not_found, and says which there are", async () => {
    const few = await modelTools(withTool()).call("ns/tool", {});
    expect(few).toMatchObject({ success: false, errorCode: "not_found", ran: "no" });
    expect(few.error).toBe('tool "ns/tool" not found; the tools are ns__tool');
    const registry = withTool();
    for (let i = 0; i < 30; i++) registry.register("many", spec(`t${i}`));
    const many = await modelTools(registry).call("x".repeat(100_000));
    expect(many.error).toContain("not found; use one of the 31 given names");
    expect(many.error?.length).toBeLessThan(300);
    const none = await modelTools(new ToolRegistry()).call("x");
    expect(none.error).toBe('tool "x" not found; there are no tools');
    expect((await modelTools(withTool()).call(undefined as never)).errorCode).toBe("not_found");
  });

  it("answers for a tool that was removed since, never with another one", async () => {
    const registry = withTool();
    const { call } = modelTools(registry);
    registry.unregister("ns/tool");
    registry.register("ns", spec("tool", { says: "stranger" }));
    expect(await call("ns__tool")).toMatchObject({ errorCode: "no_longer_available", ran: "no" });
  });

  it.each(nameCases)(
    "reaches the tool of the original name: $id",
    async ({ namespace, toolName }) => {
      const tools = [toolName].flat();
      const registry = new ToolRegistry();
      registry.replaceNamespace(
        namespace,
        tools.map((name) => spec(name)),
        "server",
      );
      const set = modelTools(registry);
      expect(set.tools).toHaveLength(tools.length);
      for (const { name, tool } of set) expect(said(await set.call(name, "{}"))).toBe(tool.name);
    },
  );
});
