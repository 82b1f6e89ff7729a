import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createTransport, type MCPConnection, SseTransport } from "../src/index.ts";
import { eventually } from "./support/eventually.ts";
import { failure } from "./support/failure.ts";
import { events, json, mcp, type SseServer, serve, sse } from "./support/http-server.ts";

describe.each(["v1", "v2"] as const)("over engine %s", (engine) => {
  function open(server: { url: string }, maxMessageBytes = 1_000_000): Promise<MCPConnection> {
    return new SseTransport({ name: "old", url: server.url }, { engine, maxMessageBytes }).open();
  }

  const gets = (server: SseServer) => server.seen.filter(({ method }) => method === "GET").length;

  describe.concurrent("a connection over SSE", () => {
    it("posts where the server says, and hears the answers on the stream", async () => {
      const server = await sse();
      const connection = await open(server);
      expect(await connection.callTool("t", {})).toEqual({ ok: true });
      const posts = server.seen.filter(({ method }) => method === "POST");
      expect(posts.map(({ path }) => path)).toEqual(Array(3).fill("/messages?sid=1"));
      let changes = 0;
      await connection.onListChanged("tools", () => {
        changes += 1;
      });
      server.say('data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n');
      await eventually(() => expect(changes).toBe(1));
      await connection.close();
    });

    it.each(['{"error":null,"took":3,', '{"more":1,'])(
      "takes answers with more in them: %s",
      async (begin) => {
        const server = await sse({ answers: ({ method }) => method === "initialize" });
        const connection = await open(server);
        const call = connection.callTool("t", {});
        await eventually(() => expect(server.of("tools/call").length).toBe(1));
        const id = server.of("tools/call")[0]?.message?.id;
        server.say(
          `id: 1\ndata: ${begin}"jsonrpc":"2.0","id":${id},"result":{"ok":1,"_meta":null}}\n\n`,
        );
        expect(await call).toEqual({ ok: 1, _meta: null });
        await connection.close();
      },
    );

    it("ends with its stream: no other is opened behind our back", async () => {
      const server = await sse({ answers: ({ method }) => method === "initialize" });
      const connection = await open(server);
      const ended = new Promise((resolve) => connection.onClose(resolve));
      const call = failure(connection.callTool("t", {}));
      await eventually(() => expect(server.of("tools/call").length).toBe(1));
      server.cut();
      expect(await call).toMatchObject({ code: "closed", delivery: "unknown" });
      expect(await ended).toMatchObject({ code: "closed" });
      expect(await failure(connection.callTool("t", {}))).toMatchObject({ delivery: "not_sent" });
      // The server has told the SDK's event source to try again after a tenth of a second.
      await sleep(600);
      expect(gets(server)).toBe(1);
      await connection.close();
    });

    it("may be opened in the course of a message of another", async () => {
      const note = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
      const first = await mcp({
        call: ({ id }, _request, response) => {
          events(response, `data: ${JSON.stringify(note)}\n\n`);
          const answer = { jsonrpc: "2.0", id, result: {} };
          setTimeout(() => response.end(`data: ${JSON.stringify(answer)}\n\n`), 50);
        },
      });
      const old = await sse();
      const connection = await createTransport({ name: "new", url: first.url }, { engine }).open();
      const opened = new Promise<MCPConnection>((resolve, reject) => {
        void connection.onListChanged("tools", () => open(old).then(resolve, reject));
      });
      await connection.callTool("t", {});
      await connection.close();
      const second = await opened;
      expect(await second.callTool("t", {})).toEqual({ ok: true });
      await second.close();
    });

    it("ends when the server goes away", async () => {
      const server = await sse();
      const connection = await open(server);
      const ended = new Promise((resolve) => connection.onClose(resolve));
      await server.stop();
      expect(await ended).toMatchObject({ code: "closed", cause: { code: "network" } });
      await connection.close();
    });

    it("ends when an event is over the limit, and says so", async () => {
      const server = await sse();
      const connection = await open(server, 10_000);
      const ended = new Promise((resolve) => connection.onClose(resolve));
      server.say(`data: ${"x".repeat(20_000)}\n\n`);
      expect(await ended).toMatchObject({ code: "limit" });
      await connection.close();
    });

    it("lives on where a POST is refused", async () => {
      const server = await sse({
        first: ({ message }, response) => {
          if (message?.params?.["name"] !== "bad") return false;
          response.writeHead(500).end("disk full");
          return true;
        },
      });
      const connection = await open(server);
      const error = await failure(connection.callTool("bad", {}));
      expect(error).toMatchObject({ code: "http", httpStatus: 500, delivery: "unknown" });
      expect(error.message).toContain("disk full");
      expect(await connection.callTool("good", {})).toEqual({ ok: true });
      await connection.close();
    });
  });

  describe.concurrent("opening over SSE", () => {
    it("does not hang where the stream never names an endpoint", async () => {
      const server = await sse({ endpoint: null });
      const transport = new SseTransport({ name: "old", url: server.url }, { engine });
      expect(await failure(transport.open({ timeoutMs: 400 }))).toMatchObject({
        code: "timeout",
      });
      await sleep(50);
      expect(gets(server)).toBe(1);
    });

    it("does not hang where nothing answers", async () => {
      const server = await serve(() => {});
      const transport = new SseTransport({ name: "old", url: server.url }, { engine });
      expect(await failure(transport.open({ timeoutMs: 200 }))).toMatchObject({ code: "timeout" });
    });

    it.each<[endpoint: string, says: string]>([
      ["http://elsewhere.example/messages?key=planted", "http://elsewhere.example/messages"],
      ["http://[", "no url"],
      ["javascript:alert(1)", "posted to"],
    ])("posts to no other origin: %s", async (endpoint, says) => {
      const server = await sse({ endpoint });
      const error = await failure(open(server));
      expect(error.code).toBe("blocked");
      expect(error.message).toContain(says);
      expect(error.message).not.toContain("planted");
      expect(server.seen).toHaveLength(1);
    });

    it.each<[status: number, code: string]>([
      [401, "unauthorized"],
      [403, "unauthorized"],
      [404, "http"],
      [500, "http"],
    ])("is refused by HTTP %i: %s", async (status, code) => {
      const server = await sse({
        first: (_, response) => {
          json(response, { error: { message: "not you" } }, status);
          return true;
        },
      });
      const error = await failure(open(server));
      expect(error).toMatchObject({ code, httpStatus: status });
      expect(error.message).toContain("not you");
    });

    it("is refused by a page, and by a port where nothing listens", async () => {
      const page = await serve((_, response) =>
        response.writeHead(200, { "content-type": "text/html" }).end("hi"),
      );
      expect(await failure(open(page))).toMatchObject({ code: "invalid_result" });
      await page.stop();
      expect(await failure(open(page))).toMatchObject({ code: "refused", delivery: "not_sent" });
    });

    it("ends with a stream that ends before the handshake", async () => {
      const server = await sse({ answers: () => false });
      const opening = failure(open(server));
      await eventually(() => expect(server.of("initialize").length).toBe(1));
      server.cut();
      expect(await opening).toMatchObject({ code: "closed" });
    });
  });

  describe.concurrent("a url without a named transport", () => {
    it.each([400, 404, 405])("falls back to SSE on HTTP %i", async (status) => {
      const server = await sse({
        first: ({ method, path }, response) => {
          if (method !== "POST" || path !== "/mcp") return false;
          response.writeHead(status).end();
          return true;
        },
      });
      const connection = await createTransport({ name: "any", url: server.url }, { engine }).open();
      expect(await connection.callTool("t", {})).toEqual({ ok: true });
      await connection.close();
    });

    it.each([401, 403, 429, 500, 503])("does not fall back on HTTP %i", async (status) => {
      const server = await sse({
        first: ({ method }, response) => {
          if (method !== "POST") return false;
          response.writeHead(status).end();
          return true;
        },
      });
      const error = await failure(
        createTransport({ name: "any", url: server.url }, { engine }).open(),
      );
      expect(error.httpStatus).toBe(status);
      expect(gets(server)).toBe(0);
    });

    it("does not fall back for what comes after the first answer", async () => {
      const server = await mcp({
        first: ({ message }, response) => {
          if (message?.method !== "notifications/initialized") return false;
          response.writeHead(404).end();
          return true;
        },
      });
      const error = await failure(
        createTransport({ name: "any", url: server.url }, { engine }).open(),
      );
      expect(error).toMatchObject({ code: "http", httpStatus: 404 });
      expect(server.seen.every(({ method }) => method === "POST")).toBe(true);
    });

    it("keeps the first reason where SSE fails too", async () => {
      const server = await serve(({ method }, response) => {
        if (method === "GET") return response.writeHead(405).end();
        json(
          response,
          { jsonrpc: "2.0", id: null, error: { code: -32600, message: "workspace off" } },
          400,
        );
      });
      const error = await failure(
        createTransport({ name: "any", url: server.url }, { engine }).open(),
      );
      expect(error).toMatchObject({ code: "http", httpStatus: 400, rpcMessage: "workspace off" });
      expect(error.message).toMatch(/HTTP 400: workspace off; over SSE: .*HTTP 405/);
      expect(error.cause).toMatchObject({ code: "http", httpStatus: 400 });
    });

    it("says what SSE says where that tells more", async () => {
      const server = await serve(({ method }, response) =>
        response.writeHead(method === "GET" ? 401 : 405).end(),
      );
      const error = await failure(
        createTransport({ name: "any", url: server.url }, { engine }).open(),
      );
      expect(error).toMatchObject({ code: "unauthorized", httpStatus: 401 });
      expect(error.cause).toMatchObject({ httpStatus: 405 });
    });

    it("has one deadline for both", async () => {
      const server = await serve(({ method }, response) => {
        if (method === "POST") setTimeout(() => response.writeHead(405).end(), 100);
      });
      const transport = createTransport(
        { name: "any", url: server.url, connectTimeoutMs: 1_500 },
        { engine },
      );
      const start = performance.now();
      const error = await failure(transport.open());
      expect(performance.now() - start).toBeLessThan(10_000);
      expect(error).toMatchObject({ code: "timeout", cause: { httpStatus: 405 } });
    });

    it("that is named never falls back", async () => {
      const server = await sse();
      const pinned = createTransport(
        { name: "p", url: server.url, transport: "streamable-http" },
        { engine },
      );
      expect(await failure(pinned.open())).toMatchObject({ code: "http", httpStatus: 405 });
      expect(gets(server)).toBe(0);
      const other = createTransport({ name: "p", url: server.url, transport: "sse" }, { engine });
      await (await other.open()).close();
      expect(server.of("initialize")).toHaveLength(2);
    });
  });
});
