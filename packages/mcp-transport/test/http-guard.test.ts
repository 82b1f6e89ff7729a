import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import {
  createTransport,
  type FetchLike,
  type HeadersFn,
  type HeadersRequest,
  type HTTPServerConfig,
  type MCPConnection,
  StreamableHttpTransport,
} from "../src/index.ts";
import { eventually } from "./support/eventually.ts";
import { failure } from "./support/failure.ts";
import { json, mcp, serve, sse } from "./support/http-server.ts";

describe.each(["v1", "v2"] as const)("over engine %s", (engine) => {
  function open(url: string, config: Partial<HTTPServerConfig> = {}): Promise<MCPConnection> {
    return new StreamableHttpTransport({ name: "web", url, ...config }, { engine }).open();
  }

  describe("headers", () => {
    it("are sent with every request, beside the protocol's own", async () => {
      const server = await mcp({
        session: "s",
        delete: (_, response) => response.writeHead(200).end(),
      });
      const connection = await open(server.url, {
        headers: { Authorization: "Bearer x", "X-Team": "a" },
      });
      await connection.callTool("t", {});
      await connection.onListChanged("tools", () => {});
      await connection.close();
      expect(server.seen.map(({ method }) => method).sort()).toEqual([
        "DELETE",
        "GET",
        "POST",
        "POST",
        "POST",
      ]);
      for (const { headers } of server.seen) {
        expect(headers).toMatchObject({ authorization: "Bearer x", "x-team": "a" });
      }
      expect(server.of("tools/call")[0]?.headers).toMatchObject({
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-session-id": "s",
      });
    });

    it("are sent over SSE too, to the stream and the endpoint", async () => {
      const server = await sse();
      const transport = createTransport(
        {
          name: "old",
          url: server.url,
          transport: "sse",
          headers: { "X-Key": "k" },
        },
        { engine },
      );
      const connection = await transport.open();
      await connection.close();
      expect(server.seen.map(({ headers }) => headers["x-key"])).toEqual(["k", "k", "k"]);
    });

    it("may come from a function, asked for each request", async () => {
      const server = await mcp();
      const asked: HeadersRequest[] = [];
      const headers: HeadersFn = (request) => {
        asked.push(request);
        return { "X-Count": String(asked.length) };
      };
      const connection = await open(`${server.url}?team=a`, { headers });
      await connection.callTool("t", {});
      await connection.onListChanged("tools", () => {});
      await connection.close();
      expect(asked).toHaveLength(server.seen.length);
      expect(asked.every(({ reason }) => reason === "request")).toBe(true);
      expect(asked[0]?.url.href).toBe(`${server.url}?team=a`);
      expect(asked[0]?.signal).toBeInstanceOf(AbortSignal);
      expect(server.seen.map(({ headers: { "x-count": count } }) => count).sort()).toEqual([
        "1",
        "2",
        "3",
        "4",
      ]);
    });

    it("are asked for anew after a 401, once for all who met it, and each is sent again once", async () => {
      let good = "token-1";
      const server = await mcp({
        first: ({ headers }, response) => {
          if (headers.authorization === good) return false;
          response.writeHead(401).end();
          return true;
        },
      });
      let cached = "token-1";
      const reasons: string[] = [];
      const headers: HeadersFn = async ({ reason }) => {
        reasons.push(reason);
        if (reason === "unauthorized") {
          await sleep(50);
          cached = good;
        }
        return { Authorization: cached };
      };
      const connection = await open(server.url, { headers });
      await connection.onListChanged("tools", () => {});
      good = "token-2";
      reasons.length = 0;
      const calls = Array.from({ length: 8 }, () => connection.callTool("t", {}));
      expect(await Promise.all(calls)).toEqual(calls.map(() => ({ ok: true })));
      expect(reasons.filter((reason) => reason === "unauthorized")).toHaveLength(1);
      expect(server.of("tools/call")).toHaveLength(16);
      expect(await connection.callTool("t", {})).toEqual({ ok: true });
      expect(server.of("tools/call")).toHaveLength(17);
      await connection.close();
    });

    it("that stay refused end in unauthorized, after one more try", async () => {
      const server = await serve((_, response) => response.writeHead(401).end("expired"));
      const reasons: string[] = [];
      const headers: HeadersFn = ({ reason }) => {
        reasons.push(reason);
        return { Authorization: "Bearer planted-dynamic-secret" };
      };
      const error = await failure(open(server.url, { headers }));
      expect(error).toMatchObject({ code: "unauthorized", httpStatus: 401 });
      expect(error.message).toContain("expired");
      expect(reasons).toEqual(["request", "unauthorized"]);
      expect(server.seen).toHaveLength(2);
    });

    it("that a server repeats are hidden, also where a function gave them", async () => {
      const server = await serve(({ headers }, response) =>
        response.writeHead(500).end(`bad token: ${headers.authorization}`),
      );
      const headers = () => ({ Authorization: "Bearer planted-dynamic-secret" });
      const error = await failure(open(server.url, { headers }));
      expect(error.message).toContain("bad token: ***");
      expect(inspect(error)).not.toContain("planted-dynamic-secret");
    });

    it.each<[name: string, given: unknown, field: string]>([
      ["reserved names", { "Mcp-Session-Id": "x" }, "headers.Mcp-Session-Id"],
      ["line breaks", { a: "planted\r\nb: c" }, "headers.a"],
      ["what is no text", { a: 1 }, "headers.a"],
      ["nothing", undefined, "headers"],
    ])("from a function are checked: %s", async (_, given, field) => {
      const server = await mcp();
      const headers = (() => given) as HeadersFn;
      const error = await failure(open(server.url, { headers }));
      expect(error).toMatchObject({ code: "config", field });
      expect(error.message).not.toContain("planted");
      expect(server.seen).toEqual([]);
    });

    it("from a function that fails are an error before anything is sent", async () => {
      const server = await mcp();
      let fails = false;
      const cause = new Error("keychain locked");
      const connection = await open(server.url, {
        headers: async () => {
          if (fails) throw cause;
          return {};
        },
      });
      await connection.onListChanged("tools", () => {});
      fails = true;
      const error = await failure(connection.callTool("t", {}));
      expect(error).toMatchObject({ code: "unauthorized", delivery: "not_sent", cause });
      expect(error.message).not.toContain("keychain");
      await connection.close();
      expect(server.of("tools/call")).toEqual([]);
    });

    it("asked for anew in vain: the server has seen the request, so it is not called unsent", async () => {
      let good = true;
      const server = await mcp({
        first: (_, response) => {
          if (good) return false;
          response.writeHead(401).end();
          return true;
        },
      });
      const connection = await open(server.url, {
        headers: async ({ reason }) => {
          if (reason === "unauthorized") {
            await server.stop();
            await sleep(100);
          }
          return {};
        },
      });
      await connection.onListChanged("tools", () => {});
      good = false;
      expect(await failure(connection.callTool("t", {}))).toMatchObject({
        code: "refused",
        delivery: "unknown",
      });
      await connection.close();
    });

    it("from a function that hangs: a call that ends before was not sent", async () => {
      const server = await mcp();
      let hangs = false;
      let asked: AbortSignal | undefined;
      const connection = await open(server.url, {
        headers: ({ signal }) => {
          asked = signal;
          return hangs ? new Promise(() => {}) : {};
        },
      });
      await connection.onListChanged("tools", () => {});
      hangs = true;
      expect(await failure(connection.callTool("t", {}, { timeoutMs: 100 }))).toMatchObject({
        code: "timeout",
        delivery: "not_sent",
      });
      expect(asked?.aborted).toBe(true);
      await sleep(50);
      await connection.close();
      expect(server.of("tools/call")).toEqual([]);
      expect(server.of("notifications/cancelled")).toEqual([]);
    });
  });

  describe("redirects", () => {
    const redirect = (status: number, location: string) =>
      serve((request, response) => {
        if (request.path === "/mcp") response.writeHead(status, { location }).end();
        else if (request.message?.id === undefined) response.writeHead(202).end();
        else {
          const { id, method } = request.message;
          const result = method === "initialize" ? { protocolVersion: "2025-11-25" } : {};
          json(response, { jsonrpc: "2.0", id, result });
        }
      });

    it.each([307, 308])(
      "to the same origin are followed (%i), with the headers",
      async (status) => {
        const server = await redirect(status, "/moved");
        const connection = await open(server.url, { headers: { "X-Key": "k" } });
        await connection.callTool("t", { a: 1 });
        await connection.close();
        const moved = server.seen.filter(({ path }) => path === "/moved");
        expect(moved.map(({ message }) => message?.method)).toContain("tools/call");
        expect(moved.every(({ headers }) => headers["x-key"] === "k")).toBe(true);
      },
    );

    it("to another origin are not followed: it gets nothing", async () => {
      const other = await mcp();
      const server = await redirect(307, `${other.url}?secret=planted`);
      const error = await failure(open(server.url, { headers: { Authorization: "Bearer x" } }));
      expect(error).toMatchObject({ code: "blocked", httpStatus: 307 });
      expect(error.message).toContain(`redirects to ${other.url}, which is not followed`);
      expect(error.message).not.toContain("planted");
      expect(other.seen).toEqual([]);
    });

    it.each([
      [301, "/moved", "would lose the message"],
      [303, "/moved", "would lose the message"],
      [307, "/mcp", "never ends"],
    ])("with %i to %s are not followed where it %s", async (status, location) => {
      const server = await redirect(status, location);
      expect(await failure(open(server.url))).toMatchObject({
        code: "blocked",
        httpStatus: status,
      });
      expect(server.seen.length).toBeLessThanOrEqual(6);
    });

    it("without a target are an answer like any other", async () => {
      const server = await serve((_, response) => response.writeHead(307).end());
      expect(await failure(open(server.url))).toMatchObject({ code: "http", httpStatus: 307 });
      const invalid = await serve((_, response) =>
        response.writeHead(307, { location: "http://[" }).end(),
      );
      expect(await failure(open(invalid.url))).toMatchObject({ code: "http", httpStatus: 307 });
    });

    it("of the event stream to another origin are not followed either", async () => {
      const other = await sse();
      const server = await redirect(302, other.url);
      const transport = createTransport(
        { name: "old", url: server.url, transport: "sse" },
        { engine },
      );
      expect(await failure(transport.open())).toMatchObject({ code: "blocked" });
      expect(other.seen).toEqual([]);
    });
  });

  describe("allowedHosts", () => {
    it.each<[hosts: string[]]>([[["127.0.0.1"]], [["a", "127.0.0.1"]], [["*.0.0.1"]]])(
      "%j lets the server be reached",
      async (allowedHosts) => {
        const server = await mcp();
        await (await open(server.url, { allowedHosts })).close();
        expect(server.of("initialize")).toHaveLength(1);
      },
    );

    it.each<[hosts: string[]]>([[[]], [["localhost"]], [["27.0.0.1"]], [["*.127.0.0.1"]]])(
      "%j keeps anything from being sent",
      async (allowedHosts) => {
        const server = await mcp();
        const error = await failure(open(server.url, { allowedHosts }));
        expect(error).toMatchObject({ code: "blocked", delivery: "not_sent" });
        expect(error.message).toContain("127.0.0.1 is not in allowedHosts");
        expect(server.seen).toEqual([]);
      },
    );

    it("a suffix is one of whole labels", async () => {
      const config = { name: "web", allowedHosts: ["*.example.invalid"] };
      for (const [host, code] of [
        ["a.example.invalid", "network"],
        ["a.b.example.invalid", "network"],
        ["example.invalid", "blocked"],
        ["notexample.invalid", "blocked"],
        ["example.invalid.evil.invalid", "blocked"],
      ]) {
        const transport = createTransport({ ...config, url: `http://${host}/mcp` }, { engine });
        expect(await failure(transport.open())).toMatchObject({ code });
      }
    });
  });

  describe("an own fetch", () => {
    it("carries every request", async () => {
      const server = await mcp();
      const carried: string[] = [];
      const own: FetchLike = (url, init) => {
        carried.push(`${init?.method} ${new URL(url).pathname} ${init?.redirect}`);
        return fetch(url, init);
      };
      const connection = await open(server.url, { fetch: own });
      expect(await connection.callTool("t", {})).toEqual({ ok: true });
      await connection.onListChanged("tools", () => {});
      await connection.close();
      expect(carried.sort()).toEqual([
        "GET /mcp manual",
        "POST /mcp manual",
        "POST /mcp manual",
        "POST /mcp manual",
      ]);
    });

    it("that fails is a network that failed, and keeps its error", async () => {
      const cause = new TypeError("proxy says no to planted-secret-value");
      const own: FetchLike = async () => {
        throw cause;
      };
      const headers = { "X-Key": "planted-secret-value" };
      const error = await failure(open("http://127.0.0.1:1/mcp", { fetch: own, headers }));
      expect(error).toMatchObject({ code: "network", delivery: "unknown", cause });
      expect(error.message).toContain("the network failed (proxy says no to ***)");
      const silent: FetchLike = () => Promise.reject("no error");
      const vague = await failure(open("http://127.0.0.1:1/mcp", { fetch: silent }));
      expect(vague.message).toContain("unknown reason");
    });

    it("is told when nobody waits any more", async () => {
      const server = await mcp({ call: () => {} });
      let signal: AbortSignal | null | undefined;
      const own: FetchLike = (url, init) => {
        if (String(init?.body).includes("tools/call")) signal = init?.signal;
        return fetch(url, init);
      };
      const connection = await open(server.url, { fetch: own });
      expect(await failure(connection.callTool("t", {}, { timeoutMs: 100 }))).toMatchObject({
        code: "timeout",
        delivery: "unknown",
      });
      expect(signal?.aborted).toBe(true);
      await eventually(() => expect(server.of("notifications/cancelled").length).toBe(1));
      await connection.close();
    });
  });
});
