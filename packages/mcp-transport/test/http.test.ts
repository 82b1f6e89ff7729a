import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import {
  createTransport,
  type HTTPServerConfig,
  type MCPConnection,
  StreamableHttpTransport,
} from "../src/index.ts";
import { eventually } from "./support/eventually.ts";
import { failure } from "./support/failure.ts";
import { events, json, type LocalServer, mcp, serve } from "./support/http-server.ts";
import { handshake } from "./support/scripted-wire.ts";

describe.each(["v1", "v2"] as const)("over engine %s", (engine) => {
  function open(
    server: LocalServer,
    config: Partial<HTTPServerConfig> = {},
    options: { maxMessageBytes?: number } = {},
  ): Promise<MCPConnection> {
    return new StreamableHttpTransport(
      { name: "web", url: server.url, ...config },
      { engine, ...options },
    ).open();
  }

  const answer = (id: unknown, result: object = { ok: true }) => ({ jsonrpc: "2.0", id, result });
  const event = (data: object, id?: string) =>
    `${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;

  describe.concurrent("a session", () => {
    it("is kept on every request, and ended by close", async () => {
      const server = await mcp({
        session: "s-1",
        delete: (_, response) => response.writeHead(200).end(),
      });
      const connection = await open(server);
      await connection.callTool("t", {});
      await connection.close();
      const later = server.seen.slice(1);
      expect(later.map(({ method }) => method).sort()).toEqual(["DELETE", "GET", "POST", "POST"]);
      for (const { headers } of later) {
        expect(headers).toMatchObject({
          "mcp-session-id": "s-1",
          "mcp-protocol-version": handshake.protocolVersion,
        });
      }
      expect(server.seen[0]?.headers).not.toHaveProperty("mcp-session-id");
    });

    it.each(["json", "events"])(
      "is known before the answer to initialize counts, as %s",
      async (form) => {
        const server = await mcp({
          first: ({ message }, response) => {
            if (message?.method !== "initialize") return false;
            const headers = { "mcp-session-id": "early" };
            if (form === "json") json(response, answer(message.id, handshake), 200, headers);
            else {
              response.writeHead(200, { "content-type": "text/event-stream", ...headers });
              response.end(event(answer(message.id, handshake)));
            }
            return true;
          },
        });
        const connection = await open(server);
        expect(server.of("notifications/initialized")[0]?.headers["mcp-session-id"]).toBe("early");
        await connection.close();
      },
    );

    it("that the server no longer knows fails the call without its having run", async () => {
      let known = true;
      const server = await mcp({
        session: "s-1",
        first: ({ message }, response) => {
          if (known || message?.method !== "tools/call") return false;
          json(
            response,
            { jsonrpc: "2.0", id: null, error: { code: -32001, message: "gone" } },
            404,
          );
          return true;
        },
      });
      const connection = await open(server);
      await connection.callTool("t", {});
      known = false;
      const error = await failure(connection.callTool("t", {}));
      expect(error).toMatchObject({ code: "session_lost", delivery: "refused", httpStatus: 404 });
      expect(error.message).toContain("gone");
      await connection.close();
    });

    it("is not ended for longer than two seconds", async () => {
      const server = await mcp({ session: "s-1", delete: () => {} });
      const connection = await open(server);
      const start = performance.now();
      await connection.close();
      const took = performance.now() - start;
      expect(took).toBeGreaterThan(1_900);
      expect(took).toBeLessThan(8_000);
    });

    it("that was begun in vain is ended too", async () => {
      const server = await mcp({
        session: "s-1",
        delete: (_, response) => response.writeHead(405).end(),
        first: ({ message }, response) => {
          if (message?.method !== "notifications/initialized") return false;
          response.writeHead(500).end("broken");
          return true;
        },
      });
      expect(await failure(open(server))).toMatchObject({ code: "http", httpStatus: 500 });
      expect(server.seen.filter(({ method }) => method === "DELETE")).toHaveLength(1);
    });
  });

  describe.concurrent("an answer", () => {
    it.each<[name: string, write: (id: unknown) => string]>([
      ["among events", (id) => event(answer(id))],
      [
        "after comments and notes",
        (id) => `: hi\n\n${event({ jsonrpc: "2.0", method: "x" })}${event(answer(id))}`,
      ],
      ["with carriage returns", (id) => event(answer(id)).replaceAll("\n", "\r\n")],
      ["in a batch", (id) => event([{ jsonrpc: "2.0", method: "x" }, answer(id)])],
      ["beside error: null", (id) => event({ ...answer(id), error: null })],
      ["with the id as a string", (id) => event(answer(String(id)))],
      ["with an odd _meta", (id) => event(answer(id, { ok: true, _meta: { progressToken: {} } }))],
      ["after what is no JSON", (id) => `data: {oops\n\n${event(answer(id))}`],
      [
        "in several lines of data",
        (id) => `data: {"jsonrpc":"2.0",\ndata: "id":${id},"result":{"ok":true}}\n\n`,
      ],
    ])("%s is taken", async (_, write) => {
      const server = await mcp({
        call: (message, _request, response) => {
          events(response);
          response.end(write(message.id));
        },
      });
      const connection = await open(server);
      expect(await connection.callTool("t", {})).toMatchObject({ ok: true });
      await connection.close();
    });

    it.each<[name: string, body: (id: unknown) => unknown]>([
      ["with an odd _meta", (id) => answer(id, { ok: true, _meta: null })],
      ["with error: null", (id) => ({ ...answer(id), error: null })],
      ["in a batch", (id) => [answer(id)]],
      ["with more members", (id) => ({ ...answer(id), took: 1 })],
    ])("as JSON %s is taken", async (_, body) => {
      const server = await mcp({
        call: (message, _request, response) => json(response, body(message.id)),
      });
      const connection = await open(server);
      expect(await connection.callTool("t", {})).toMatchObject({ ok: true });
      await connection.close();
    });

    it("closes its stream, however long the server would keep it", async () => {
      let closed = 0;
      const server = await mcp({
        call: (message, _request, response) => {
          response.on("close", () => {
            closed += 1;
          });
          events(response, event(answer(message.id)));
        },
      });
      const connection = await open(server);
      for (let n = 0; n < 3; n += 1) await connection.callTool("t", {});
      await eventually(() => expect(closed).toBe(3));
      await connection.close();
    });

    it("comes after the progress before it, all of it", async () => {
      const server = await mcp({
        call: ({ id }, _request, response) => {
          events(response);
          const note = (progress: number) =>
            event({
              jsonrpc: "2.0",
              method: "notifications/progress",
              params: { progressToken: id, progress },
            });
          response.end(note(1) + note(2) + event(answer(id)));
        },
      });
      const connection = await open(server);
      const order: unknown[] = [];
      await connection.callTool("t", {}, { onProgress: ({ progress }) => order.push(progress) });
      expect(order).toEqual([1, 2]);
      await connection.close();
    });
  });

  describe.concurrent("a call whose answer does not come rejects at once:", () => {
    type Reply = (id: unknown, response: import("node:http").ServerResponse) => void;
    it.each<[name: string, expected: object, reply: Reply]>([
      [
        "the stream ends",
        { code: "network" },
        (_, response) => {
          events(response);
          response.end(": bye\n\n");
        },
      ],
      [
        "the stream ends in the middle of it",
        { code: "network" },
        (id, response) => {
          events(response);
          response.end(`data: {"jsonrpc":"2.0","id":${id},"res`);
        },
      ],
      [
        "the stream is cut",
        { code: "network" },
        (_, response) => {
          events(response, ": hi\n\n");
          setTimeout(() => response.destroy(), 20);
        },
      ],
      [
        "the answer is to somebody else",
        { code: "network" },
        (_, response) => {
          events(response);
          response.end(event(answer(99)));
        },
      ],
      ["the socket is closed", { code: "network" }, (_, response) => response.destroy()],
      [
        "the JSON is cut",
        { code: "invalid_result" },
        (_, response) => {
          response.writeHead(200, { "content-type": "application/json" }).end('{"jsonrpc":');
        },
      ],
      [
        "the body is cut",
        { code: "network" },
        (_, response) => {
          response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
          response.write("{");
          setTimeout(() => response.destroy(), 20);
        },
      ],
      [
        "the JSON is another answer",
        { code: "invalid_result" },
        (_, response) => json(response, answer(99)),
      ],
      ["the JSON is empty", { code: "invalid_result" }, (_, response) => json(response, [])],
      [
        "an HTML page",
        { code: "invalid_result", httpStatus: 200 },
        (_, response) => {
          response.writeHead(200, { "content-type": "text/html" }).end("<h1>hi</h1>");
        },
      ],
      [
        "no content",
        { code: "invalid_result", httpStatus: 204 },
        (_, response) => response.writeHead(204).end(),
      ],
      [
        "an error of no request",
        { code: "rpc", rpcCode: -32700 },
        (_, response) =>
          json(response, {
            jsonrpc: "2.0",
            id: null,
            error: { code: -32700, message: "Parse error" },
          }),
      ],
      [
        "a status",
        { code: "http", httpStatus: 503 },
        (_, response) => response.writeHead(503).end("try later"),
      ],
      [
        "a status without an end",
        { code: "http", httpStatus: 500 },
        (_, response) => {
          response.writeHead(500);
          response.write("half a");
        },
      ],
      [
        "401",
        { code: "unauthorized", httpStatus: 401 },
        (_, response) => response.writeHead(401).end(),
      ],
      [
        "403",
        { code: "unauthorized", httpStatus: 403 },
        (_, response) => response.writeHead(403).end(),
      ],
      [
        "404 without a session",
        { code: "http", httpStatus: 404 },
        (_, response) => response.writeHead(404).end(),
      ],
    ])("%s", async (_, expected, reply) => {
      const server = await mcp({ call: ({ id }, _request, response) => reply(id, response) });
      const connection = await open(server);
      const start = performance.now();
      const error = await failure(connection.callTool("t", {}));
      expect(performance.now() - start).toBeLessThan(10_000);
      expect(error).toMatchObject({ ...expected, delivery: "unknown" });
      expect(error.message).toContain("web (http://127.0.0.1:");
      await connection.close();
    });

    it("says what the server says", async () => {
      const error = { code: -32602, message: "no such tenant", data: { tenant: 1 } };
      const server = await mcp({
        call: ({ id }, _request, response) => json(response, { jsonrpc: "2.0", id, error }, 422),
      });
      const connection = await open(server);
      const failed = await failure(connection.callTool("t", {}));
      expect(failed).toMatchObject({
        code: "http",
        httpStatus: 422,
        rpcCode: -32602,
        rpcMessage: "no such tenant",
        rpcData: { tenant: 1 },
      });
      expect(failed.message).toContain("HTTP 422: no such tenant");
      await connection.close();
    });
  });

  describe.concurrent("a stream that can be resumed", () => {
    it("is resumed, and the answer taken from where it is", async () => {
      const server = await mcp({
        call: (_message, _request, response) => {
          events(response);
          response.end("id: 7\nretry: 10\ndata:\n\n");
        },
        get: ({ headers }, response) => {
          if (headers["last-event-id"] === undefined) return response.writeHead(405).end();
          const [call] = server.of("tools/call");
          events(response, event(answer(call?.message?.id), "8"));
        },
      });
      const connection = await open(server);
      expect(await connection.callTool("t", {})).toEqual({ ok: true });
      const resumed = server.seen.filter(({ headers }) => headers["last-event-id"] !== undefined);
      expect(resumed.map(({ headers }) => headers["last-event-id"])).toEqual(["7"]);
      expect(server.of("tools/call")).toHaveLength(1);
      await connection.close();
    });

    it.each<[name: string, get: "405" | "500" | "ends" | "always" | "cut"]>([
      ["offers no stream", "405"],
      ["fails", "500"],
      ["gives a stream that ends", "ends"],
      ["gives streams that end to whoever asks", "always"],
      ["hangs up", "cut"],
    ])("rejects where the server %s", async (_, get) => {
      const server = await mcp({
        call: (_message, _request, response) => {
          events(response);
          response.end("id: 7\nretry: 10\ndata:\n\n");
        },
        get: ({ headers }, response) => {
          const resumed = headers["last-event-id"] !== undefined;
          if (get === "405" || (!resumed && get !== "always")) response.writeHead(405).end();
          else if (get === "500") response.writeHead(500).end();
          else if (get === "cut") response.destroy();
          else {
            events(response);
            response.end(": nothing\n\n");
          }
        },
      });
      const connection = await open(server);
      const error = await failure(connection.callTool("t", {}, { timeoutMs: 15_000 }));
      expect(error).toMatchObject({ code: "network", delivery: "unknown" });
      expect(server.of("tools/call")).toHaveLength(1);
      await connection.close();
    });

    it("is not resumed for a caller who has left", async () => {
      let gets = 0;
      const server = await mcp({
        call: (_message, _request, response) => {
          events(response, "id: 7\nretry: 10\ndata:\n\n");
          setTimeout(() => response.end(), 150);
        },
        get: (_request, response) => {
          gets += 1;
          response.writeHead(405).end();
        },
      });
      const connection = await open(server);
      const heard: Error[] = [];
      connection.onDiagnostic((error) => heard.push(error));
      expect(await failure(connection.callTool("t", {}, { timeoutMs: 80 }))).toMatchObject({
        code: "timeout",
      });
      await eventually(() => expect(server.of("notifications/cancelled").length).toBe(1));
      await sleep(300);
      expect(gets).toBe(1);
      expect(heard).toEqual([]);
      await connection.close();
    });
  });

  describe.concurrent("the server's own stream", () => {
    it("is heard before onListChanged resolves", async () => {
      let stream: import("node:http").ServerResponse | undefined;
      const server = await mcp({
        get: (_, response) => {
          stream = response;
          setTimeout(() => events(response), 100);
        },
      });
      const connection = await open(server);
      let changes = 0;
      await connection.onListChanged("tools", () => {
        changes += 1;
      });
      stream?.write(event({ jsonrpc: "2.0", method: "notifications/tools/list_changed" }));
      await eventually(() => expect(changes).toBe(1));
      await connection.close();
    });

    it.each<[name: string, get: (response: import("node:http").ServerResponse) => void]>([
      [
        "answers with HTML",
        (response) => response.writeHead(200, { "content-type": "text/html" }).end("hi"),
      ],
      ["answers 404", (response) => response.writeHead(404).end()],
      ["never answers", () => {}],
    ])("is not needed: a server that %s", async (_, get) => {
      let gets = 0;
      const server = await mcp({
        get: (_request, response) => {
          gets += 1;
          get(response);
        },
      });
      const connection = await open(server);
      await connection.onListChanged("tools", () => {});
      expect(await connection.callTool("t", {})).toEqual({ ok: true });
      await sleep(1_200);
      expect(gets).toBe(1);
      await connection.close();
    });

    it("asks us, and is answered by POST", async () => {
      const server = await mcp({
        get: (_, response) => events(response, event({ jsonrpc: "2.0", id: "q", method: "ping" })),
      });
      const connection = await open(server);
      await eventually(() =>
        expect(server.seen.find(({ message }) => String(message?.id) === "q")?.message).toEqual({
          jsonrpc: "2.0",
          id: "q",
          result: {},
        }),
      );
      await connection.close();
    });
  });

  describe.concurrent("limits", () => {
    it.each(["json", "events"])(
      "a message over maxMessageBytes fails its own call, as %s",
      async (form) => {
        const big = { text: "x".repeat(20_000) };
        const server = await mcp({
          call: ({ id, params }, _request, response) => {
            const result = params?.["name"] === "big" ? big : { ok: true };
            if (form === "json") return json(response, answer(id, result));
            events(response);
            response.end(event(answer(id, result)));
          },
        });
        const connection = await open(server, {}, { maxMessageBytes: 10_000 });
        const error = await failure(connection.callTool("big", {}));
        expect(error).toMatchObject({ code: "limit", delivery: "unknown" });
        expect(error.message).toContain("maxMessageBytes (10000)");
        expect(await connection.callTool("small", {})).toEqual({ ok: true });
        await connection.close();
      },
    );

    it("a body without end is not read to the end", async () => {
      const server = await mcp({
        call: (_message, _request, response) => {
          response.writeHead(200, { "content-type": "application/json" });
          const pour = setInterval(() => response.write("x".repeat(100_000)), 1);
          response.on("close", () => clearInterval(pour));
        },
      });
      const connection = await open(server, {}, { maxMessageBytes: 1_000_000 });
      expect(await failure(connection.callTool("t", {}))).toMatchObject({ code: "limit" });
      await connection.close();
    });

    it("20 MB are read in little time", async () => {
      const text = "x".repeat(20 * 1024 * 1024);
      const server = await mcp({
        call: ({ id }, _request, response) => json(response, answer(id, { text })),
      });
      const connection = await open(server);
      const start = performance.now();
      const result = await connection.callTool("t", {});
      expect(performance.now() - start).toBeLessThan(15_000);
      expect(String(result["text"]).length).toBe(text.length);
      await connection.close();
    });
  });

  describe.concurrent("opening", () => {
    it("says what is there instead of a server", async () => {
      const page = await serve((_, response) =>
        response.writeHead(200, { "content-type": "text/html" }).end("<h1>welcome</h1>"),
      );
      const error = await failure(open(page));
      expect(error.code).toBe("invalid_result");
      expect(error.message).toContain(`web (${page.url}): answers with text/html`);
      expect(page.seen).toHaveLength(1);

      const missing = await serve((_, response) =>
        response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not found</h1>"),
      );
      expect((await failure(open(missing))).message).toContain("HTTP 404: an HTML page");
    });

    it("of a port where nothing listens is refused, and nothing was sent", async () => {
      const server = await mcp();
      await server.stop();
      const error = await failure(open(server));
      expect(error).toMatchObject({ code: "refused", delivery: "not_sent" });
      expect(error.message).toBe(`web (${server.url}): nothing listens there (ECONNREFUSED)`);
    });

    it("of a host that does not exist", async () => {
      const transport = createTransport(
        { name: "web", url: "http://no-such-host.invalid/mcp" },
        { engine },
      );
      expect(await failure(transport.open())).toMatchObject({
        code: "network",
        delivery: "not_sent",
      });
    });

    it("of a server that says nothing ends at the deadline", async () => {
      const server = await serve(() => {});
      const transport = new StreamableHttpTransport({ name: "web", url: server.url }, { engine });
      expect(await failure(transport.open({ timeoutMs: 200 }))).toMatchObject({ code: "timeout" });
    });

    it("of a server that wants the new protocol says so", async () => {
      const server = await serve(({ message }, response) =>
        json(
          response,
          {
            jsonrpc: "2.0",
            id: message?.id,
            error: { code: -32022, message: "Unsupported version" },
          },
          400,
        ),
      );
      const error = await failure(
        createTransport({ name: "web", url: server.url }, { engine }).open(),
      );
      expect(error).toMatchObject({ code: "unsupported", httpStatus: 400 });
      expect(error.message).toContain("engine v2");
      expect(server.seen).toHaveLength(1);
    });

    it("may be repeated, and finds the server again on the same port", async () => {
      const server = await mcp();
      const transport = new StreamableHttpTransport({ name: "web", url: server.url }, { engine });
      const first = await transport.open();
      await server.stop();
      expect(await failure(first.callTool("t", {}))).toMatchObject({
        code: "refused",
        delivery: "not_sent",
      });
      await first.close();
      expect(await failure(transport.open())).toMatchObject({ code: "refused" });
      const again = await mcp({}, Number(new URL(server.url).port));
      const second = await transport.open();
      expect(await second.callTool("t", {})).toEqual({ ok: true });
      await second.close();
      expect(again.of("tools/call")).toHaveLength(1);
    });

    it("leaves no listener and no timer that would keep the caller's signal", async () => {
      const server = await mcp();
      const connection = await open(server);
      const controller = new AbortController();
      const calls = Array.from({ length: 60 }, () =>
        connection.callTool("t", {}, { signal: controller.signal }),
      );
      expect(await Promise.all(calls)).toHaveLength(60);
      controller.abort();
      await sleep(50);
      expect(server.of("notifications/cancelled")).toEqual([]);
      await connection.close();
    });
  });

  describe.concurrent("close", () => {
    it("rejects what is on its way first, and cuts it", async () => {
      let cut = false;
      const server = await mcp({
        call: (_message, _request, response) => {
          events(response, ": working\n\n");
          response.on("close", () => {
            cut = true;
          });
        },
        get: (_, response) => events(response),
      });
      const connection = await open(server);
      const call = failure(connection.callTool("t", {}));
      await eventually(() => expect(server.of("tools/call").length).toBe(1));
      await connection.close();
      expect(await call).toMatchObject({ code: "closed", delivery: "unknown" });
      await eventually(() => expect(cut).toBe(true));
    });

    it("in the course of a message does not hang", async () => {
      const server = await mcp({
        session: "s",
        call: ({ id }, _request, response) => {
          const note = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
          events(response);
          response.end(event(note) + event(answer(id)));
        },
      });
      const connection = await open(server);
      const closing = new Promise<void>((resolve) => {
        void connection.onListChanged("tools", () => resolve(connection.close()));
      });
      expect(await failure(connection.callTool("t", {}))).toMatchObject({ code: "closed" });
      await closing;
      expect(server.seen.at(-1)?.method).toBe("DELETE");
    });
  });

  describe.concurrent("what is shown", () => {
    it("holds neither query nor header values", async () => {
      const secret = "planted-secret-value";
      const server = await serve((request, response) =>
        response.writeHead(500).end(`you sent ${request.headers["x-key"]} to ${request.path}`),
      );
      const url = `${server.url}?key=${secret}-q`;
      const transport = createTransport(
        { name: "web", url, headers: { "X-Key": `${secret}-h` } },
        { engine },
      );
      const error = await failure(transport.open());
      expect(error.message).toContain("HTTP 500: you sent *** to /mcp?key=***");
      const shown = [error, transport].flatMap((thing) => [
        inspect(thing, { depth: 9, showHidden: true }),
        JSON.stringify(thing),
      ]);
      expect(shown.join()).not.toContain(secret);
      expect(transport.description).toBe(server.url);
    });
  });
});
