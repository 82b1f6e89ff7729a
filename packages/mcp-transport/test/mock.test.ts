import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, expectTypeOf, it } from "vitest";
import { MCPTransport, MCPTransportError } from "../src/index.ts";
import { type MockServer, MockTransport, mockServer } from "../src/testing.ts";
import { failure } from "./support/failure.ts";

const tools = [
  { name: "add", call: ({ a, b }: Record<string, unknown>) => ({ sum: Number(a) + Number(b) }) },
  { name: "echo", description: "says it again", inputSchema: { type: "object" } },
  {
    name: "bad",
    call: () => {
      throw new Error("broken");
    },
  },
];

describe.each(["v1", "v2"] as const)("over engine %s", (engine) => {
  async function open(server: MockServer = mockServer({ tools })) {
    return new MockTransport(server, { engine }).open();
  }

  describe("mockServer", () => {
    it("lists its tools as they are, and calls them", async () => {
      const connection = await open();
      expect(await connection.listTools()).toEqual({
        items: [
          { name: "add" },
          { name: "echo", description: "says it again", inputSchema: { type: "object" } },
          { name: "bad" },
        ],
      });
      expect(await connection.callTool("add", { a: 1, b: 2 })).toEqual({ sum: 3 });
      expect(await connection.callTool("echo", { x: 1 })).toEqual({
        content: [{ type: "text", text: '{"name":"echo","args":{"x":1}}' }],
      });
      expect(await connection.request("ping")).toEqual({});
    });

    it("introduces itself as it is told to", async () => {
      const server = mockServer({
        protocolVersion: "2024-11-05",
        serverInfo: { name: "m", version: "2", title: "M" },
        capabilities: { prompts: {} },
        instructions: "Ask twice.",
      });
      expect((await open(server)).info).toEqual({
        protocolVersion: "2024-11-05",
        era: "legacy",
        server: { name: "m", version: "2", title: "M" },
        capabilities: { prompts: {} },
        instructions: "Ask twice.",
      });
    });

    it("gives pages of the size it is told to", async () => {
      const server = mockServer({
        tools: [{ name: "a" }, { name: "b" }, { name: "c" }],
        pageSize: 2,
      });
      const connection = await open(server);
      const first = await connection.listTools();
      expect(first).toEqual({ items: [{ name: "a" }, { name: "b" }], nextCursor: "2" });
      expect(await connection.listTools(first.nextCursor)).toEqual({ items: [{ name: "c" }] });
    });

    it("answers errors as a server would", async () => {
      const server = mockServer({
        tools: [
          ...tools,
          {
            name: "rpc",
            call: () => {
              throw new MCPTransportError("rpc", "no", { rpcCode: -32000, rpcData: { why: 1 } });
            },
          },
          { name: "odd", call: () => Promise.reject("text") },
        ],
      });
      const connection = await open(server);
      const fails = (name: string) => failure(connection.callTool(name, {}));
      expect(await fails("bad")).toMatchObject({
        code: "rpc",
        rpcCode: -32603,
        rpcMessage: "broken",
      });
      expect(await fails("odd")).toMatchObject({ rpcCode: -32603, rpcMessage: "text" });
      expect(await fails("rpc")).toMatchObject({
        rpcCode: -32000,
        rpcMessage: "no",
        rpcData: { why: 1 },
      });
      expect(await fails("none")).toMatchObject({
        rpcCode: -32602,
        rpcMessage: "Unknown tool: none",
      });
      expect(await failure(connection.listPrompts())).toMatchObject({
        code: "rpc",
        rpcCode: -32601,
      });
    });

    it("takes handlers for what it does not know, now and later", async () => {
      const server = mockServer({ handlers: { "prompts/list": () => ({ prompts: [1] }) } });
      const connection = await open(server);
      expect(await connection.listPrompts()).toEqual({ items: [1] });
      server.handle("tools/list", ({ cursor }) => ({ tools: [cursor] }));
      expect(await connection.listTools("c")).toEqual({ items: ["c"] });
    });

    it("remembers the requests that arrived", async () => {
      const server = mockServer({ tools });
      const connection = await open(server);
      await connection.callTool("add", { a: 1 });
      expect(server.requests.map(({ method }) => method)).toEqual(["initialize", "tools/call"]);
      expect(server.requests[1]?.params).toMatchObject({ name: "add", arguments: { a: 1 } });
    });

    it("changes its list, and tells so", async () => {
      const server = mockServer({ tools });
      const connection = await open(server);
      let changes = 0;
      await connection.onListChanged("tools", () => {
        changes += 1;
      });
      server.setTools([{ name: "new" }]);
      expect(changes).toBe(1);
      expect(await connection.listTools()).toEqual({ items: [{ name: "new" }] });
      server.notify("notifications/tools/list_changed");
      expect(changes).toBe(2);
    });

    it("drops its connections, and may be connected again", async () => {
      const server = mockServer({
        tools: [...tools, { name: "slow", call: () => new Promise(() => {}) }],
      });
      const connection = await open(server);
      const reasons: unknown[] = [];
      connection.onClose((reason) => reasons.push(reason?.code));
      const call = failure(connection.callTool("slow", {}));
      expect(server.connections).toBe(1);
      server.drop();
      expect(await call).toMatchObject({ code: "closed", delivery: "unknown" });
      expect(server.connections).toBe(0);
      expect(await failure(connection.listTools())).toMatchObject({ delivery: "not_sent" });
      const again = await open(server);
      server.drop(new MCPTransportError("exited", "died", { exitCode: 1 }));
      again.onClose((reason) => reasons.push(reason?.exitCode));
      expect(reasons).toEqual(["closed", 1]);
    });

    it("drops in the middle of a call: the call has run", async () => {
      let ran = 0;
      const server: MockServer = mockServer({
        tools: [
          {
            name: "write",
            call: () => {
              ran += 1;
              server.drop();
              return {};
            },
          },
        ],
      });
      const connection = await open(server);
      expect(await failure(connection.callTool("write", {}))).toMatchObject({
        delivery: "unknown",
      });
      expect(ran).toBe(1);
    });

    it.each(["not_sent", "refused", "unknown"] as const)(
      "loses the next request: %s",
      async (delivery) => {
        const server = mockServer({ tools });
        const connection = await open(server);
        server.failNext(new MCPTransportError("network", "cut", { delivery }), "tools/call");
        expect(await connection.listTools()).toBeTruthy();
        expect(await failure(connection.callTool("echo", {}))).toMatchObject({
          code: "network",
          delivery,
        });
        expect(await connection.callTool("echo", {})).toBeTruthy();
        expect(server.requests.filter(({ method }) => method === "tools/call")).toHaveLength(1);
      },
    );

    it("loses a request of any method, with a delivery that is unknown", async () => {
      const server = mockServer({ tools });
      const connection = await open(server);
      server.failNext(new MCPTransportError("http", "no", { httpStatus: 500 }));
      expect(await failure(connection.listTools())).toMatchObject({
        httpStatus: 500,
        delivery: "unknown",
      });
      server.failNext(new MCPTransportError("unauthorized", "who?"), "initialize");
      expect(await failure(open(server))).toMatchObject({ code: "unauthorized" });
    });

    it("answers later when it is told to", async () => {
      const server = mockServer({ tools });
      const connection = await open(server);
      server.delayNext(150, "tools/call");
      expect(await failure(connection.callTool("echo", {}, { timeoutMs: 30 }))).toMatchObject({
        code: "timeout",
      });
      server.delayNext(80);
      const start = performance.now();
      await connection.listTools();
      expect(performance.now() - start).toBeGreaterThan(70);
    });

    it("hears of progress wanted and of calls given up", async () => {
      const signals: AbortSignal[] = [];
      const server = mockServer({
        tools: [
          {
            name: "work",
            call: async (_, { signal, progress }) => {
              signals.push(signal);
              progress({ progress: 1, total: 2, message: "half" });
              await sleep(100, undefined, { signal }).catch(() => {});
              progress({ progress: 2, total: 2 });
              return { done: true };
            },
          },
        ],
      });
      const connection = await open(server);
      const seen: unknown[] = [];
      const onProgress = (step: unknown) => seen.push(step);
      expect(await connection.callTool("work", {}, { onProgress })).toEqual({ done: true });
      expect(seen).toEqual([
        { progress: 1, total: 2, message: "half" },
        { progress: 2, total: 2 },
      ]);
      await failure(connection.callTool("work", {}, { timeoutMs: 20, onProgress }));
      expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
      const last = failure(connection.callTool("work", {}));
      await connection.close();
      await last;
      expect(signals[2]?.aborted).toBe(true);
    });
  });

  describe("MockTransport", () => {
    it("is a transport that remembers its openings", async () => {
      const transport = new MockTransport(mockServer(), { engine });
      expect(transport).toBeInstanceOf(MCPTransport);
      expectTypeOf(transport).toExtend<MCPTransport>();
      await transport.open();
      const options = { timeoutMs: 500, clientInfo: { name: "c", version: "1" } };
      await transport.open(options);
      expect(transport.opens).toBe(2);
      expect(transport.opened).toEqual([{}, options]);
    });

    it("fails the next opening with the given error, once", async () => {
      const transport = new MockTransport(mockServer(), { engine });
      const error = new MCPTransportError("spawn", "no such command");
      transport.failNextOpen(error);
      await expect(transport.open()).rejects.toBe(error);
      await transport.open();
      expect(transport.opens).toBe(2);
    });

    it("keeps to deadline and signal as others do", async () => {
      const server = mockServer();
      const transport = new MockTransport(server, { engine });
      server.delayNext(500, "initialize");
      expect(await failure(transport.open({ timeoutMs: 30 }))).toMatchObject({ code: "timeout" });
      const signal = AbortSignal.abort();
      expect(await failure(transport.open({ signal }))).toMatchObject({ code: "aborted" });
      expect(await failure(transport.open({ timeoutMs: 0 }))).toMatchObject({ code: "config" });
      expect(server.connections).toBe(0);
    });
  });
});
