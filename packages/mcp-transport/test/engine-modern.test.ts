import { describe, expect, it } from "vitest";
import {
  createTransport,
  type MCPConnection,
  type MCPServerConfig,
  type OpenOptions,
} from "../src/index.ts";
import { modernStdioServer } from "./support/case-server.ts";
import { eventually } from "./support/eventually.ts";
import { failure } from "./support/failure.ts";
import { serveModern } from "./support/modern-http.ts";

type Kind = "http" | "stdio";

async function server(kind: Kind, eras: "modern" | "both" = "modern"): Promise<MCPServerConfig> {
  if (kind === "stdio") return modernStdioServer({ ERAS: eras });
  const { url } = await serveModern(eras === "both" ? "stateless" : "reject");
  return { name: "modern", url, transport: "streamable-http" };
}

async function open(kind: Kind, options?: OpenOptions): Promise<MCPConnection> {
  const config = await server(kind);
  return createTransport({ ...config, protocol: "2026-07-28" }).open(options);
}

async function textOf(call: Promise<Record<string, unknown>>): Promise<string> {
  const { content } = await call;
  return String((content as { text?: string }[])[0]?.text);
}

describe.each<Kind>(["http", "stdio"])("a server of 2026-07-28 over %s", (kind) => {
  it.each(["auto", "2026-07-28"] as const)("is spoken to with protocol %s", async (protocol) => {
    const connection = await createTransport({ ...(await server(kind)), protocol }).open();
    expect(connection.info).toMatchObject({
      protocolVersion: "2026-07-28",
      era: "modern",
      server: { name: "modern", version: "3" },
      capabilities: { tools: { listChanged: true } },
      instructions: "be kind",
    });
    const page = await connection.listTools();
    expect(page.items.length).toBeGreaterThan(4);
    expect(page.ttlMs).toBe(0);
    expect(page.cacheScope).toBe("private");
    const result = await connection.callTool("echo", { text: "hi" });
    expect(result).toMatchObject({ content: [{ type: "text", text: "hi" }] });
    expect(result).not.toHaveProperty("resultType");
    await connection.close();
  });

  it("is told to use engine v2 when it is asked in the old way", async () => {
    for (const engine of ["v1", "v2"] as const) {
      const config = await server(kind);
      const error = await failure(createTransport(config, { engine }).open());
      expect(error).toMatchObject({ code: "unsupported", rpcCode: -32022 });
      expect(error.message).toContain("engine v2");
      expect(error.message).toContain('protocol "auto"');
    }
  });

  it("that speaks both is spoken to as it is asked for", async () => {
    const config = await server(kind, "both");
    for (const [protocol, engine, era] of [
      ["auto", "v2", "modern"],
      ["legacy", "v2", "legacy"],
      ["legacy", "v1", "legacy"],
    ] as const) {
      const connection = await createTransport({ ...config, protocol }, { engine }).open();
      expect(connection.info.era).toBe(era);
      expect(await textOf(connection.callTool("echo", { text: "x" }))).toBe("x");
      await connection.close();
    }
  });

  it("gets the input that it asks for", async () => {
    const asked: unknown[] = [];
    const connection = await open(kind, {
      onElicit: async (params) => {
        asked.push(params);
        return { action: "accept", content: { name: "Ada" } };
      },
      roots: [{ uri: "file:///r", name: "r" }],
    });
    expect(await textOf(connection.callTool("ask", {}))).toContain('"name":"Ada"');
    expect(asked).toMatchObject([{ message: "Who?" }]);
    expect(await textOf(connection.callTool("report", {}))).toContain("opaque ≤ state");
    expect(await textOf(connection.callTool("roots", {}))).toContain("file:///r");
    await connection.close();
  });

  it("that asks for what was not offered is refused with a code", async () => {
    const connection = await open(kind);
    const error = await failure(connection.callTool("ask", {}));
    expect(error).toMatchObject({ code: "unsupported", delivery: "unknown" });
    expect(await textOf(connection.callTool("echo", { text: "on" }))).toBe("on");
    await connection.close();
  });

  it.each(["a timeout", "an abort"])("hears by %s that nobody waits any more", async (what) => {
    const connection = await open(kind);
    const report = () => textOf(connection.callTool("report", {}));
    const controller = new AbortController();
    const options = what === "a timeout" ? { timeoutMs: 1_500 } : { signal: controller.signal };
    const nap = failure(connection.callTool("nap", {}, options));
    await eventually(async () => expect(await report()).toContain('"naps":1'));
    controller.abort();
    expect(await nap).toMatchObject({
      code: what === "a timeout" ? "timeout" : "aborted",
      delivery: "unknown",
    });
    await eventually(async () => expect(await report()).toContain('"aborted":1'));
    await connection.close();
  });

  it("is never pinged: the era has no ping", async () => {
    const connection = await open(kind);
    const error = await failure(connection.request("ping"));
    expect(error).toMatchObject({ code: "unsupported", delivery: "not_sent" });
    expect(error.message).toContain("ping is not part of the protocol version");
    await connection.close();
  });

  it("answers with an error of its own", async () => {
    const connection = await open(kind);
    expect(await failure(connection.request("x/unknown"))).toMatchObject({
      code: "rpc",
      rpcCode: -32601,
      delivery: "unknown",
    });
    await connection.close();
  });
});

describe("changes of a list of 2026-07-28", () => {
  it("are heard over HTTP, also after the stream broke", async () => {
    const { url, handler, requests, cut } = await serveModern();
    const connection = await createTransport({
      name: "m",
      url,
      transport: "streamable-http",
      protocol: "auto",
    }).open();
    let changes = 0;
    const stop = await connection.onListChanged("tools", () => {
      changes += 1;
    });
    const listens = () => requests.filter(({ rpc }) => rpc === "subscriptions/listen").length;
    expect(listens()).toBe(1);
    handler.notify.toolsChanged();
    await eventually(async () => expect(changes).toBe(1));
    cut();
    await eventually(async () => expect(listens()).toBeGreaterThan(1));
    // What changed meanwhile is unknown.
    await eventually(async () => expect(changes).toBeGreaterThan(1));
    stop();
    await connection.close();
  });

  it("are heard over stdio while a call is running", async () => {
    const connection = await open("stdio");
    let changes = 0;
    const stop = await connection.onListChanged("tools", () => {
      changes += 1;
    });
    expect(await textOf(connection.callTool("grow", {}))).toBe("grown");
    await eventually(async () => expect(changes).toBe(1));
    stop();
    await connection.callTool("grow", {});
    expect(changes).toBe(1);
    await connection.close();
  });

  it("that the server does not tell of are not asked for", async () => {
    const { url, requests } = await serveModern();
    const connection = await createTransport({
      name: "m",
      url,
      transport: "streamable-http",
      protocol: "auto",
    }).open();
    (await connection.onListChanged("prompts", () => {}))();
    expect(requests.map(({ rpc }) => rpc)).toEqual(["server/discover"]);
    await connection.close();
  });
});

describe("headers of 2026-07-28", () => {
  it("name the method, the thing and the version, and the parameters that the tool names", async () => {
    const { url, requests } = await serveModern();
    const connection = await createTransport({
      name: "m",
      url,
      transport: "streamable-http",
      protocol: "2026-07-28",
    }).open();
    await connection.listTools();
    expect(await textOf(connection.callTool("region", { region: "nord-øst", count: 3 }))).toBe(
      "nord-øst 3",
    );
    expect(await textOf(connection.callTool("region", { region: "east" }))).toBe("east -");
    expect(requests.map(({ rpc }) => rpc)).toEqual([
      "server/discover",
      "tools/list",
      "tools/call",
      "tools/call",
    ]);
    expect(requests[2]?.headers).toMatchObject({
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "region",
      "mcp-param-region": `=?base64?${Buffer.from("nord-øst").toString("base64")}?=`,
      "mcp-param-count": "3",
    });
    expect(requests[3]?.headers).toMatchObject({ "mcp-param-region": "east" });
    expect(requests[3]?.headers).not.toHaveProperty("mcp-param-count");
    await connection.close();
  });

  it("are learnt from the list when a call is refused for want of them", async () => {
    const { url, requests } = await serveModern();
    const connection = await createTransport({
      name: "m",
      url,
      transport: "streamable-http",
      protocol: "2026-07-28",
    }).open();
    const call = connection.callTool("region", { region: "west" }, { timeoutMs: 10_000 });
    expect(await textOf(call)).toBe("west -");
    expect(requests.map(({ rpc }) => rpc).slice(1)).toEqual([
      "tools/call",
      "tools/list",
      "tools/call",
    ]);
    await connection.close();
  });
});
