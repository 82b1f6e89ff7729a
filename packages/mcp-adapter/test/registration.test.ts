import { MCPTransportError } from "@x/mcp-transport";
import { requireApproval, ToolRegistry } from "@x/tool-registry";
import { afterEach, describe, expect, it } from "vitest";
import type { MCPToolAdapter } from "../src/index.ts";
import { addTool, connectedMock, mockedAdapter, overEngines } from "./mock-adapter.ts";

const open: MCPToolAdapter[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((adapter) => adapter.disconnect()));
});

async function registered(...args: Parameters<typeof connectedMock>) {
  const mocked = await connectedMock(...args);
  open.push(mocked.adapter);
  const registry = new ToolRegistry();
  const change = await mocked.adapter.registerTools(registry, "ns");
  return { ...mocked, registry, change };
}

const ids = (registry: ToolRegistry) => [...registry].map(({ id }) => id);
const calls = (server: { requests: readonly { method: string }[] }) =>
  server.requests.filter(({ method }) => method === "tools/call");

overEngines(() => {
  describe("registered tools", () => {
    it("are called through the registry, validated before anything is sent", async () => {
      const { registry, server, change } = await registered({ tools: [addTool] });
      expect(change).toEqual({
        added: ["ns/add"],
        updated: [],
        removed: [],
        unchanged: [],
        quarantined: [],
      });
      expect(await registry.invoke("ns/add", { a: 1, b: 2 })).toMatchObject({
        success: true,
        structuredContent: { sum: 3 },
      });
      expect(await registry.invoke("ns/add", { a: "1" })).toMatchObject({
        errorCode: "validation",
        ran: "no",
        issues: expect.arrayContaining([expect.objectContaining({ path: ["a"] })]),
      });
      expect(
        await registry.invoke("ns/add", { a: 1, b: 2, c: "x".repeat(1_000_001) }),
      ).toMatchObject({
        errorCode: "too_large",
      });
      expect(calls(server)).toHaveLength(1);
    });

    it("pass signal, deadline and progress on", async () => {
      const { registry } = await registered({
        tools: [
          {
            name: "t",
            call: async (_, { progress }) => {
              progress({ progress: 1, message: "begun" });
              await new Promise(() => {});
            },
          },
        ],
      });
      const seen: unknown[] = [];
      const onProgress = (progress: unknown) => void seen.push(progress);
      expect(await registry.invoke("ns/t", {}, { timeoutMs: 400, onProgress })).toMatchObject({
        errorCode: "timeout",
        ran: "unknown",
      });
      expect(seen).toEqual([{ progress: 1, message: "begun" }]);
      expect(await registry.invoke("ns/t", {}, { signal: AbortSignal.timeout(250) })).toMatchObject(
        {
          errorCode: "cancelled",
          ran: "unknown",
        },
      );
    });

    it("hold the adapter, not a connection", async () => {
      const { registry, adapter, server } = await registered({ tools: [addTool] });
      const tool = registry.get("ns/add");
      await adapter.reconnect();
      expect(await tool?.invoke({ a: 1, b: 2 })).toMatchObject({ success: true });
      server.drop();
      expect(await tool?.invoke({ a: 1, b: 2 })).toMatchObject({
        errorCode: "unavailable",
        ran: "no",
      });
      await adapter.connect();
      expect(await tool?.invoke({ a: 1, b: 2 })).toMatchObject({ success: true });
      await adapter.disconnect();
      expect(await tool?.invoke({ a: 1, b: 2 })).toMatchObject({
        errorCode: "unavailable",
        ran: "no",
      });
    });

    it("carry title, schemas, hints and capability", async () => {
      const { registry } = await registered({
        tools: [
          {
            name: "list_things",
            title: "Things",
            outputSchema: { type: "object" },
            annotations: { readOnlyHint: true, destructiveHint: false },
          },
        ],
      });
      expect(registry.get("ns/list_things")).toMatchObject({
        title: "Things",
        description: "",
        inputSchema: { type: "object" },
        outputSchema: { type: "object" },
        annotations: { readOnlyHint: true, destructiveHint: false },
        capability: { effect: "read", readOnly: true, because: expect.any(Array) },
      });
    });

    it("an untrusted hint does not make a writing tool read-only, a trusted server's does", async () => {
      const tools = [{ name: "delete_project", annotations: { readOnlyHint: true } }];
      const untrusted = await registered({ tools });
      expect(untrusted.registry.get("ns/delete_project")?.capability?.readOnly).toBe(false);
      const { server, transport } = await registered({ tools });
      const { MCPToolAdapter: Adapter } = await import("../src/index.ts");
      const trusting = new Adapter(
        { name: "mock", trust: "annotations" },
        { recovery: "manual", transport },
      );
      open.push(trusting);
      await trusting.connect();
      await trusting.discoverTools();
      expect(trusting.inferCapabilities("delete_project").readOnly).toBe(true);
      expect(server.connections).toBe(2);
    });
  });

  describe("keeping the registry in step", () => {
    it("list_changed adds, removes and replaces, in every namespace it is registered in", async () => {
      const { registry, adapter, server } = await registered({ tools: [{ name: "old" }, addTool] });
      await adapter.registerTools(registry, "copy");
      const held = registry.get("ns/add");
      server.setTools([{ ...addTool, description: "changed" }, { name: "new" }]);
      await expect
        .poll(() => ids(registry).sort())
        .toEqual(["copy/add", "copy/new", "ns/add", "ns/new"]);
      expect(registry.get("ns/add")?.description).toBe("changed");
      expect(await held?.invoke({ a: 2, b: 2 })).toMatchObject({ structuredContent: { sum: 4 } });
    });

    it("a filter given later takes tools out of the registry too", async () => {
      const { registry, adapter } = await registered({ tools: [{ name: "a" }, { name: "b" }] });
      await adapter.discoverTools({ exclude: ["b"] });
      expect(ids(registry)).toEqual(["ns/a"]);
      await adapter.discoverTools({});
      expect(ids(registry)).toEqual(["ns/a", "ns/b"]);
    });

    it("a schema that fails when first used leaves the rest registered", async () => {
      const { registry } = await registered({
        tools: [{ name: "bad", inputSchema: { type: "object", properties: 7 } }, addTool],
      });
      const result = await registry.invoke("ns/bad", {});
      expect(["schema", "not_found"]).toContain(result.errorCode);
      expect((await registry.invoke("ns/add", { a: 1, b: 1 })).success).toBe(true);
    });

    it("a tool with hints or an output schema that no registry would take costs only those", async () => {
      const deep = JSON.parse(`${'{"x":'.repeat(3_000)}1${"}".repeat(3_000)}`);
      const { registry } = await registered({
        tools: [
          { ...addTool, name: "a", annotations: { readOnlyHint: false, deep } },
          { ...addTool, name: "b", outputSchema: deep },
          addTool,
        ],
      });
      expect(ids(registry)).toEqual(["ns/a", "ns/b", "ns/add"]);
      expect((await registry.invoke("ns/a", { a: 1, b: 2 })).success).toBe(true);
      expect(registry.get("ns/b")?.outputSchema).toBeUndefined();
    });

    it("unregisterTools removes them, without a connection, and for good", async () => {
      const { registry, adapter, server } = await registered({ tools: [addTool] });
      await adapter.disconnect();
      expect(adapter.unregisterTools(registry, "ns").removed).toEqual(["ns/add"]);
      expect(registry.size).toBe(0);
      await adapter.connect();
      await adapter.discoverTools();
      server.setTools([{ name: "x" }]);
      await expect.poll(() => adapter.tools.map(({ name }) => name)).toEqual(["x"]);
      expect(registry.size).toBe(0);
    });

    it("two servers share a namespace unless a name clashes, which is refused whole", async () => {
      const { registry } = await registered({ tools: [addTool] });
      const { MCPToolAdapter: Adapter } = await import("../src/index.ts");
      const { transport, server } = mockedAdapter({ tools: [{ name: "other" }] });
      const second = new Adapter({ name: "second" }, { recovery: "manual", transport });
      open.push(second);
      await second.connect();
      await second.registerTools(registry, "ns");
      expect(ids(registry)).toEqual(["ns/add", "ns/other"]);
      server.handle("tools/list", () => ({ tools: [{ name: "more" }, { name: "add" }] }));
      await second.discoverTools();
      await expect(second.registerTools(registry, "ns")).rejects.toMatchObject({
        code: "id_taken",
      });
      expect(ids(registry)).toEqual(["ns/add", "ns/other"]);
    });

    it("a refusal while keeping in step is reported and costs the other registries nothing", async () => {
      const { registry, adapter, server, events } = await registered({ tools: [addTool] });
      const other = new ToolRegistry();
      await adapter.registerTools(other, "x");
      registry.register("ns", {
        name: "taken",
        inputSchema: {},
        source: "own",
        invoke: () => Promise.reject(new Error("never called")),
      });
      server.setTools([addTool, { name: "taken" }]);
      await expect.poll(() => ids(other)).toEqual(["x/add", "x/taken"]);
      expect(events.filter(({ type }) => type === "diagnostic")).toMatchObject([
        { message: expect.stringContaining("ns/taken") },
      ]);
      expect(registry.get("ns/taken")?.source).toBe("own");
    });

    it.each([null, {}, { register: () => {} }])("refuses a sink that is none: %o", async (sink) => {
      const { adapter } = await connectedMock({ tools: [addTool] });
      open.push(adapter);
      await expect(
        Reflect.apply(adapter.registerTools, adapter, [sink, "ns"]),
      ).rejects.toMatchObject({
        code: "invalid_port",
        message: expect.stringMatching(/replaceNamespace.*@x\/tool-registry/),
      });
    });
  });

  describe("with the registry's own layers", () => {
    it("approval is asked for writing tools, never for invalid arguments", async () => {
      const { registry, server } = await registered({
        tools: [{ ...addTool, name: "create_sum" }, { name: "get_sum" }],
      });
      const asked: string[] = [];
      registry.use(
        requireApproval(({ tool }) => {
          asked.push(tool.id);
          return false;
        }),
      );
      expect((await registry.invoke("ns/create_sum", { a: "no" })).errorCode).toBe("validation");
      expect(asked).toEqual([]);
      expect(await registry.invoke("ns/create_sum", { a: 1, b: 1 })).toMatchObject({
        errorCode: "denied",
        ran: "no",
      });
      expect((await registry.invoke("ns/get_sum", {})).success).toBe(true);
      expect(asked).toEqual(["ns/create_sum"]);
      expect(calls(server)).toHaveLength(1);
    });

    it("a call that fails on the wire is a result of the registry too", async () => {
      const { registry, server } = await registered({ tools: [addTool] });
      server.failNext(
        new MCPTransportError("exited", "gone", { delivery: "unknown" }),
        "tools/call",
      );
      expect(await registry.invoke("ns/add", { a: 1, b: 1 })).toMatchObject({
        success: false,
        errorCode: "outcome_unknown",
        ran: "unknown",
      });
    });
  });
});
