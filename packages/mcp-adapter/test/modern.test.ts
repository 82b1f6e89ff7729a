import { createTransport, type MCPServerConfig } from "@x/mcp-transport";
import { ToolRegistry } from "@x/tool-registry";
import { afterEach, describe, expect, it } from "vitest";
import { type MCPAdapterEvent, MCPToolAdapter, type MCPToolAdapterOptions } from "../src/index.ts";
import { type Answer, cut, modernServer, RpcError } from "./modern-server.ts";

/** MCP 2026-07-28, seen by the user of an adapter. */

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const tool = (name: string, more: object = {}) => ({
  name,
  inputSchema: { type: "object" },
  ...more,
});
const page = (names: readonly string[], more: object = {}) => ({
  tools: names.map((name) => tool(name)),
  ...more,
});
const says = (text: string) => ({ content: [{ type: "text", text }] });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function connected(
  answers: Record<string, Answer>,
  options: MCPToolAdapterOptions = {},
  protocol: NonNullable<MCPServerConfig["protocol"]> = "2026-07-28",
) {
  const server = await modernServer({
    "tools/list": () => page(["t"]),
    "tools/call": () => says("done"),
    ...answers,
  });
  open.push(() => server.stop());
  const events: MCPAdapterEvent[] = [];
  const adapter = new MCPToolAdapter(
    { name: "modern", url: server.url, transport: "streamable-http", protocol },
    { onEvent: (event) => events.push(event), ...options },
  );
  open.push(() => adapter.disconnect());
  await adapter.connect();
  const times = (method: string) => server.methods().filter((name) => name === method).length;
  return { server, adapter, events, times };
}

describe("a server of 2026-07-28", () => {
  it.each(["auto", "2026-07-28"] as const)(
    "is discovered, called and registered with protocol %s",
    async (protocol) => {
      const { adapter, server } = await connected({}, {}, protocol);
      expect(adapter.server).toMatchObject({ protocolVersion: "2026-07-28", era: "modern" });
      const registry = new ToolRegistry();
      await adapter.registerTools(registry, "ns");
      expect(await registry.invoke("ns/t", {})).toMatchObject({
        success: true,
        data: says("done"),
      });
      expect(server.methods()).not.toContain("initialize");
    },
  );

  it("is named on engine v1, with what to do", async () => {
    const { server } = await connected({});
    const config = { name: "old", url: server.url, transport: "streamable-http" } as const;
    const adapter = new MCPToolAdapter(config, { transport: createTransport(config) });
    await expect(adapter.connect()).rejects.toMatchObject({
      name: "MCPConnectionError",
      code: "unsupported",
      message: expect.stringMatching(/only protocol version 2026-07-28.*engine v2.*"auto"/),
    });
    await adapter.disconnect();
  });
});

describe("the time a list is good for", () => {
  it("is kept: until then the list is used, after that it is read again before a call", async () => {
    const { adapter, times } = await connected({
      "tools/list": () => page(["t"], { ttlMs: 400, cacheScope: "public" }),
    });
    await adapter.invoke("t");
    await adapter.invoke("t");
    expect(times("tools/list")).toBe(1);
    await pause(450);
    // Nothing is polled.
    expect(times("tools/list")).toBe(1);
    await adapter.invoke("t");
    expect(times("tools/list")).toBe(2);
  });

  it("is the shortest of its pages'", async () => {
    const { adapter, times } = await connected({
      "tools/list": ({ params }) =>
        params["cursor"] === "2"
          ? page(["u"], { ttlMs: 300 })
          : page(["t"], { ttlMs: 60_000, nextCursor: "2" }),
    });
    await adapter.invoke("u");
    await pause(350);
    await adapter.invoke("u");
    expect(times("tools/list")).toBe(4);
  });

  it("is without end where the server names none, until it says that the list changed", async () => {
    const { adapter, times } = await connected({ "tools/list": () => page(["t"], { ttlMs: 0 }) });
    await adapter.invoke("t");
    await adapter.invoke("t");
    expect(times("tools/list")).toBe(1);
    // Who asks for the list always gets it from the server.
    await adapter.discoverTools();
    expect(times("tools/list")).toBe(2);
  });

  it("ends with the connection: a private list is never shown to another", async () => {
    const { adapter, times } = await connected({
      "tools/list": () => page(["t"], { ttlMs: 60_000, cacheScope: "private" }),
    });
    await adapter.invoke("t");
    await adapter.reconnect();
    expect(adapter.tools).toEqual([]);
    await adapter.invoke("t");
    expect(times("tools/list")).toBe(2);
  });
});

describe("changes of the list", () => {
  it("are listened for once, and followed into the registry", async () => {
    let names = ["old", "kept"];
    const { adapter, server, times, events } = await connected({
      "tools/list": () => page(names, { ttlMs: 60_000 }),
    });
    const registry = new ToolRegistry();
    await adapter.registerTools(registry, "ns");
    expect([times("subscriptions/listen"), server.listeners]).toEqual([1, 1]);
    names = ["kept", "new"];
    server.changed();
    await expect
      .poll(() => [...registry].map(({ id }) => id).sort(), { timeout: 5_000 })
      .toEqual(["ns/kept", "ns/new"]);
    expect(events.map(({ type }) => type)).toContain("list.changed");
    await adapter.disconnect();
    await expect.poll(() => server.listeners).toBe(0);
  });
});

describe("input that a tool requires", () => {
  const asking: Answer = ({ params }) =>
    params["inputResponses"] === undefined
      ? {
          resultType: "input_required",
          inputRequests: {
            who: { method: "elicitation/create", params: { message: "Who?", mode: "form" } },
            where: { method: "roots/list" },
          },
          requestState: "opaque ≤ state",
        }
      : says(JSON.stringify([params["inputResponses"], params["requestState"]]));

  it("is given by onElicit and roots, under a new id, with the state as it came", async () => {
    const asked: unknown[] = [];
    const { adapter, server } = await connected(
      { "tools/call": asking },
      {
        onElicit: async (params) => {
          asked.push(params["message"]);
          return { action: "accept", content: { name: "Ada" } };
        },
        roots: [{ uri: "file:///r", name: "r" }],
      },
    );
    const result = await adapter.invoke("t", { a: 1 });
    expect(result.success).toBe(true);
    const [text] = result.content;
    expect(JSON.parse(text && "text" in text ? String(text.text) : "")).toEqual([
      {
        who: { action: "accept", content: { name: "Ada" } },
        where: { roots: [{ uri: "file:///r", name: "r" }] },
      },
      "opaque ≤ state",
    ]);
    expect(asked).toEqual(["Who?"]);
    const [first, second] = server.requests.filter(({ method }) => method === "tools/call");
    expect(second?.id).not.toEqual(first?.id);
    expect(second?.params["arguments"]).toEqual({ a: 1 });
  });

  it("that was not offered is unsupported; whether the tool has begun is unknown", async () => {
    const { adapter, times } = await connected({ "tools/call": asking });
    expect(await adapter.invoke("t")).toMatchObject({
      errorCode: "unsupported",
      ran: "unknown",
      error: expect.stringContaining("onElicit"),
    });
    expect(times("tools/call")).toBe(1);
  });

  it("that the server wants declared is unsupported; it may have found out in the middle", async () => {
    const { adapter } = await connected({
      "tools/call": () => {
        throw new RpcError(-32021, "elicitation is needed");
      },
    });
    expect(await adapter.invoke("t")).toMatchObject({ errorCode: "unsupported", ran: "unknown" });
  });

  it.each([
    ["nothing", {}, {}],
    ["elicitation", { onElicit: async () => ({ action: "decline" }) }, { elicitation: {} }],
    ["roots", { roots: [] }, { roots: {} }],
  ] as const)("is advertised only if given: %s", async (_, options, capabilities) => {
    const { adapter, server } = await connected({}, options);
    await adapter.invoke("t");
    const said = server.requests.map(({ params }) => Object(params["_meta"]));
    for (const meta of said) {
      expect(Object.keys(meta["io.modelcontextprotocol/clientCapabilities"])).toEqual(
        Object.keys(capabilities),
      );
    }
    expect(said.length).toBeGreaterThan(2);
  });
});

describe("a tool that runs only as a task", () => {
  it("is unsupported, since the era has no tasks, and is not sent", async () => {
    const { adapter, times } = await connected({
      "tools/list": () => ({ tools: [tool("t", { execution: { taskSupport: "required" } })] }),
    });
    expect(await adapter.invoke("t")).toMatchObject({
      errorCode: "unsupported",
      ran: "no",
      error: expect.stringMatching(/task.*2026-07-28/),
    });
    expect(times("tools/call")).toBe(0);
  });
});

describe("an answer that never comes", () => {
  it("leaves the outcome unknown, and the call is sent again only if it may run twice", async () => {
    let cuts = 1;
    const answers = {
      "tools/call": () => {
        cuts -= 1;
        return cuts >= 0 ? cut : says("done");
      },
    };
    const { adapter, times, server } = await connected(answers);
    expect(await adapter.invoke("t")).toMatchObject({
      errorCode: "outcome_unknown",
      ran: "unknown",
    });
    expect(times("tools/call")).toBe(1);
    cuts = 1;
    const trusting = new MCPToolAdapter(
      { name: "modern", url: server.url, transport: "streamable-http", protocol: "2026-07-28" },
      { replay: () => true },
    );
    open.push(() => trusting.disconnect());
    await trusting.connect();
    expect((await trusting.invoke("t")).success).toBe(true);
    expect(times("tools/call")).toBe(3);
  });
});
