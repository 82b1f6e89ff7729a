import { MCPTransport } from "@x/mcp-transport";
import { MockTransport } from "@x/mcp-transport/testing";
import { ToolRegistry } from "@x/tool-registry";
import { afterEach, describe, expect, it } from "vitest";
import {
  MCPConnectionError,
  MCPNotConnectedError,
  MCPToolAdapter,
  type MCPToolFilter,
} from "../src/index.ts";
import { addTool, connectedMock, mockedAdapter, overEngines } from "./mock-adapter.ts";

/** Every row of the tables in the document this package exists for. */

const open: MCPToolAdapter[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((adapter) => adapter.disconnect()));
});

overEngines(() => {
  describe("operations", () => {
    it("connect, discover, invoke, register, reconnect, disconnect", async () => {
      const { adapter, server, transport } = mockedAdapter({ tools: [addTool] });
      open.push(adapter);
      expect(adapter.state).toBe("idle");
      expect(await adapter.connect({ timeoutMs: 15_000 })).toBe(adapter);
      expect(adapter.state).toBe("ready");
      expect((await adapter.discoverTools()).map(({ name }) => name)).toEqual(["add"]);
      expect((await adapter.invoke("add", { a: 1, b: 2 })).structuredContent).toEqual({ sum: 3 });
      const registry = new ToolRegistry();
      expect((await adapter.registerTools(registry, "math")).added).toEqual(["math/add"]);
      await adapter.reconnect({ timeoutMs: 15_000 });
      expect(adapter.state).toBe("ready");
      expect(adapter.tools).toEqual([]);
      expect(transport.opens).toBe(2);
      await adapter.disconnect();
      expect(adapter.state).toBe("closed");
      expect(server.connections).toBe(0);
    });
  });

  describe("server configuration", () => {
    const valid = [
      [
        "stdio by name",
        { name: "s", transport: "stdio", command: "node", args: ["x"], env: { A: "1" } },
      ],
      ["stdio by command", { name: "s", command: "node" }],
      [
        "sse",
        { name: "s", transport: "sse", url: "http://127.0.0.1:1/sse", headers: { "x-a": "1" } },
      ],
      [
        "streamable-http",
        { name: "s", transport: "streamable-http", url: "http://127.0.0.1:1/mcp" },
      ],
      ["url alone", { name: "s", url: "http://127.0.0.1:1/mcp" }],
    ] as const;

    it.each(valid)("accepts %s", (_, config) => {
      expect(new MCPToolAdapter(config, { recovery: "manual" }).name).toBe("s");
    });

    const wrong: [string, unknown, RegExp][] = [
      ["no name", { command: "node" }, /name/],
      ["a name that is no string", { name: 7, command: "node" }, /name/],
      ["stdio without command", { name: "s", transport: "stdio" }, /command/],
      ["sse without url", { name: "s", transport: "sse" }, /url/],
      ["streamable-http without url", { name: "s", transport: "streamable-http" }, /url/],
      ["neither command nor url", { name: "s" }, /command|url/],
      [
        "an unknown transport",
        { name: "s", transport: "carrier-pigeon", command: "x" },
        /transport/,
      ],
      ["args that are no list", { name: "s", command: "node", args: "x" }, /args/],
      ["an env value that is no string", { name: "s", command: "node", env: { A: 1 } }, /env/],
      ["headers that are no record", { name: "s", url: "http://h/", headers: "x" }, /headers/],
      ["a timeout of 0", { name: "s", command: "node", connectTimeoutMs: 0 }, /connectTimeoutMs/],
      ["an unknown trust", { name: "s", command: "node", trust: "all" }, /trust/],
      ["no object", null, /./],
    ];

    it.each(wrong)("refuses %s and names the field", (_, config, field) => {
      const build = () =>
        Reflect.construct(MCPToolAdapter, [config, { recovery: "manual" }]) as MCPToolAdapter;
      expect(build).toThrow(
        expect.objectContaining({
          name: "MCPAdapterError",
          code: "config",
          message: expect.stringMatching(field),
        }),
      );
    });

    it.each([
      [null, /options/],
      [{ recovery: "sometimes" }, /recovery.*auto.*manual/],
      [{ replay: "always" }, /replay.*never.*safe/],
      [{ circuitResetMs: -1 }, /circuitResetMs/],
      [{ recovery: "manual", retries: 3 }, /retries/],
      [{ recovery: "manual", maxConcurrency: 0 }, /maxConcurrency/],
      [{ recovery: "manual", onEvent: "log" }, /onEvent/],
      [{ recovery: "manual", filter: "read_*" }, /filter/],
    ])("refuses the options %o and names the one that is wrong", (options, message) => {
      const build = () =>
        Reflect.construct(MCPToolAdapter, [{ name: "s", command: "node" }, options]);
      expect(build).toThrow(
        expect.objectContaining({ code: "config", message: expect.stringMatching(message) }),
      );
    });
  });

  describe("filtering", () => {
    const names = ["read_file", "read_all", "write_file", "a*b", "move"];
    const rows: [string, MCPToolFilter, string[]][] = [
      ["exact names", { include: ["read_file", "move"] }, ["read_file", "move"]],
      ["a name is not a part of a name", { include: ["read"] }, []],
      ["*", { include: ["*_file"] }, ["read_file", "write_file"]],
      ["* in the middle", { include: ["r*_*e"] }, ["read_file"]],
      ["* alone", { include: ["*"] }, names],
      ["RegExp", { include: [/^read/] }, ["read_file", "read_all"]],
      ["a sticky, global RegExp", { include: [/read/gy] }, ["read_file", "read_all"]],
      ["a predicate", { include: [({ name }) => name.length < 5] }, ["a*b", "move"]],
      ["exclude", { exclude: ["read_*"] }, ["write_file", "a*b", "move"]],
      ["exclude beats include", { include: ["read_*"], exclude: ["read_all"] }, ["read_file"]],
      ["an empty include", { include: [] }, []],
      ["nothing", {}, names],
    ];

    it.each(rows)("by %s", async (_, filter, expected) => {
      const { adapter } = await connectedMock({ tools: names.map((name) => ({ name })) });
      open.push(adapter);
      expect((await adapter.discoverTools(filter)).map(({ name }) => name)).toEqual(expected);
    });

    it("stays in force for calls and later lists, and lifts with {}", async () => {
      const { adapter } = await connectedMock({ tools: names.map((name) => ({ name })) });
      open.push(adapter);
      await adapter.discoverTools({ include: ["move"] });
      expect((await adapter.invoke("read_file")).errorCode).toBe("not_found");
      expect((await adapter.discoverTools()).map(({ name }) => name)).toEqual(["move"]);
      await adapter.discoverTools({});
      expect((await adapter.invoke("read_file")).success).toBe(true);
    });

    it("applies the filter of the options always, beside the other", async () => {
      const { adapter } = await connectedMock(
        { tools: names.map((name) => ({ name })) },
        { filter: { exclude: [/write/] } },
      );
      open.push(adapter);
      expect(
        (await adapter.discoverTools({ include: ["*_file"] })).map(({ name }) => name),
      ).toEqual(["read_file"]);
      await adapter.discoverTools({});
      expect((await adapter.invoke("write_file")).errorCode).toBe("not_found");
    });

    it.each([
      ["a string", "read_*"],
      ["a list", ["read_*"]],
      ["an unknown key", { only: ["x"] }],
      ["a pattern that is a number", { include: [7] }],
      ["include that is no list", { include: "x" }],
    ])("refuses %s, with the old filter kept", async (_, filter) => {
      const { adapter } = await connectedMock({ tools: names.map((name) => ({ name })) });
      open.push(adapter);
      await adapter.discoverTools({ include: ["move"] });
      const refused = Reflect.apply(adapter.discoverTools, adapter, [filter]);
      await expect(refused).rejects.toMatchObject({ code: "config" });
      expect((await adapter.discoverTools()).map(({ name }) => name)).toEqual(["move"]);
    });
  });

  describe("descriptors", () => {
    it("has name, description and the server's own input schema", async () => {
      const inputSchema = { type: "object", "x-own": [1], properties: { q: { $comment: "kept" } } };
      const { adapter } = await connectedMock({ tools: [{ name: "t", inputSchema }, addTool] });
      open.push(adapter);
      const [bare, full] = await adapter.discoverTools();
      expect(bare).toMatchObject({ name: "t", description: "", inputSchema });
      expect(full).toMatchObject({ name: "add", description: "Adds two numbers." });
    });
  });

  describe("results", () => {
    it("has success, data, error and duration", async () => {
      const { adapter } = await connectedMock({ tools: [addTool] });
      open.push(adapter);
      const good = await adapter.invoke("add", { a: 1, b: 2 });
      expect(good).toMatchObject({ success: true, error: null, errorCode: null });
      expect(good.data).toEqual(addTool.call({ a: 1, b: 2 }));
      expect(good.durationMs).toBeGreaterThanOrEqual(0);
      const bad = await adapter.invoke("add", { a: 1 });
      expect(bad).toMatchObject({ success: false, data: {}, ran: "no" });
      expect(typeof bad.error).toBe("string");
    });
  });

  describe("registration", () => {
    it("names tools {namespace}/{tool} with their provenance", async () => {
      const { adapter } = await connectedMock({ tools: [{ name: "a/b" }, addTool] });
      open.push(adapter);
      const registry = new ToolRegistry();
      await adapter.registerTools(registry, "ns");
      expect([...registry].map(({ id }) => id)).toEqual(["ns/a/b", "ns/add"]);
      expect(registry.get("ns/add")).toMatchObject({
        source: "mcp",
        sourceMetadata: { server: "mock" },
        checkpointable: false,
      });
    });

    it("replaces stale entries when registered again", async () => {
      const { adapter, server } = await connectedMock({
        tools: [{ name: "old" }, { name: "kept" }],
      });
      open.push(adapter);
      const registry = new ToolRegistry();
      await adapter.registerTools(registry, "ns");
      server.handle("tools/list", () => ({ tools: [{ name: "kept" }, { name: "new" }] }));
      await adapter.discoverTools();
      expect(await adapter.registerTools(registry, "ns")).toMatchObject({ quarantined: [] });
      expect([...registry].map(({ id }) => id).sort()).toEqual(["ns/kept", "ns/new"]);
    });
  });

  describe("capability inference", () => {
    const adapter = mockedAdapter().adapter;
    it.each(["read", "get", "list", "search", "find"])("%s → read only", (word) => {
      expect(adapter.inferCapabilities(`${word}_thing`)).toMatchObject({
        readOnly: true,
        writes: false,
      });
    });
    it.each(["write", "create", "update", "delete", "set"])("%s → writes", (word) => {
      expect(adapter.inferCapabilities(`${word}_thing`)).toMatchObject({
        readOnly: false,
        writes: true,
      });
    });
    it("both → writes", () => {
      expect(adapter.inferCapabilities("get_or_create")).toMatchObject({
        readOnly: false,
        writes: true,
      });
    });
    it("neither → nothing is claimed", () => {
      expect(adapter.inferCapabilities("frobnicate")).toMatchObject({
        readOnly: false,
        writes: false,
        effect: "unknown",
      });
    });
    it("is applied when registering", async () => {
      const mocked = await connectedMock({
        tools: [{ name: "list_things" }, { name: "delete_it" }],
      });
      open.push(mocked.adapter);
      const registry = new ToolRegistry();
      await mocked.adapter.registerTools(registry, "ns");
      expect(registry.get("ns/list_things")?.capability).toMatchObject({ readOnly: true });
      expect(registry.get("ns/delete_it")?.capability).toMatchObject({ writes: true });
    });
  });

  describe("error classification", () => {
    it("unreachable → connect throws MCPConnectionError", async () => {
      const adapter = new MCPToolAdapter(
        { name: "gone", url: "http://127.0.0.1:9/mcp" },
        { recovery: "manual" },
      );
      const error: unknown = await adapter.connect({ timeoutMs: 5_000 }).catch((e: unknown) => e);
      expect(error).toBeInstanceOf(MCPConnectionError);
      expect(error).toMatchObject({
        server: "gone",
        attempted: expect.stringContaining("127.0.0.1"),
      });
      expect(adapter.state).toBe("down");
    });

    it("not connected → invoke and discoverTools throw MCPNotConnectedError", async () => {
      const { adapter } = mockedAdapter({ tools: [addTool] });
      for (const when of ["before", "after"]) {
        if (when === "after") {
          await adapter.connect();
          await adapter.disconnect();
        }
        await expect(adapter.invoke("add", { a: 1, b: 2 })).rejects.toThrow(MCPNotConnectedError);
        await expect(adapter.discoverTools()).rejects.toThrow(MCPNotConnectedError);
        await expect(adapter.registerTools(new ToolRegistry(), "x")).rejects.toThrow(
          MCPNotConnectedError,
        );
      }
    });

    it.each([
      ["unknown tool", "nothing", {}, "not_found", "not found", 0],
      ["invalid input", "add", { a: "1", b: 2 }, "validation", "validation", 0],
      ["deadline", "slow", {}, "timeout", "timeout", 1],
      ["isError", "fails", {}, "server_error", "server error", 1],
    ] as const)("%s → a result whose error says so", async (_, name, args, code, text, calls) => {
      const { adapter, server } = await connectedMock({
        tools: [
          addTool,
          { name: "slow", call: () => new Promise(() => {}) },
          {
            name: "fails",
            call: () => ({ isError: true, content: [{ type: "text", text: "disk is full" }] }),
          },
        ],
      });
      open.push(adapter);
      const result = await adapter.invoke(name, args, { timeoutMs: 100 });
      expect(result).toMatchObject({ success: false, errorCode: code });
      expect(result.error).toContain(text);
      if (code === "server_error") expect(result.error).toContain("disk is full");
      expect(server.requests.filter(({ method }) => method === "tools/call")).toHaveLength(calls);
    });
  });

  describe("transport layer", () => {
    it("is an abstract class that a mock extends", () => {
      expect(mockedAdapter().transport).toBeInstanceOf(MCPTransport);
      expect(MockTransport.prototype).toBeInstanceOf(MCPTransport);
    });
  });

  describe("concurrency", () => {
    it("lets every method run at the same time as every other", async () => {
      const { adapter, transport, server } = mockedAdapter({ tools: [addTool] });
      open.push(adapter);
      await Promise.all([adapter.connect(), adapter.connect(), adapter.connect()]);
      expect(transport.opens).toBe(1);
      const registry = new ToolRegistry();
      const results = await Promise.all([
        ...Array.from({ length: 50 }, (_, a) => adapter.invoke("add", { a, b: 1 })),
        adapter.discoverTools(),
        adapter.registerTools(registry, "x"),
        adapter.connect(),
      ]);
      const sums = results.slice(0, 50).map((result) => ("data" in result ? result.data : result));
      expect(sums).toEqual(Array.from({ length: 50 }, (_, a) => addTool.call({ a, b: 1 })));
      expect(server.requests.filter(({ method }) => method === "tools/list")).toHaveLength(1);
      await Promise.all([adapter.reconnect(), adapter.reconnect()]);
      expect(transport.opens).toBe(2);
      await Promise.all([adapter.disconnect(), adapter.disconnect()]);
      expect(server.connections).toBe(0);
    });
  });
});
