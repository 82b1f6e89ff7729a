import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../src/json-rpc.ts";
import type { TestTool } from "../src/protocol/tool.ts";
import { startTestServer } from "../src/server/test-server.ts";
import { closing, stopping } from "./support/opened.ts";
import { exchange, initializeParams, jsonHeaders, openSession, post } from "./support/raw-http.ts";
import { answersTo, answerTo, ask, callTool, openers, request } from "./support/wire.ts";
import { until, within } from "./support/within.ts";

const call = (id: unknown, method: string, params?: unknown) => ({
  ...{ jsonrpc: "2.0", id, method },
  ...(params !== undefined && { params }),
});

describe.each(openers)("every message over %s", (_, open) => {
  it.each([
    ["an unknown method", "no/such", {}, -32601],
    ["a method of a later era", "server/discover", {}, -32601],
    ["a second initialize", "initialize", initializeParams, -32600],
    ["a cursor that is not the server's", "tools/list", { cursor: "zzz" }, -32602],
    ["a cursor of another type", "tools/list", { cursor: 7 }, -32602],
    ["an unknown tool", "tools/call", { name: "__proto__" }, -32602],
    ["a tool name of another type", "tools/call", { name: null }, -32602],
    ["arguments that are no object", "tools/call", { name: "echo", arguments: [] }, -32602],
    ["a uri of another type", "resources/read", {}, -32602],
    ["an unknown resource", "resources/read", { uri: "test://item/%ff" }, -32002],
    ["an unknown prompt", "prompts/get", { name: "constructor" }, -32602],
    ["prompt arguments that are no object", "prompts/get", { name: "greet", arguments: 1 }, -32602],
    ["a missing prompt argument", "prompts/get", { name: "greet", arguments: {} }, -32602],
  ])("answers %s with an error", async (_what, method, params, code) => {
    const wire = closing(await open());
    expect(await ask(wire, method, params)).toMatchObject({ jsonrpc: "2.0", error: { code } });
    expect(await ask(wire, "ping")).toMatchObject({ result: {} });
  });

  it.each([
    ["ms", { ms: -1 }],
    ["ms", { ms: "soon" }],
    ["steps", { ms: 1, steps: Number.MAX_VALUE }],
  ])("says as the tool's own error that %s is wrong", async (_what, args) => {
    const wire = closing(await open());
    const answer = await answerTo(wire, callTool(wire, "slow", args));
    expect(answer).toMatchObject({ result: { isError: true } });
  });

  it("reports progress only to those who ask", async () => {
    const wire = closing(await open());
    await answerTo(wire, callTool(wire, "slow", { ms: 2, steps: 2 }));
    const reports = () => wire.received.filter(({ method }) => method === "notifications/progress");
    expect(reports()).toEqual([]);
    const token = { progressToken: "t" };
    await answerTo(wire, callTool(wire, "slow", { ms: 2, steps: 2 }, token));
    const params = [1, 2].map((n) => ({ ...token, progress: n, total: 2, message: `step ${n}` }));
    // An answer in one JSON body has no room for them, and nobody listens on the GET stream here.
    expect(reports().map((report) => report["params"])).toEqual(wire.isJson ? [] : params);
  });

  it("lists page by page, and the last page has no cursor", async () => {
    const wire = closing(await open({ pageSize: 4 }));
    const first = await ask(wire, "tools/list");
    expect(first).toMatchObject({ result: { tools: expect.objectContaining({ length: 4 }) } });
    const cursor = (first["result"] as JsonObject)["nextCursor"];
    const second = await ask(wire, "tools/list", { cursor });
    expect(second).toMatchObject({ result: { tools: expect.objectContaining({ length: 4 }) } });
    expect(second["result"]).not.toHaveProperty("nextCursor");
  });

  it("lists and answers what it was given as it is, however malformed", async () => {
    const listed = [{ name: "odd", inputSchema: null, more: [1] }, null, { name: 7 }];
    const tools = [
      { listed: listed[0], result: { content: "no list" } },
      { listed: listed[1] },
      { listed: listed[2] },
      { listed: { name: "echoes" } },
    ];
    const wire = closing(await open({ tools, builtInTools: false }));
    expect(await ask(wire, "tools/list")).toMatchObject({
      result: { tools: [...listed, { name: "echoes" }] },
    });
    expect(await ask(wire, "tools/call", { name: "odd" })).toMatchObject({
      result: { content: "no list" },
    });
    expect(await ask(wire, "tools/call", { name: "echoes", arguments: { a: 1 } })).toMatchObject({
      result: { structuredContent: { a: 1 } },
    });
    expect(await ask(wire, "tools/call", { name: "effect" })).toMatchObject({
      error: { code: -32602 },
    });
  });

  it("runs tools of the test, and their throws are tool errors", async () => {
    const tools = [
      {
        listed: { name: "count", inputSchema: { type: "object" } },
        run: (args: JsonObject, { effect }: { effect(id: string): void }) => {
          effect("one");
          effect("one");
          if (args["fail"] === true) throw new Error("as told");
          if (args["fail"] === "text") throw "a text";
          return { content: [], seen: args };
        },
      },
    ];
    const wire = closing(await open({ tools }));
    expect(await answerTo(wire, callTool(wire, "count", { a: 1 }))).toMatchObject({
      result: { content: [], seen: { a: 1 } },
    });
    expect(await answerTo(wire, callTool(wire, "count", { fail: true }))).toMatchObject({
      result: { isError: true, content: [{ text: "as told" }] },
    });
    expect(await answerTo(wire, callTool(wire, "count", { fail: "text" }))).toMatchObject({
      result: { isError: true, content: [{ text: "a text" }] },
    });
    expect(wire.server.effects.get("one")).toBe(6);
    expect(wire.server.runs.get("count")).toBe(3);
  });

  it("does not answer what was cancelled, and stops it", async () => {
    let stopped = false;
    const waits: TestTool = {
      listed: { name: "waits" },
      run: (_args, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            stopped = true;
            resolve({ content: [] });
          });
        }),
    };
    const wire = closing(await open({ tools: [waits] }));
    const id = callTool(wire, "waits");
    await until(() => wire.server.calls.length === 1, "the run");
    wire.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
    await until(() => stopped, "the end of the tool");
    expect(await ask(wire, "ping")).toMatchObject({ result: {} });
    expect(answersTo(wire, id)).toEqual([]);
    expect(wire.server.cancelled).toEqual([{ id, running: true }]);
  });

  it.each([["unknown"], [undefined], [{}]])("ignores the cancellation of %j", async (requestId) => {
    const wire = closing(await open());
    wire.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
    await until(() => wire.server.cancelled.length === 1, "the cancellation");
    expect(wire.server.cancelled[0]?.running).toBe(false);
    expect(await ask(wire, "ping")).toMatchObject({ result: {} });
  });

  it("refuses an id that is in use, and the first request is answered all the same", async () => {
    const wire = closing(await open());
    const id = callTool(wire, "slow", { ms: 100 });
    await until(() => wire.server.calls.length === 1, "the run");
    wire.send(call(id, "ping"));
    await until(() => answersTo(wire, id).length === 2, "both answers");
    expect(answersTo(wire, id).map((answer) => "error" in answer)).toEqual([true, false]);
  });

  it("ignores notifications and answers that nobody asked for", async () => {
    const wire = closing(await open());
    wire.send({ jsonrpc: "2.0", method: "notifications/no/such", params: { a: 1 } });
    wire.send({ jsonrpc: "2.0", id: "server-1", result: {} });
    wire.send({ jsonrpc: "2.0", id: 99, error: { code: 1, message: "x" } });
    expect(await ask(wire, "ping")).toMatchObject({ result: {} });
    expect(wire.received.filter(({ error }) => error !== undefined)).toEqual([]);
  });

  it("ends a question to the client when the call is cancelled", async () => {
    const wire = closing(await open());
    const id = callTool(wire, "ask", { method: "roots/list" });
    await until(() => wire.server.calls.length === 1, "the run");
    wire.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
    expect(await ask(wire, "ping")).toMatchObject({ result: {} });
    expect(answersTo(wire, id)).toEqual([]);
  });

  it.each([[{ method: 7 }], [{ method: "ping", params: "x" }]])(
    "says that %j is no question",
    async (args) => {
      const wire = closing(await open());
      expect(await answerTo(wire, callTool(wire, "ask", args))).toMatchObject({
        result: { isError: true },
      });
    },
  );

  it("answers a batch with one batch in 2025-03-26", async () => {
    const wire = closing(await open({ version: "2025-03-26" }));
    wire.send([
      call("b1", "ping"),
      { jsonrpc: "2.0", method: "notifications/x" },
      call("b2", "tools/call", { name: "effect", arguments: { id: "batch" } }),
      call("b3", "no/such"),
    ]);
    await until(() => answersTo(wire, "b3").length === 1, "the batch");
    const text = Buffer.concat(wire.chunks).toString();
    const [, array = "[]"] = /^(?:data: )?(\[.*\])\r?$/m.exec(text) ?? [];
    expect(JSON.parse(array)).toHaveLength(3);
    expect(answersTo(wire, "b1")).toMatchObject([{ result: {} }]);
    expect(answersTo(wire, "b2")).toMatchObject([
      { result: { structuredContent: { id: "batch" } } },
    ]);
    expect(answersTo(wire, "b3")).toMatchObject([{ error: { code: -32601 } }]);
    expect(wire.server.effects.get("batch")).toBe(1);
  });

  it("answers nothing to a batch of notifications", async () => {
    const wire = closing(await open({ version: "2025-03-26" }));
    const before = Buffer.concat(wire.chunks).length;
    const sent = wire.send([
      { jsonrpc: "2.0", method: "notifications/x" },
      { jsonrpc: "2.0", method: "notifications/y" },
    ]);
    if (sent !== undefined) expect(await within(sent.head)).toMatchObject({ status: 202 });
    else await sleep(20);
    expect(Buffer.concat(wire.chunks)).toHaveLength(before);
  });

  it.each([
    ["2024-11-05", [call("x", "ping")]],
    ["2025-11-25", [call("x", "ping")]],
    ["2025-03-26", [call("x", "initialize", initializeParams)]],
  ])("refuses a batch that %s does not know", async (version, batch) => {
    const wire = closing(await open({ version }));
    const sent = wire.send(batch);
    if (wire.transport === "http") {
      expect(await within(sent?.head ?? Promise.reject())).toMatchObject({ status: 400 });
      await within(sent?.ended ?? Promise.reject());
      expect(sent?.messages).toMatchObject([{ id: null, error: { code: -32600 } }]);
    } else {
      await until(() => wire.received.some(({ error }) => error !== undefined), "the refusal");
      expect(wire.received.at(-1)).toMatchObject({ id: null, error: { code: -32600 } });
    }
    expect(answersTo(wire, "x")).toEqual([]);
  });

  it("is told of a notification of the test only while it listens", async () => {
    const wire = closing(await open());
    wire.server.notify("notifications/resources/list_changed", { a: 1 });
    await ask(wire, "ping");
    const heard = wire.received.filter(({ method }) => method?.toString().endsWith("changed"));
    expect(heard).toHaveLength(wire.transport === "http" ? 0 : 1);
  });
});

describe("the handshake", () => {
  it.each([
    ["2024-11-05", "2024-11-05"],
    ["2025-03-26", "2025-03-26"],
    ["2025-06-18", "2025-06-18"],
    ["2025-11-25", "2025-11-25"],
    ["2026-07-28", "2025-11-25"],
    ["1999-01-01", "2025-11-25"],
  ])("asked for %s it speaks %s", async (asked, spoken) => {
    const server = stopping(await startTestServer());
    await openSession(server.url, asked);
    expect(server.sessions.map(({ protocolVersion }) => protocolVersion)).toEqual([spoken]);
  });

  it("speaks only the versions that it was given", async () => {
    const server = stopping(
      await startTestServer({ protocolVersions: ["2024-11-05", "2025-03-26"] }),
    );
    const session = await openSession(server.url);
    expect(server.sessions[0]?.protocolVersion).toBe("2025-03-26");
    const newer = post(server.url, call(1, "ping"), {
      ...session,
      "mcp-protocol-version": "2025-11-25",
    });
    expect(await within(newer.head)).toMatchObject({ status: 400 });
  });

  it.each([
    [{ capabilities: {}, clientInfo: {} }],
    [{ protocolVersion: "2025-11-25", clientInfo: {} }],
    [{ protocolVersion: 20251125, capabilities: {}, clientInfo: {} }],
  ])("refuses %j, and there is no session", async (params) => {
    const server = stopping(await startTestServer());
    const opening = post(server.url, call(1, "initialize", params));
    const { headers } = await within(opening.head);
    await within(opening.ended);
    expect(opening.messages).toMatchObject([{ id: 1, error: { code: -32602 } }]);
    expect(headers).not.toHaveProperty("mcp-session-id");
    expect(server.sessions).toEqual([]);
  });

  it("comes first on transports that have a session without it", async () => {
    const server = stopping(await startTestServer());
    const stream = exchange("GET", server.sseUrl);
    await until(() => stream.text.includes("endpoint"), "the endpoint");
    const [, path = ""] = /data: (.*)/.exec(stream.text) ?? [];
    const url = new URL(path, server.url).href;
    post(url, call("early", "tools/list"));
    post(url, call("ping", "ping"));
    await until(() => stream.messages.length === 2, "both answers");
    expect(stream.messages).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: "ping", result: {} }),
        expect.objectContaining({ id: "early", error: expect.objectContaining({ code: -32600 }) }),
      ]),
    );
  });
});

describe("HTTP", () => {
  const ping = JSON.stringify(call(1, "ping"));
  const opening = JSON.stringify(call(1, "initialize", initializeParams));
  const without = (header: string) =>
    Object.fromEntries(Object.entries(jsonHeaders).filter(([name]) => name !== header));

  it.each<[string, string, Record<string, string>, string | undefined, number]>([
    ["no session header", "POST", jsonHeaders, ping, 400],
    ["an unknown session", "POST", { ...jsonHeaders, "mcp-session-id": "gone" }, ping, 404],
    [
      "an unknown session in initialize",
      "POST",
      { ...jsonHeaders, "mcp-session-id": "x" },
      opening,
      404,
    ],
    ["no Accept", "POST", without("accept"), opening, 406],
    ["only JSON accepted", "POST", { ...jsonHeaders, accept: "application/json" }, opening, 406],
    ["anything accepted", "POST", { ...jsonHeaders, accept: "*/*" }, opening, 200],
    [
      "ranges accepted",
      "POST",
      { ...jsonHeaders, accept: "application/*;q=1, text/*" },
      opening,
      200,
    ],
    ["no content type", "POST", without("content-type"), opening, 415],
    [
      "another content type",
      "POST",
      { ...jsonHeaders, "content-type": "text/plain" },
      opening,
      415,
    ],
    [
      "a charset",
      "POST",
      { ...jsonHeaders, "content-type": "application/json; charset=utf-8" },
      opening,
      200,
    ],
    ["no JSON", "POST", jsonHeaders, "{", 400],
    ["an empty body", "POST", jsonHeaders, "", 400],
    ["no JSON-RPC", "POST", jsonHeaders, '{"id":1}', 400],
    ["initialize in a batch", "POST", jsonHeaders, `[${opening}]`, 400],
    [
      "an origin of the web",
      "POST",
      { ...jsonHeaders, origin: "https://evil.example" },
      opening,
      403,
    ],
    ["a local origin", "POST", { ...jsonHeaders, origin: "http://localhost:3000" }, opening, 200],
    ["a GET without a session", "GET", { accept: "text/event-stream" }, undefined, 400],
    ["a GET that accepts no stream", "GET", { accept: "application/json" }, undefined, 406],
    ["a DELETE without a session", "DELETE", {}, undefined, 400],
    ["a DELETE of an unknown session", "DELETE", { "mcp-session-id": "gone" }, undefined, 404],
    ["another verb", "PUT", {}, "x", 405],
  ])("answers %s: %s", async (_, verb, headers, body, status) => {
    const server = stopping(await startTestServer());
    const sent = exchange(verb, server.url, { headers, ...(body !== undefined && { body }) });
    expect((await within(sent.head)).status).toBe(status);
  });

  it.each([
    ["POST", "/sse", 405],
    ["GET", "/messages", 405],
    ["POST", "/messages?sessionId=gone", 404],
    ["GET", "/", 404],
    ["GET", "/moved", 404],
    ["POST", "/mcp/more", 404],
  ])("answers %s %s with %i", async (verb, path, status) => {
    const server = stopping(await startTestServer());
    const { origin } = new URL(server.url);
    const sent = exchange(verb, `${origin}${path}`, verb === "POST" ? { body: ping } : {});
    expect((await within(sent.head)).status).toBe(status);
  });

  it("answers a parse error with its JSON-RPC code, and names the id it could read", async () => {
    const server = stopping(await startTestServer());
    for (const [body, id, code] of [
      ["{", null, -32700],
      ['{"jsonrpc":"2.0","id":{},"method":"ping"}', null, -32600],
      ['{"jsonrpc":"2.0","id":5,"method":5}', 5, -32600],
      ['{"jsonrpc":"2.0","id":5,"method":"ping","params":[]}', 5, -32602],
    ] as const) {
      const sent = post(server.url, body);
      await within(sent.ended);
      expect(sent.messages).toMatchObject([{ id, error: { code } }]);
    }
  });

  it("takes a session of one transport for no session of the other", async () => {
    const server = stopping(await startTestServer());
    const { "mcp-session-id": id } = await openSession(server.url);
    const { origin } = new URL(server.url);
    const sent = post(`${origin}/messages?sessionId=${id}`, call(1, "ping"));
    expect((await within(sent.head)).status).toBe(404);
  });

  it("sends what answers no request on the GET stream, and ends the stream with the session", async () => {
    const server = stopping(await startTestServer());
    const session = await openSession(server.url);
    const headers = { ...session, accept: "text/event-stream" };
    const stream = exchange("GET", server.url, { headers });
    expect((await within(stream.head)).headers["content-type"]).toBe("text/event-stream");
    server.notify("notifications/tools/list_changed");
    await until(() => stream.messages.length === 1, "the notification");
    expect(server.sessions).toMatchObject([{ transport: "http", listeners: 1, running: 0 }]);
    const deleted = exchange("DELETE", server.url, { headers: session });
    expect((await within(deleted.head)).status).toBe(200);
    expect(await within(stream.ended)).toBe("end");
    expect(server.sessions).toEqual([]);
    const late = post(server.url, call(1, "ping"), session);
    expect((await within(late.head)).status).toBe(404);
  });

  it("forgets a legacy session when its stream is gone", async () => {
    const server = stopping(await startTestServer());
    const stream = exchange("GET", server.sseUrl);
    await until(() => server.sessions.length === 1, "the session");
    stream.abort();
    await until(() => server.sessions.length === 0, "its end");
  });

  it("goes on with a call whose client hung up: that is no cancellation", async () => {
    const server = stopping(await startTestServer());
    const session = await openSession(server.url);
    const params = { name: "effect", arguments: { id: "a", ms: 50 } };
    const sent = post(server.url, call(7, "tools/call", params), session);
    await until(() => server.effects.get("a") === 1, "the effect");
    expect(server.sessions[0]?.running).toBe(1);
    sent.abort();
    await until(() => server.sessions[0]?.running === 0, "the end of the call");
    expect(server.calls).toMatchObject([{ id: 7, answered: false }]);
    expect(server.cancelled).toEqual([]);
  });

  it("survives a client that hangs up inside its request", async () => {
    const server = stopping(await startTestServer());
    const sent = exchange("POST", server.url, {
      headers: { ...jsonHeaders, "content-length": "1000" },
      body: "{",
    });
    await until(() => server.sockets === 1, "the socket");
    sent.abort();
    await until(() => server.sockets === 0, "its end");
    await openSession(server.url);
  });

  it("records what clients send, headers included, refused or not", async () => {
    const server = stopping(await startTestServer());
    const headers = { authorization: "Bearer abc", "mcp-session-id": "gone" };
    await within(post(server.url, call(3, "ping", { a: 1 }), headers).ended);
    await within(exchange("GET", server.url).ended);
    await within(post(server.url, "{").ended);
    expect(server.requests).toMatchObject([
      {
        ...{ transport: "http", kind: "request", method: "ping", id: 3, params: { a: 1 } },
        ...{ verb: "POST", path: "/mcp", session: "gone", headers },
      },
      { kind: "none", verb: "GET" },
      { kind: "none", verb: "POST" },
    ]);
  });
});

it("a request of a wire is on record under the name of its transport", async () => {
  for (const [, open] of openers) {
    const wire = closing(await open());
    const id = request(wire, "ping", { x: 1 });
    await answerTo(wire, id);
    expect(wire.server.requests.at(-1)).toMatchObject({
      ...{ transport: wire.transport, kind: "request", method: "ping", id, params: { x: 1 } },
    });
  }
});
