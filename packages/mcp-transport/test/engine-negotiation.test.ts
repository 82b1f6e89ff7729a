import { describe, expect, it } from "vitest";
import { createTransport, type MCPTransport, WireTransport } from "../src/index.ts";
import { MockTransport, mockServer } from "../src/testing.ts";
import { caseServer, modernStdioServer } from "./support/case-server.ts";
import { failure } from "./support/failure.ts";
import { json, mcp, serve, sse } from "./support/http-server.ts";
import { serveModern } from "./support/modern-http.ts";
import { handshake, type Message, ScriptedWire } from "./support/scripted-wire.ts";

/** A server of before, which answers the question after the era in its own way. */
function old(answer: (response: Parameters<typeof json>[0], id: unknown) => void) {
  return mcp({
    first: ({ message }, response) => {
      if (message?.method !== "server/discover") return false;
      answer(response, message.id);
      return true;
    },
  });
}

function auto(url: string): MCPTransport {
  return createTransport({ name: "a", url, transport: "streamable-http", protocol: "auto" });
}

function methods(server: { seen: readonly { message: Message | undefined }[] }): unknown[] {
  return server.seen.map(({ message }) => message?.method).filter((method) => method !== undefined);
}

describe("protocol auto over HTTP", () => {
  it.each<[what: string, answer: Parameters<typeof old>[0]]>([
    ["HTTP 500", (response) => response.writeHead(500).end()],
    ["HTTP 403", (response) => response.writeHead(403).end()],
    ["HTTP 404", (response) => response.writeHead(404).end()],
    ["HTTP 405", (response) => response.writeHead(405).end()],
    ["HTTP 429", (response) => response.writeHead(429).end()],
    [
      "HTTP 400 and an error",
      (r, id) => json(r, { id, error: { code: -32000, message: "x" } }, 400),
    ],
    ["HTTP 202", (response) => response.writeHead(202).end()],
    ["a page", (r) => r.writeHead(200, { "content-type": "text/html" }).end("<p>hi")],
    ["half a JSON", (r) => r.writeHead(200, { "content-type": "application/json" }).end('{"a')],
    ["a broken connection", (response) => response.socket?.destroy()],
    ["method not found", (r, id) => json(r, { id, error: { code: -32601, message: "none" } })],
    ["an error for nobody", (r) => json(r, { id: null, error: { code: -32601, message: "none" } })],
    ["an error that is none", (r, id) => json(r, { id, error: "boom" })],
    ["a result of another kind", (r, id) => json(r, { id, result: { ok: true } })],
    [
      "no version that we know",
      (r, id) => json(r, { id, result: { supportedVersions: ["2099-01-01"] } }),
    ],
    [
      "versions of another form",
      (r, id) => json(r, { id, result: { supportedVersions: "2026-07-28" } }),
    ],
  ])("shakes hands the old way after %s, and remembers", async (_what, answer) => {
    const server = await old(answer);
    const transport = auto(server.url);
    for (const expected of [["server/discover", "initialize"], ["initialize"]]) {
      server.seen.length = 0;
      const connection = await transport.open();
      expect(connection.info).toMatchObject({ era: "legacy", protocolVersion: "2025-11-25" });
      expect(await connection.request("x")).toEqual({ ok: true });
      expect(methods(server)).toEqual([...expected, "notifications/initialized", "x"]);
      await connection.close();
    }
  });

  it("waits for silence no longer than half the time there is", async () => {
    const server = await old(() => {});
    const start = performance.now();
    const connection = await auto(server.url).open({ timeoutMs: 4_000 });
    const took = performance.now() - start;
    expect(took).toBeGreaterThan(1_900);
    expect(took).toBeLessThan(3_900);
    expect(connection.info.era).toBe("legacy");
    await connection.close();
  });

  it("says what is wrong after 401, and asks no more", async () => {
    const server = await old((response) => response.writeHead(401).end());
    expect(await failure(auto(server.url).open())).toMatchObject({
      code: "unauthorized",
      httpStatus: 401,
    });
    expect(methods(server)).toEqual(["server/discover"]);
  });

  it.each(["abort", "deadline"])("asks no more after the %s", async (what) => {
    const server = await serve(() => {});
    const options = what === "abort" ? { signal: AbortSignal.timeout(300) } : { timeoutMs: 600 };
    const error = await failure(auto(server.url).open(options));
    expect(error.code).toBe(what === "abort" ? "aborted" : "timeout");
    expect(methods(server).filter((method) => method === "server/discover")).toHaveLength(1);
    if (what === "abort") expect(methods(server)).toEqual(["server/discover"]);
  });

  it("says that nothing listens, without asking twice", async () => {
    const server = await serve(() => {});
    await server.stop();
    expect(await failure(auto(server.url).open())).toMatchObject({ code: "refused" });
  });

  it("asks anew once a server that it knew as old has been renewed", async () => {
    let { url } = await old((response) => response.writeHead(404).end());
    const transport = createTransport({
      name: "a",
      url,
      transport: "streamable-http",
      protocol: "auto",
      fetch: (address, init) => fetch(new URL(new URL(address).pathname, url), init),
    });
    const before = await transport.open();
    expect(before.info.era).toBe("legacy");
    ({ url } = await serveModern("reject"));
    const after = await transport.open();
    expect(after.info.era).toBe("modern");
    await Promise.all([before.close(), after.close()]);
  });

  it("reaches a server that speaks only SSE", async () => {
    const server = await sse({
      first: ({ method, path }, response) => {
        if (method !== "POST" || path !== "/mcp") return false;
        response.writeHead(405).end();
        return true;
      },
    });
    const connection = await createTransport({
      name: "a",
      url: server.url,
      protocol: "auto",
    }).open();
    expect(connection.info.era).toBe("legacy");
    expect(await connection.request("x")).toEqual({ ok: true });
    await connection.close();
  });
});

describe("protocol 2026-07-28", () => {
  it("is refused by an old server, and nothing else is tried", async () => {
    const server = await old((r, id) => json(r, { id, error: { code: -32601, message: "none" } }));
    const config = { name: "p", url: server.url, protocol: "2026-07-28" } as const;
    const error = await failure(createTransport(config).open());
    expect(error).toMatchObject({ code: "unsupported" });
    expect(error.message).toContain("does not speak protocol version 2026-07-28");
    expect(methods(server)).toEqual(["server/discover"]);
  });

  it("says what the server said, if it said anything", async () => {
    const server = await old((response) => response.writeHead(503).end("later"));
    const config = { name: "p", url: server.url, protocol: "2026-07-28" } as const;
    expect(await failure(createTransport(config).open())).toMatchObject({
      code: "http",
      httpStatus: 503,
    });
  });

  it("does not go over SSE", async () => {
    const server = await sse();
    const config = { name: "p", url: server.url, transport: "sse" } as const;
    const pinned = createTransport({ ...config, protocol: "2026-07-28" });
    expect(await failure(pinned.open())).toMatchObject({ code: "unsupported", field: "protocol" });
    const connection = await createTransport({ ...config, protocol: "auto" }).open();
    expect(connection.info.era).toBe("legacy");
    expect(methods(server)).not.toContain("server/discover");
    await connection.close();
  });
});

describe.concurrent("protocol auto over stdio", () => {
  it.each([
    ["answer", 1],
    ["null id", 1],
    ["exit", 2],
    ["silence", 2],
  ] as const)(
    "a server of before that meets the question with: %s (%i processes)",
    async (how, count) => {
      const { config, log } = caseServer("dies-on-unknown", { ON_UNKNOWN: how });
      const transport = createTransport({ ...config, protocol: "auto" });
      const connection = await transport.open({ timeoutMs: 8_000 });
      expect(connection.info).toMatchObject({ era: "legacy", server: { name: "old" } });
      expect(log().filter(({ ev }) => ev === "start")).toHaveLength(count);
      await connection.close();
      const again = await transport.open();
      expect(log().filter(({ ev }) => ev === "start")).toHaveLength(count + 1);
      await again.close();
    },
  );

  it("tells why a server does not start at all", async () => {
    const config = modernStdioServer({ DIE_BEFORE_INITIALIZE: "1" });
    expect(await failure(createTransport({ ...config, protocol: "auto" }).open())).toMatchObject({
      code: "exited",
      exitCode: 1,
    });
    const none = { name: "n", command: "no-such-command-anywhere", protocol: "auto" } as const;
    expect(await failure(createTransport(none).open())).toMatchObject({ code: "spawn" });
  });
});

describe("other transports over engine v2", () => {
  it("a wire of one's own, and a mock", async () => {
    const wires: ScriptedWire[] = [];
    const transport = new WireTransport(
      () => {
        const wire = new ScriptedWire();
        wires.push(wire);
        return wire;
      },
      { protocol: "auto" },
    );
    const opening = transport.open({ timeoutMs: 400 });
    const connection = await opening;
    expect(connection.info.era).toBe("legacy");
    // Silence is no answer of 2026-07-28, so a fresh wire is asked in the old way.
    expect(wires.map(({ sent }) => sent[0]?.method)).toEqual(["server/discover", "initialize"]);
    expect(wires[0]?.closes).toBe(1);
    await connection.close();

    const mock = await new MockTransport(mockServer(), { engine: "v2" }).open();
    expect(mock.info).toMatchObject({ era: "legacy", server: { name: "mock" } });
    expect(await mock.request("ping")).toEqual({});
    await mock.close();
  });

  it("refuse what they cannot do", () => {
    const wire = () => new ScriptedWire({ result: handshake });
    const wrong = { engine: "v1", protocol: "auto" } as const;
    expect(() => new WireTransport(wire, wrong)).toThrow(/engine v2/);
    expect(() => new MockTransport(mockServer(), { engine: "v3" as never })).toThrow(/engine/);
  });
});
