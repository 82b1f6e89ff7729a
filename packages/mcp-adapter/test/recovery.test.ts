import { MCPTransportError } from "@x/mcp-transport";
import { ToolRegistry } from "@x/tool-registry";
import { afterEach, describe, expect, it } from "vitest";
import type { MCPToolAdapter, MCPToolAdapterOptions } from "../src/index.ts";
import { connectedMock, mockedAdapter, overEngines } from "./mock-adapter.ts";

const open: MCPToolAdapter[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((adapter) => adapter.disconnect()));
});

type Overrides = Record<string, boolean>;

const turn = (ms = 5) => new Promise((resolve) => setTimeout(resolve, ms));
const down = () => new MCPTransportError("refused", "nothing listens", { delivery: "not_sent" });
const lost = (delivery: "not_sent" | "refused" | "unknown") =>
  new MCPTransportError(delivery === "refused" ? "session_lost" : "closed", "lost", { delivery });

async function recovering(options: Partial<MCPToolAdapterOptions> = {}, tools = allTools()) {
  const mocked = await connectedMock({ tools }, { recovery: "auto", ...options });
  open.push(mocked.adapter);
  await mocked.adapter.discoverTools();
  const sent = () => mocked.server.requests.filter(({ method }) => method === "tools/call").length;
  const happened = (type: string) => mocked.events.filter((event) => event.type === type);
  return { ...mocked, sent, happened };
}

/** `get_it` reads by its name alone; `add_it` writes. Both answer at once unless held. */
function allTools(held: { hold: boolean } = { hold: false }) {
  const call = () => (held.hold ? new Promise(() => {}) : { content: [] });
  return [
    { name: "get_it", annotations: { readOnlyHint: true, idempotentHint: true }, call },
    { name: "add_it", call },
  ];
}

overEngines(() => {
  describe("a lost connection is opened again", () => {
    it("by itself, while nobody calls", async () => {
      const { adapter, server, transport, happened } = await recovering();
      server.drop();
      expect(adapter.state).toBe("recovering");
      await expect.poll(() => adapter.state).toBe("ready");
      expect(transport.opens).toBe(2);
      expect(happened("connection.lost")).toHaveLength(1);
      expect(happened("recover.end")).toMatchObject([{ attempts: 1 }]);
    });

    it("again and again, with a pause between, until it succeeds", async () => {
      const { adapter, server, transport, happened } = await recovering();
      for (let failures = 0; failures < 2; failures += 1) transport.failNextOpen(down());
      const startedAt = performance.now();
      server.drop();
      expect((await adapter.invoke("get_it")).success).toBe(true);
      expect(performance.now() - startedAt).toBeGreaterThan(300);
      expect(happened("recover.end")).toMatchObject([{ attempts: 3 }]);
    });

    it("once for all calls that wait for it", async () => {
      const { adapter, server, transport } = await recovering();
      server.drop();
      const results = await Promise.all(Array.from({ length: 20 }, () => adapter.invoke("add_it")));
      expect(results.every(({ success }) => success)).toBe(true);
      expect(transport.opens).toBe(2);
    });

    it("also when the first connect failed, by the next call", async () => {
      const { adapter, transport } = mockedAdapter({ tools: allTools() }, { recovery: "auto" });
      open.push(adapter);
      transport.failNextOpen(down());
      await expect(adapter.connect()).rejects.toMatchObject({ code: "refused" });
      expect(adapter.state).toBe("down");
      expect((await adapter.invoke("get_it")).success).toBe(true);
    });

    it("is not tried before connect or after disconnect", async () => {
      const { adapter } = mockedAdapter({ tools: allTools() }, { recovery: "auto" });
      await expect(adapter.invoke("get_it")).rejects.toMatchObject({ code: "not_connected" });
      await adapter.connect();
      await adapter.disconnect();
      await expect(adapter.invoke("get_it")).rejects.toMatchObject({ code: "not_connected" });
    });

    it("what was registered is brought up to date with the new server", async () => {
      const { adapter, server } = await recovering();
      const registry = new ToolRegistry();
      await adapter.registerTools(registry, "ns");
      server.handle("tools/list", () => ({ tools: [{ name: "new_it" }, { name: "get_it" }] }));
      server.drop();
      await expect
        .poll(() => [...registry].map(({ id }) => id).sort())
        .toEqual(["ns/get_it", "ns/new_it"]);
    });

    it("filters hold on the new connection", async () => {
      const { adapter, server } = await recovering({ filter: { exclude: ["add_*"] } });
      server.drop();
      expect((await adapter.invoke("add_it")).errorCode).toBe("not_found");
    });
  });

  describe("a call under which the connection is lost", () => {
    const rows: [
      string,
      string,
      "not_sent" | "refused" | "unknown",
      Overrides | undefined,
      number,
    ][] = [
      ["never sent", "add_it", "not_sent", undefined, 1],
      ["refused with 404 to the session", "add_it", "refused", undefined, 1],
      ["sent, writing", "add_it", "unknown", undefined, 0],
      ["sent, reading by name and untrusted hints alone", "get_it", "unknown", undefined, 0],
      ["sent, read-only by override", "get_it", "unknown", { read_only: true }, 1],
      ["sent, idempotent by override", "add_it", "unknown", { idempotent: true }, 1],
      ["sent, not idempotent by override", "add_it", "unknown", { idempotent: false }, 0],
    ];

    it.each(rows)(
      "%s: is sent again only if that is safe",
      async (_, tool, delivery, override, again) => {
        const { adapter, server, sent, happened } = await recovering();
        const registry = new ToolRegistry();
        await adapter.registerTools(registry, "ns");
        if (override) {
          const document = { name: `ns/${tool}`, overrides: override };
          registry.applyOverrides(document, { origin: "test" });
        }
        server.failNext(lost(delivery), "tools/call");
        const result = await registry.invoke(`ns/${tool}`, {});
        expect(sent()).toBe(again);
        expect(happened("invoke.replay")).toHaveLength(again);
        if (again) expect(result.success).toBe(true);
        else expect(result).toMatchObject({ errorCode: "outcome_unknown", ran: "unknown" });
        expect((await adapter.invoke("add_it")).success).toBe(true);
      },
    );

    it("a trusted server's hints count as much as an override", async () => {
      const { transport, server } = mockedAdapter({ tools: allTools() });
      const { MCPToolAdapter: Adapter } = await import("../src/index.ts");
      const adapter = new Adapter({ name: "mock", trust: "annotations" }, { transport });
      open.push(adapter);
      await adapter.connect();
      server.failNext(lost("unknown"), "tools/call");
      expect((await adapter.invoke("get_it")).success).toBe(true);
      server.failNext(lost("unknown"), "tools/call");
      expect((await adapter.invoke("add_it")).errorCode).toBe("outcome_unknown");
    });

    it("is sent again once, never twice", async () => {
      const { adapter, server, sent } = await recovering();
      server.failNext(lost("refused"), "tools/call");
      server.failNext(lost("refused"), "tools/call");
      expect(await adapter.invoke("add_it")).toMatchObject({ errorCode: "unavailable", ran: "no" });
      expect(sent()).toBe(0);
    });

    it("the policy may be never, or a function that is asked where it may have run", async () => {
      const never = await recovering({ replay: "never" });
      never.server.failNext(lost("not_sent"), "tools/call");
      expect(await never.adapter.invoke("add_it")).toMatchObject({
        errorCode: "unavailable",
        ran: "no",
      });
      expect(never.sent()).toBe(0);

      const asked: unknown[] = [];
      const replay = (tool: string, { effect }: { effect: string }) => {
        asked.push([tool, effect]);
        return tool === "get_it";
      };
      const own = await recovering({ replay });
      own.server.failNext(lost("unknown"), "tools/call");
      expect((await own.adapter.invoke("get_it")).success).toBe(true);
      own.server.failNext(lost("unknown"), "tools/call");
      expect((await own.adapter.invoke("add_it")).errorCode).toBe("outcome_unknown");
      own.server.failNext(lost("not_sent"), "tools/call");
      expect((await own.adapter.invoke("add_it")).success).toBe(true);
      expect(asked).toEqual([
        ["get_it", "read"],
        ["add_it", "write"],
      ]);
    });

    it("a policy that throws allows nothing and hides nothing", async () => {
      const broken = new Error("policy bug");
      const { adapter, server, events } = await recovering({
        replay: () => {
          throw broken;
        },
      });
      server.failNext(lost("unknown"), "tools/call");
      expect(await adapter.invoke("add_it")).toMatchObject({
        errorCode: "outcome_unknown",
        ran: "unknown",
      });
      expect(events).toContainEqual(expect.objectContaining({ type: "diagnostic", error: broken }));
    });

    it("when the second sending fails before it leaves, the first may still have run", async () => {
      const { adapter, server } = await recovering({ replay: () => true });
      server.failNext(lost("unknown"), "tools/call");
      server.handle("tools/list", () => ({ tools: [{ name: "other" }] }));
      expect(await adapter.invoke("add_it")).toMatchObject({
        errorCode: "outcome_unknown",
        ran: "unknown",
        error: expect.stringMatching(/outcome unknown.*not found/),
      });
    });

    it("several calls share one recovery, and each has its own outcome", async () => {
      const held = { hold: true };
      const { adapter, server, transport } = await recovering({}, allTools(held));
      const writing = [adapter.invoke("add_it"), adapter.invoke("add_it")];
      const reading = adapter.invoke("get_it");
      await turn();
      held.hold = false;
      server.drop();
      for (const result of await Promise.all([...writing, reading])) {
        expect(result).toMatchObject({ errorCode: "outcome_unknown", ran: "unknown" });
      }
      expect((await adapter.invoke("add_it")).success).toBe(true);
      expect(transport.opens).toBe(2);
    });

    it("a list that is being read is read again", async () => {
      const { adapter, server } = await recovering();
      server.failNext(lost("unknown"), "tools/list");
      expect(await adapter.discoverTools()).toHaveLength(2);
      server.drop();
      server.failNext(lost("unknown"), "tools/list");
      expect((await adapter.invoke("add_it")).success).toBe(true);
    });

    it("a resource that is being read is read again", async () => {
      const mocked = await connectedMock(
        {
          capabilities: { resources: {} },
          handlers: { "resources/read": () => ({ contents: [{ uri: "a://1", text: "x" }] }) },
        },
        { recovery: "auto" },
      );
      open.push(mocked.adapter);
      mocked.server.failNext(lost("unknown"), "resources/read");
      expect((await mocked.adapter.readResource("a://1")).contents).toHaveLength(1);
    });
  });

  describe("what is no loss, and what is", () => {
    it("400 to a session that had worked opens a new one, and the call is not sent again", async () => {
      const { adapter, server, transport, sent } = await recovering();
      const bad = new MCPTransportError("http", "HTTP 400", {
        httpStatus: 400,
        delivery: "unknown",
      });
      server.failNext(bad, "tools/call");
      expect(await adapter.invoke("add_it")).toMatchObject({
        errorCode: "protocol",
        ran: "unknown",
      });
      expect((await adapter.invoke("add_it")).success).toBe(true);
      expect([transport.opens, sent()]).toEqual([2, 1]);
    });

    it("another status, a JSON-RPC error and 401 leave the connection as it is", async () => {
      const { adapter, server, transport } = await recovering();
      const errors = [
        new MCPTransportError("http", "HTTP 500", { httpStatus: 500, delivery: "unknown" }),
        new MCPTransportError("rpc", "no", { rpcCode: -32603, delivery: "unknown" }),
        new MCPTransportError("unauthorized", "HTTP 401", { httpStatus: 401, delivery: "unknown" }),
      ];
      for (const error of errors) {
        server.failNext(error, "tools/call");
        expect((await adapter.invoke("add_it")).success).toBe(false);
      }
      expect([adapter.state, transport.opens]).toEqual(["ready", 1]);
    });

    it("after a call without an answer, one ping decides", async () => {
      const held = { hold: true };
      const { adapter, server, transport } = await recovering({}, allTools(held));
      const silent = () => adapter.invoke("add_it", {}, { timeoutMs: 200 });
      server.delayNext(100, "ping");
      expect((await Promise.all([silent(), silent()])).map(({ errorCode }) => errorCode)).toEqual([
        "timeout",
        "timeout",
      ]);
      await turn(150);
      expect(server.requests.filter(({ method }) => method === "ping")).toHaveLength(1);
      expect([adapter.state, transport.opens]).toEqual(["ready", 1]);

      server.failNext(lost("unknown"), "ping");
      await silent();
      await expect.poll(() => transport.opens).toBe(2);
    });
  });

  describe("the circuit", () => {
    async function opened(circuitResetMs: number) {
      const mocked = await recovering({ circuitResetMs });
      for (let failure = 0; failure < 5; failure += 1) mocked.transport.failNextOpen(down());
      mocked.server.drop();
      const first = await mocked.adapter.invoke("get_it");
      expect(first).toMatchObject({ errorCode: "unavailable", ran: "no" });
      expect(first.error).toMatch(/"mock".*nothing listens/);
      expect(mocked.happened("circuit.open")).toMatchObject([{ resetMs: circuitResetMs }]);
      expect(mocked.adapter.state).toBe("down");
      return mocked;
    }

    it("opens after five failures in a row: calls answer at once", async () => {
      const { adapter, transport } = await opened(60_000);
      const before = transport.opens;
      const startedAt = performance.now();
      for (let call = 0; call < 10; call += 1) {
        expect((await adapter.invoke("get_it")).errorCode).toBe("unavailable");
      }
      expect(performance.now() - startedAt).toBeLessThan(1_000);
      expect(transport.opens).toBe(before);
    }, 30_000);

    it("lets one trial through after the reset time, and closes when it succeeds", async () => {
      const { adapter, transport, happened } = await opened(50);
      transport.failNextOpen(down());
      await turn(60);
      const before = transport.opens;
      const trial = await Promise.all([adapter.invoke("get_it"), adapter.invoke("get_it")]);
      expect(trial.map(({ errorCode }) => errorCode)).toEqual(["unavailable", "unavailable"]);
      expect(transport.opens).toBe(before + 1);
      await turn(60);
      expect((await adapter.invoke("get_it")).success).toBe(true);
      expect(happened("circuit.close")).toHaveLength(1);
    }, 30_000);

    it("reconnect closes it", async () => {
      const { adapter, happened } = await opened(60_000);
      await adapter.reconnect();
      expect((await adapter.invoke("get_it")).success).toBe(true);
      expect(happened("circuit.close")).toHaveLength(1);
    }, 30_000);

    it("what no waiting can mend is not tried again", async () => {
      const { adapter, server, transport } = await recovering();
      transport.failNextOpen(
        new MCPTransportError("unauthorized", "HTTP 401", { httpStatus: 401 }),
      );
      const before = transport.opens;
      server.drop();
      expect(await adapter.invoke("get_it")).toMatchObject({
        errorCode: "unauthorized",
        ran: "no",
      });
      expect(transport.opens).toBe(before + 1);
      expect((await adapter.invoke("get_it")).success).toBe(true);
    });
  });

  describe("during recovery", () => {
    it("disconnect wins, and waiting calls are cancelled", async () => {
      const { adapter, server, transport } = await recovering();
      transport.failNextOpen(down());
      server.drop();
      const waiting = adapter.invoke("add_it");
      await turn(20);
      await adapter.disconnect();
      expect(await waiting).toMatchObject({ errorCode: "cancelled", ran: "no" });
      await turn(400);
      expect([adapter.state, server.connections, transport.opens]).toEqual(["closed", 0, 2]);
    });

    it("a deadline or a signal ends the wait of one call, not the recovery", async () => {
      const { adapter, server, transport } = await recovering();
      transport.failNextOpen(down());
      server.drop();
      const late = adapter.invoke("add_it", {}, { timeoutMs: 20 });
      const cancelled = adapter.invoke("add_it", {}, { signal: AbortSignal.timeout(20) });
      const patient = adapter.invoke("add_it");
      expect(await late).toMatchObject({ errorCode: "timeout", ran: "no" });
      expect(await cancelled).toMatchObject({ errorCode: "cancelled", ran: "no" });
      expect((await patient).success).toBe(true);
    });

    it("connect waits for it", async () => {
      const { adapter, server, transport } = await recovering();
      server.drop();
      await adapter.connect();
      expect([adapter.state, transport.opens]).toEqual(["ready", 2]);
    });
  });
});
