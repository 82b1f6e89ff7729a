import { describe, expect, expectTypeOf, it, vi } from "vitest";
import {
  type AdapterMCPEvent,
  type AgentHost,
  createEquipMCP,
  type EquipMCPOptions,
  fromMCPTool,
  type MCPKit,
} from "../src/index.ts";
import { fakeClient, text } from "./fake-client.ts";
import { smallHost } from "./small-host.ts";

const listed = (...names: string[]) => ({
  listTools: () => ({ tools: names.map((name) => ({ name, inputSchema: { type: "object" } })) }),
});

describe("createEquipMCP", () => {
  it.each(["memo", "number", "registerTool"])("refuses a host without %s", (method) => {
    const host = { ...smallHost(), [method]: undefined };
    expect(() => createEquipMCP(host as unknown as AgentHost)).toThrow(
      `the host has no method ${method}()`,
    );
  });

  it.each([
    [{ clientId: "" }, "clientId"],
    [{ maxItems: 0 }, "maxItems"],
    [{ maxItems: 1.5 }, "maxItems"],
    [{ maxItems: Number.NaN }, "maxItems"],
    [{ maxTextBytes: 63 }, "maxTextBytes"],
    [{ maxTextBytes: 100.5 }, "maxTextBytes"],
    [{ callStyle: "both" as "object" }, "callStyle"],
  ] satisfies [Partial<EquipMCPOptions>, string][])("refuses %j", async (options, named) => {
    const { client, log } = fakeClient({});
    const equipMCP = createEquipMCP(smallHost());
    await expect(equipMCP(client, { clientId: "c", ...options })).rejects.toMatchObject({
      code: "config",
      message: expect.stringContaining(named),
    });
    expect(log).toEqual([]);
  });

  it.each(["listTools", "callTool"])("refuses a client without %s", async (method) => {
    const { client } = fakeClient({});
    const equipMCP = createEquipMCP(smallHost());
    const broken = { ...client, [method]: undefined } as unknown as typeof client;
    await expect(equipMCP(broken, { clientId: "c" })).rejects.toMatchObject({
      code: "invalid_port",
      message: expect.stringContaining(`${method}()`),
    });
  });
});

describe("a kit", () => {
  it("keeps the client, by type and identity", async () => {
    const { client } = fakeClient(listed("a"));
    const wide = Object.assign(client, { extra: 1 });
    const kit = await createEquipMCP(smallHost())(wide, { clientId: "c" });
    expect(kit.client).toBe(wide);
    expectTypeOf(kit.client.extra).toEqualTypeOf<number>();
  });

  it("is frozen, and its maps have no prototype", async () => {
    const { client } = fakeClient(listed("a", "__proto__", "constructor"));
    const kit = await createEquipMCP(smallHost())(client, { clientId: "c", enableResources: true });
    for (const part of [kit, kit.tools, kit.resourceTools, kit.toolMap, kit.omitted, kit.prompts]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
    expect(Object.getPrototypeOf(kit.toolMap)).toBeNull();
    expect(Object.getPrototypeOf(kit.resourceToolMap)).toBeNull();
    expect(Object.keys(kit.toolMap).sort()).toEqual(["__proto__", "a", "constructor"]);
    expect(kit.toolMap["toString"]).toBeUndefined();
    expect(Object.keys(kit.resourceToolMap)).toEqual(["mcp_list_resources", "mcp_read_resource"]);
  });

  it.each([
    [{ description: "Does it", title: "T" }, "Does it"],
    [{ description: "", title: "T" }, "T"],
    [{ annotations: { title: "A" } }, "A"],
    [{ title: "T", annotations: { title: "A" } }, "T"],
    [{ annotations: { title: 3 } }, "MCP tool: a"],
    [{}, "MCP tool: a"],
  ])("describes a tool of %j", async (more, description) => {
    const { client } = fakeClient({ listTools: () => [{ name: "a", ...more }] });
    const kit = await createEquipMCP(smallHost())(client, { clientId: "c" });
    expect(kit.tools[0]?.description).toBe(description);
  });

  it.each([
    [undefined, ["list_resources"], ["mcp_list_resources", "mcp_read_resource"]],
    ["", ["x"], ["mcp_list_resources", "mcp_read_resource"]],
    ["ns", ["x"], ["ns_list_resources", "ns_read_resource"]],
    ["ns", ["list_resources"], ["ns_list_resources_2", "ns_read_resource"]],
    [
      "ns",
      ["list_resources", "list_resources_2", "read_resource"],
      ["ns_list_resources_3", "ns_read_resource_2"],
    ],
  ])("of namespace %j beside %j names its own tools %j", async (namespace, natives, expected) => {
    const { client } = fakeClient(listed(...natives));
    const options = {
      clientId: "c",
      enableResources: true,
      ...(namespace !== undefined && { namespace }),
    };
    const kit = await createEquipMCP(smallHost())(client, options);
    expect(kit.resourceTools.map(({ name }) => name)).toEqual(expected);
  });

  it("gives its own tools names that fit, whatever the namespace", async () => {
    const { client } = fakeClient(listed("x"));
    const options = { clientId: "c", namespace: "ü/".repeat(40), enableResources: true };
    const kit = await createEquipMCP(smallHost())(client, options);
    const names = [...kit.tools, ...kit.resourceTools].map(({ name }) => name);
    expect(new Set(names).size).toBe(3);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
  });

  it("tells what was tolerated in a result, and survives a listener that throws", async () => {
    const events: AdapterMCPEvent[] = [];
    const { client } = fakeClient({ ...listed("a"), callTool: () => ({ toolResult: text("hi") }) });
    const kit = await createEquipMCP(smallHost())(client, {
      clientId: "c",
      onEvent(event) {
        events.push(event);
        throw new Error("the listener's own");
      },
    });
    const later = vi.spyOn(globalThis, "queueMicrotask").mockReturnValue(undefined);
    expect(await kit.tools[0]?.handler({})).toBe("hi");
    expect(events).toMatchObject([
      { type: "warning", clientId: "c", method: "tools/call", name: "a", code: "legacy_wrapper" },
    ]);
    const rethrow = later.mock.calls[0]?.[0];
    later.mockRestore();
    expect(rethrow).toThrow("the listener's own");
  });
});

describe("inject", () => {
  type Inject = Parameters<MCPKit["inject"]>[0];
  const equip = async (host = smallHost(), more: Partial<EquipMCPOptions> = {}) => {
    const { client } = fakeClient(listed("a", "b"));
    return createEquipMCP(host)(client, { clientId: "c", enableResources: true, ...more });
  };

  it.each([
    [undefined, ["a", "b"]],
    [{}, ["a", "b"]],
    [{ injectTools: false }, []],
    [{ injectResourceTools: true }, ["a", "b", "mcp_list_resources", "mcp_read_resource"]],
    [
      { injectTools: false, injectResourceTools: true },
      ["mcp_list_resources", "mcp_read_resource"],
    ],
  ] satisfies [Inject, string[]][])("with %j registers %j", async (options, expected) => {
    const host = smallHost();
    (await equip(host)).inject(options);
    expect(host.registered.map(({ tool }) => tool.name)).toEqual(expected);
  });

  const middleware = (name: string) => ({
    name,
    handler: (_: unknown, next: () => Promise<unknown>) => next(),
  });
  it.each([
    ["none", {}, undefined, []],
    ["that of the options", { middleware: [middleware("o")] }, undefined, ["o"]],
    [
      "its own instead",
      { middleware: [middleware("o")] },
      { middleware: [middleware("i")] },
      ["i"],
    ],
    ["none instead", { middleware: [middleware("o")] }, { middleware: [] }, []],
  ])("hands on %s", async (_, options, injected, expected) => {
    const host = smallHost();
    (await equip(host, options)).inject({ injectResourceTools: true, ...injected });
    for (const each of host.registered) {
      expect(each.middleware.map(({ name }) => name)).toEqual(expected);
    }
    expect(host.registered).toHaveLength(4);
  });

  it("registers nothing where the host has one of the names", async () => {
    const host = smallHost({ toolNames: () => ["x", "b"] });
    const kit = await equip(host);
    expect(() => kit.inject()).toThrow(
      expect.objectContaining({
        code: "duplicate_name",
        toolName: "b",
        message: expect.stringContaining("nothing is registered"),
      }),
    );
    expect(host.registered).toEqual([]);
  });

  class DuplicateToolNameError extends Error {
    override readonly name = "DuplicateToolNameError";
  }

  function refusing(name: string) {
    const taken: string[] = [];
    const error = new DuplicateToolNameError(`there is ${name}`);
    const host = smallHost({
      registerTool(tool) {
        if (tool.name === name) throw error;
        taken.push(tool.name);
      },
    });
    return { host, taken, error };
  }

  it("throws what the host throws at the first tool", async () => {
    const { host, error } = refusing("a");
    const kit = await equip(host);
    expect(() => kit.inject()).toThrow(error);
  });

  it("says what is registered where the host refuses a later one", async () => {
    const { host, taken, error } = refusing("b");
    const kit = await equip(host);
    expect(() => kit.inject()).toThrow(
      expect.objectContaining({
        name: "DuplicateToolNameError",
        code: "partly_registered",
        toolName: "b",
        registered: ["a"],
        cause: error,
        message: expect.stringContaining("already registered: a"),
      }),
    );
    expect(taken).toEqual(["a"]);
  });

  it("keeps its name where the host throws what is no error", async () => {
    const host = smallHost({
      registerTool(tool) {
        if (tool.name === "b") throw "no";
      },
    });
    const kit = await equip(host);
    expect(() => kit.inject()).toThrow(
      expect.objectContaining({ name: "AdapterMCPError", code: "partly_registered" }),
    );
  });
});

describe("a handler", () => {
  it("is there for the next agent when one was stopped while it listed", async () => {
    let answer = (_: unknown): void => undefined;
    const { client, log } = fakeClient({
      listTools: () => new Promise((resolve) => (answer = resolve)),
    });
    const controller = new AbortController();
    const equip = (signal: AbortSignal) =>
      createEquipMCP(smallHost({ signal: () => signal }))(client, { clientId: "c" });
    const kit = equip(controller.signal).catch((error: unknown) => {
      expect(error).toMatchObject({ message: "stopped" });
      return equip(new AbortController().signal);
    });
    await vi.waitFor(() => expect(log).toHaveLength(1));
    controller.abort(new Error("stopped"));
    await vi.waitFor(() => expect(log).toHaveLength(2));
    answer(listed("a").listTools());
    expect((await kit).tools.map(({ name }) => name)).toEqual(["a"]);
  });

  it("sends the very arguments, with the signal of the agent that calls", async () => {
    const signals = [new AbortController(), new AbortController()];
    let calling = 0;
    const { client, log } = fakeClient({
      ...listed("a"),
      getNegotiatedProtocolVersion: () => "2025-11-25",
    });
    const host = smallHost({ signal: () => signals[calling]?.signal });
    const kit = await createEquipMCP(host)(client, { clientId: "c" });
    calling = 1;
    const args = JSON.parse('{"__proto__":{"x":1},"more":[null]}');
    await kit.tools[0]?.handler(args);
    const [, sent, options] = log.at(-1) ?? [];
    expect(Reflect.get(Object(sent), "arguments")).toBe(args);
    expect(options).toEqual({ signal: expect.any(AbortSignal) });
    signals[1]?.abort(new Error("stopped"));
    await expect(kit.tools[0]?.handler({})).rejects.toThrow("stopped");
  });

  it.each([undefined, null, "x", [], 3])("refuses %j, which is no object", async (args) => {
    const { client, log } = fakeClient({});
    await expect(fromMCPTool({ name: "t" }, client).handler(args)).rejects.toMatchObject({
      code: "invalid_arguments",
      toolName: "t",
    });
    expect(log).toEqual([]);
  });
});

describe("fromMCPTool", () => {
  it.each([
    [{ name: "read" }, undefined, "read"],
    [{ name: "read.file/v1" }, undefined, expect.stringMatching(/^read_file_v1_[0-9a-z]{10}$/)],
    [{ name: "read" }, "files_read", "files_read"],
  ])("names %j with %j", async (tool, name, expected) => {
    const { client, log } = fakeClient({});
    const made = fromMCPTool(tool, client, name === undefined ? {} : { name });
    expect(made.name).toEqual(expected);
    expect(await made.handler({})).toBe("done");
    expect(log).toEqual([["callTool", { name: tool.name, arguments: {} }]]);
  });

  it("takes any object without a schema, and throws for one that is unusable", () => {
    const { client } = fakeClient({});
    expect(fromMCPTool({ name: "t" }, client).parameters.safeParse({ a: 1 }).success).toBe(true);
    const inputSchema = { $ref: "https://example.org/schema.json" };
    expect(() => fromMCPTool({ name: "t", inputSchema }, client)).toThrow(
      expect.objectContaining({ name: "ToolSchemaError" }),
    );
  });
});
