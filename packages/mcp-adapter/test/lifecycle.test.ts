import { MCPTransportError } from "@x/mcp-transport";
import { afterEach, describe, expect, it } from "vitest";
import type { MCPToolAdapter } from "../src/index.ts";
import { addTool, connectedMock, mockedAdapter, overEngines } from "./mock-adapter.ts";

const open: MCPToolAdapter[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((adapter) => adapter.disconnect()));
});

const turn = (ms = 5) => new Promise((resolve) => setTimeout(resolve, ms));

overEngines(() => {
  describe("connect", () => {
    it("does nothing when connected", async () => {
      const { adapter, transport } = await connectedMock();
      open.push(adapter);
      await adapter.connect();
      expect(transport.opens).toBe(1);
    });

    it("knows what the server said of itself", async () => {
      const { adapter } = await connectedMock({
        serverInfo: { name: "calc", version: "2.1" },
        instructions: "Add, do not multiply.",
        protocolVersion: "2025-06-18",
      });
      open.push(adapter);
      expect(adapter.server).toEqual({
        protocolVersion: "2025-06-18",
        era: "legacy",
        name: "calc",
        version: "2.1",
        capabilities: { tools: { listChanged: true } },
        instructions: "Add, do not multiply.",
      });
    });

    it("fails for all who share the attempt, and can be tried again", async () => {
      const { adapter, transport } = mockedAdapter({ tools: [addTool] });
      open.push(adapter);
      transport.failNextOpen(
        new MCPTransportError("exited", "the process ended with code 3", {
          exitCode: 3,
          stderrTail: "fatal: missing API key\n",
        }),
      );
      const attempts = await Promise.allSettled([adapter.connect(), adapter.connect()]);
      for (const attempt of attempts) {
        expect(attempt).toMatchObject({
          status: "rejected",
          reason: {
            name: "MCPConnectionError",
            code: "exited",
            exitCode: 3,
            server: "mock",
            attempted: "mock server",
            stderrTail: "fatal: missing API key\n",
            message: expect.stringMatching(/"mock".*mock server.*code 3[\s\S]*missing API key/),
          },
        });
      }
      expect(adapter.state).toBe("down");
      await adapter.connect();
      expect((await adapter.invoke("add", { a: 1, b: 2 })).success).toBe(true);
    });

    it("one caller's signal does not end the attempt of another", async () => {
      const { adapter, server } = mockedAdapter();
      open.push(adapter);
      server.delayNext(400, "initialize");
      const patient = adapter.connect();
      const impatient = adapter.connect({ signal: AbortSignal.timeout(10) });
      await expect(impatient).rejects.toMatchObject({
        name: "MCPConnectionError",
        code: "aborted",
      });
      await patient;
      expect(adapter.state).toBe("ready");
    });

    it("disconnect during connect wins", async () => {
      const { adapter, server } = mockedAdapter();
      server.delayNext(40, "initialize");
      const connecting = adapter.connect();
      const outcome = expect(connecting).rejects.toMatchObject({ name: "MCPConnectionError" });
      await adapter.disconnect();
      await outcome;
      expect(adapter.state).toBe("closed");
      await turn(60);
      expect(server.connections).toBe(0);
    });

    it("connect right after disconnect waits for it and gives a new connection", async () => {
      const { adapter, transport, server } = await connectedMock();
      open.push(adapter);
      const closing = adapter.disconnect();
      await adapter.connect();
      await closing;
      expect(adapter.state).toBe("ready");
      expect([transport.opens, server.connections]).toEqual([2, 1]);
    });
  });

  describe("a lost connection, with manual recovery", () => {
    it("fails calls in flight at once, and later ones until the caller reconnects", async () => {
      const { adapter, server, events } = await connectedMock({
        tools: [addTool, { name: "hold", call: () => new Promise(() => {}) }],
      });
      open.push(adapter);
      await adapter.discoverTools();
      const held = adapter.invoke("hold");
      await turn();
      server.drop();
      expect(await held).toMatchObject({ errorCode: "outcome_unknown", ran: "unknown" });
      expect(adapter.state).toBe("down");
      expect(events.map(({ type }) => type)).toContain("connection.lost");
      await expect(adapter.invoke("add", { a: 1, b: 1 })).rejects.toMatchObject({
        name: "MCPNotConnectedError",
        code: "not_connected",
        message: expect.stringMatching(/"mock".*down.*connect\(\)/),
      });
      await adapter.reconnect();
      expect((await adapter.invoke("add", { a: 1, b: 1 })).success).toBe(true);
    });

    it("connect opens a new connection, and the list is read again before it is used", async () => {
      const { adapter, server } = await connectedMock({ tools: [addTool] });
      open.push(adapter);
      await adapter.discoverTools();
      server.drop();
      server.setTools([{ name: "other" }]);
      await adapter.connect();
      expect((await adapter.invoke("add", { a: 1, b: 1 })).errorCode).toBe("not_found");
      expect((await adapter.invoke("other")).success).toBe(true);
    });

    it("reconnect that fails throws MCPConnectionError and leaves the list empty", async () => {
      const { adapter, transport } = await connectedMock({ tools: [addTool] });
      open.push(adapter);
      await adapter.discoverTools();
      transport.failNextOpen(new MCPTransportError("refused", "nothing listens"));
      await expect(adapter.reconnect({ timeoutMs: 500 })).rejects.toMatchObject({
        name: "MCPConnectionError",
        code: "refused",
      });
      expect([adapter.state, adapter.tools]).toEqual(["down", []]);
    });
  });

  describe("disconnect", () => {
    it("is idempotent, also before connect", async () => {
      const { adapter } = mockedAdapter();
      await adapter.disconnect();
      await adapter.disconnect();
      expect(adapter.state).toBe("closed");
      await adapter[Symbol.asyncDispose]();
      expect(adapter.state).toBe("closed");
    });
  });

  describe("lists", () => {
    it("concurrent discoveries share one walk over all pages", async () => {
      const tools = Array.from({ length: 15 }, (_, index) => ({ name: `t${index}` }));
      const { adapter, server } = await connectedMock({ tools, pageSize: 4 });
      open.push(adapter);
      const lists = await Promise.all([
        adapter.discoverTools(),
        adapter.discoverTools({ include: ["t1*"] }),
        adapter.invoke("t11"),
      ]);
      expect(lists[1]).toHaveLength(6);
      expect(server.requests.filter(({ method }) => method === "tools/list")).toHaveLength(4);
    });

    it("a failing page is an error, never a shorter list", async () => {
      const { adapter, server } = await connectedMock({
        tools: [addTool, { name: "b" }],
        pageSize: 1,
      });
      open.push(adapter);
      await adapter.discoverTools();
      let pages = 0;
      server.handle("tools/list", () => {
        pages += 1;
        if (pages > 1) throw new MCPTransportError("rpc", "page 2 is lost", { rpcCode: -32603 });
        return { tools: [addTool], nextCursor: "2" };
      });
      await expect(adapter.discoverTools()).rejects.toMatchObject({
        name: "MCPAdapterError",
        code: "rpc",
        message: expect.stringContaining("page 2 is lost"),
      });
      expect(adapter.tools).toHaveLength(2);
    });

    it("a walk in a circle keeps the list, a list without end is refused", async () => {
      const { adapter, server } = await connectedMock({}, { maxPages: 50 });
      open.push(adapter);
      server.handle("tools/list", () => ({
        tools: [{ name: "a", inputSchema: {} }],
        nextCursor: "same",
      }));
      expect(await adapter.discoverTools()).toHaveLength(1);
      expect(adapter.discovery.warnings).toMatchObject([{ code: "cursor_cycle" }]);
      let page = 0;
      server.handle("tools/list", () => {
        page += 1;
        return { tools: [{ name: `t${page}` }], nextCursor: String(page) };
      });
      await expect(adapter.discoverTools()).rejects.toMatchObject({ code: "limit" });
      expect(adapter.tools).toHaveLength(1);
    });

    it("a server without tools, or that refuses the list, has none", async () => {
      const without = await connectedMock({ capabilities: { prompts: {} } });
      const refusing = await connectedMock({
        handlers: {
          "tools/list": () => {
            throw new MCPTransportError("rpc", "no such method", { rpcCode: -32601 });
          },
        },
      });
      open.push(without.adapter, refusing.adapter);
      expect(await without.adapter.discoverTools()).toEqual([]);
      expect(without.server.requests.map(({ method }) => method)).not.toContain("tools/list");
      expect(await refusing.adapter.discoverTools()).toEqual([]);
      expect(refusing.adapter.discovery.warnings).toMatchObject([{ code: "list_refused" }]);
    });

    it("a wait for a list can be given up", async () => {
      const { adapter, server } = await connectedMock({ tools: [addTool] });
      open.push(adapter);
      server.delayNext(400, "tools/list");
      await expect(
        adapter.discoverTools({}, { signal: AbortSignal.timeout(10) }),
      ).rejects.toMatchObject({ code: "aborted" });
      expect(await adapter.discoverTools()).toHaveLength(1);
    });

    it("list_changed is read again once for a burst, with the filter still in force", async () => {
      const { adapter, server, events } = await connectedMock({ tools: [addTool] });
      open.push(adapter);
      await adapter.discoverTools({ exclude: ["secret_*"] });
      server.setTools([{ name: "secret_b" }]);
      server.setTools([addTool, { name: "secret_a" }, { name: "more" }]);
      await expect.poll(() => adapter.tools.map(({ name }) => name)).toEqual(["add", "more"]);
      expect(server.requests.filter(({ method }) => method === "tools/list")).toHaveLength(2);
      expect(events.filter(({ type }) => type === "list.changed")).toHaveLength(2);
      expect((await adapter.invoke("secret_a")).errorCode).toBe("not_found");
    });

    it("a change during the first walk is not missed", async () => {
      const { adapter, server } = await connectedMock({ tools: [addTool] });
      open.push(adapter);
      const lists = [[{ name: "stale" }], [{ name: "fresh" }]];
      server.handle("tools/list", async () => {
        const tools = lists.shift();
        await turn(30);
        return { tools };
      });
      const first = adapter.discoverTools();
      await turn(10);
      server.notify("notifications/tools/list_changed");
      await first;
      await expect.poll(() => adapter.tools.map(({ name }) => name)).toEqual(["fresh"]);
    });

    it("a list is read again, before it is used, when its time is over", async () => {
      const { adapter, server } = await connectedMock();
      open.push(adapter);
      server.handle("tools/list", () => ({ tools: [{ name: "a", inputSchema: {} }], ttlMs: 500 }));
      const lists = () => server.requests.filter(({ method }) => method === "tools/list").length;
      await adapter.invoke("a");
      await adapter.invoke("a");
      expect(lists()).toBe(1);
      await turn(550);
      expect(lists()).toBe(1);
      await adapter.invoke("a");
      expect(lists()).toBe(2);
    });

    it("a list that cannot be read again leaves the old one and says so", async () => {
      const { adapter, server, events } = await connectedMock({ tools: [addTool] });
      open.push(adapter);
      await adapter.discoverTools();
      server.failNext(new MCPTransportError("rpc", "not now", { rpcCode: -32603 }), "tools/list");
      server.notify("notifications/tools/list_changed");
      await expect
        .poll(() => events.filter(({ type }) => type === "diagnostic"))
        .toMatchObject([{ message: expect.stringContaining("not now") }]);
      expect(adapter.tools).toHaveLength(1);
    });
  });
});
