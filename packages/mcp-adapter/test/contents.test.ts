import { MCPTransportError } from "@x/mcp-transport";
import { afterEach, describe, expect, it } from "vitest";
import type { MCPToolAdapter } from "../src/index.ts";
import { addTool, connectedMock, mockedAdapter, overEngines } from "./mock-adapter.ts";

const open: MCPToolAdapter[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((adapter) => adapter.disconnect()));
});

const capabilities = { tools: {}, resources: {}, prompts: {} };

async function connected(handlers: NonNullable<Parameters<typeof connectedMock>[0]>["handlers"]) {
  const mocked = await connectedMock({ tools: [addTool], capabilities, handlers: handlers ?? {} });
  open.push(mocked.adapter);
  return mocked;
}

const refuse = () => {
  throw new MCPTransportError("rpc", "no such method", { rpcCode: -32601 });
};

overEngines(() => {
  describe("resources", () => {
    it("are listed over all pages, a bad one set aside", async () => {
      const { adapter } = await connected({
        "resources/list": ({ cursor }) =>
          cursor === "2"
            ? { resources: [{ uri: "a://2", name: "two" }] }
            : { resources: [{ uri: "a://1", name: "one" }, { name: "no uri" }], nextCursor: "2" },
      });
      const { resources, quarantined } = await adapter.listResources();
      expect(resources.map(({ uri }) => uri)).toEqual(["a://1", "a://2"]);
      expect(quarantined).toMatchObject([{ code: "invalid_uri" }]);
    });

    it("are read by uri, or by template and parameters", async () => {
      const { adapter, server } = await connected({
        "resources/templates/list": () => ({
          resourceTemplates: [{ uriTemplate: "note:///{+path}{?v}", name: "note" }],
        }),
        "resources/read": ({ uri }) => ({ contents: [{ uri, text: "body" }] }),
      });
      const { resourceTemplates } = await adapter.listResourceTemplates();
      const uriTemplate = resourceTemplates[0]?.uriTemplate ?? "";
      const read = await adapter.readResource({ uriTemplate, params: { path: "a/b c", v: "1&2" } });
      expect(read.contents).toMatchObject([{ uri: "note:///a/b%20c?v=1%262", text: "body" }]);
      await adapter.readResource("note:///x");
      expect(server.requests.at(-1)?.params).toMatchObject({ uri: "note:///x" });
    });

    it("a server without them, or that refuses the list, has none", async () => {
      const { adapter } = await connected({
        "resources/list": refuse,
        "resources/templates/list": refuse,
      });
      expect(await adapter.listResources()).toMatchObject({
        resources: [],
        warnings: [{ code: "list_refused" }],
      });
      expect((await adapter.listResourceTemplates()).resourceTemplates).toEqual([]);
      const bare = await connectedMock({ tools: [] });
      open.push(bare.adapter);
      expect(await bare.adapter.listResources()).toMatchObject({
        resources: [],
        warnings: [{ code: "no_capability" }],
      });
      expect((await bare.adapter.listPrompts()).prompts).toEqual([]);
    });
  });

  describe("prompts", () => {
    it("are listed and read", async () => {
      const { adapter, server } = await connected({
        "prompts/list": () => ({ prompts: [{ name: "greet", arguments: [{ name: "who" }] }] }),
        "prompts/get": () => ({
          messages: [{ role: "user", content: { type: "text", text: "Hello" } }],
        }),
      });
      expect((await adapter.listPrompts()).prompts).toMatchObject([{ name: "greet" }]);
      const prompt = await adapter.getPrompt("greet", { who: "you" });
      expect(prompt.messages).toMatchObject([{ role: "user", content: [{ text: "Hello" }] }]);
      expect(server.requests.at(-1)?.params).toMatchObject({
        name: "greet",
        arguments: { who: "you" },
      });
    });
  });

  describe("failures", () => {
    it("keep the server's message and code", async () => {
      const { adapter } = await connected({
        "resources/read": () => {
          throw new MCPTransportError("rpc", "the vault is locked", { rpcCode: -32002 });
        },
        "prompts/get": () => ({ nothing: true }),
      });
      await expect(adapter.readResource("a://1")).rejects.toMatchObject({
        name: "MCPAdapterError",
        code: "rpc",
        server: "mock",
        message: expect.stringContaining("the vault is locked"),
      });
      await expect(adapter.getPrompt("x")).rejects.toMatchObject({ code: "invalid_result" });
      await expect(
        adapter.readResource({ uriTemplate: "a://{", params: {} }),
      ).rejects.toMatchObject({
        name: "MCPAdapterError",
      });
    });

    it("deadlines and signals end the wait", async () => {
      const { adapter } = await connected({ "resources/read": () => new Promise(() => {}) });
      await expect(adapter.readResource("a://1", { timeoutMs: 20 })).rejects.toMatchObject({
        code: "timeout",
      });
      await expect(
        adapter.readResource("a://1", { signal: AbortSignal.timeout(10) }),
      ).rejects.toMatchObject({ code: "aborted" });
      await expect(
        Reflect.apply(adapter.readResource, adapter, ["a://1", 5]),
      ).rejects.toMatchObject({
        code: "config",
      });
    });

    it("without a connection they throw MCPNotConnectedError", async () => {
      const { adapter } = mockedAdapter();
      for (const call of [
        () => adapter.listResources(),
        () => adapter.listResourceTemplates(),
        () => adapter.readResource("a://1"),
        () => adapter.listPrompts(),
        () => adapter.getPrompt("x"),
        () => adapter.client.listTools(),
      ]) {
        await expect(call()).rejects.toMatchObject({ name: "MCPNotConnectedError" });
      }
    });
  });

  describe("adapter.client", () => {
    it("speaks like a client of the SDK, through the adapter", async () => {
      const { adapter } = await connected({
        "resources/list": () => ({ resources: [{ uri: "a://1", name: "one", own: 1 }] }),
        "resources/templates/list": () => ({ resourceTemplates: [{ uriTemplate: "a://{x}" }] }),
        "resources/read": ({ uri }) => ({ contents: [{ uri, text: "body" }], _meta: { a: 1 } }),
        "prompts/list": () => ({ prompts: [{ name: "greet" }] }),
        "prompts/get": () => ({ messages: [] }),
      });
      const { client } = adapter;
      expect((await client.listTools()).tools).toMatchObject([{ name: "add" }]);
      expect(await client.callTool({ name: "add", arguments: { a: 1, b: 2 } })).toEqual(
        addTool.call({ a: 1, b: 2 }),
      );
      expect(await client.listResources()).toEqual({
        resources: [{ uri: "a://1", name: "one", own: 1 }],
      });
      expect(await client.listResourceTemplates()).toEqual({
        resourceTemplates: [{ uriTemplate: "a://{x}" }],
      });
      expect(await client.readResource({ uri: "a://1" })).toEqual({
        contents: [{ uri: "a://1", text: "body" }],
        _meta: { a: 1 },
      });
      expect(await client.listPrompts()).toEqual({ prompts: [{ name: "greet" }] });
      expect(await client.getPrompt({ name: "greet" })).toEqual({ messages: [] });
      expect(client.getServerCapabilities()).toEqual(capabilities);
      expect(client.getServerVersion()).toMatchObject({ name: "mock" });
      expect(client.getNegotiatedProtocolVersion()).toBe("2025-11-25");
      expect(client.getInstructions()).toBeUndefined();
    });

    it("gives back isError, and rejects with a code where there is no result", async () => {
      const mocked = await connectedMock({
        tools: [
          addTool,
          { name: "fails", call: () => ({ isError: true, content: [] }) },
          { name: "hold", call: () => new Promise(() => {}) },
        ],
      });
      open.push(mocked.adapter);
      const { client } = mocked.adapter;
      expect(await client.callTool({ name: "fails" })).toEqual({ isError: true, content: [] });
      await expect(client.callTool({ name: "add", arguments: {} })).rejects.toMatchObject({
        code: "validation",
      });
      await expect(client.callTool({ name: "hold" }, { timeout: 20 })).rejects.toMatchObject({
        code: "timeout",
      });
      await expect(
        client.callTool({ name: "hold" }, { signal: AbortSignal.timeout(10) }),
      ).rejects.toMatchObject({ code: "cancelled" });
      await expect(client.callTool({ name: "none" })).rejects.toMatchObject({ code: "not_found" });
    });
  });
});
