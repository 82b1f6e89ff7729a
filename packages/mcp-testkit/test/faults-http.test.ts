import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Fault } from "../src/faults/fault.ts";
import type { HttpFaults } from "../src/faults/http-faults.ts";
import { startTestServer, type TestServer } from "../src/server/test-server.ts";
import { stopping } from "./support/opened.ts";
import {
  exchange,
  initializeParams,
  jsonHeaders,
  openSession,
  post,
  type RawExchange,
} from "./support/raw-http.ts";
import { until, within } from "./support/within.ts";

/** One way to post messages in a session: streamable HTTP in both modes, or legacy SSE. */
interface Way {
  readonly name: "stream" | "json" | "sse";
  readonly server: TestServer;
  readonly stream: RawExchange | undefined;
  /** Posts to the session. */
  post(message: unknown, headers?: Record<string, string>): RawExchange;
  /** Opens another session. */
  reopen(): Promise<void>;
}

let ids = 0;
const callOf = (name: string, args = {}) => {
  ids += 1;
  const params = { name, arguments: args };
  return { jsonrpc: "2.0", id: ids, method: "tools/call", params };
};
const effectOf = (id: string) => callOf("effect", { id });
const ping = { jsonrpc: "2.0", id: "ping", method: "ping" };
const note = { jsonrpc: "2.0", method: "notifications/note" };

async function openWay(name: Way["name"]): Promise<Way> {
  const answers = name === "json" ? "json" : "stream";
  const server = stopping(await startTestServer({ answers }));
  if (name !== "sse") {
    let session = await openSession(server.url);
    return {
      ...{ name, server, stream: undefined },
      post: (message, headers = {}) => post(server.url, message, { ...session, ...headers }),
      reopen: async () => {
        session = await openSession(server.url);
      },
    };
  }
  const open = async () => {
    const stream = exchange("GET", server.sseUrl, { headers: { accept: "text/event-stream" } });
    await until(() => stream.text.includes("\n\n"), "the endpoint");
    const [, path = ""] = /data: (.*)/.exec(stream.text) ?? [];
    const url = new URL(path, server.sseUrl).href;
    const params = initializeParams;
    post(url, { jsonrpc: "2.0", id: "init", method: "initialize", params });
    await until(() => stream.messages.length === 1, "the answer to initialize");
    return { stream, url };
  };
  let opened = await open();
  return {
    ...{ name, server },
    get stream() {
      return opened.stream;
    },
    post: (message, headers = {}) => post(opened.url, message, headers),
    reopen: async () => {
      opened = await open();
    },
  };
}

async function statusOf(sent: RawExchange): Promise<number> {
  return (await within(sent.head, "the status")).status;
}

/** What came to the session in answer to a message. */
function answered({ stream }: Way, sent: RawExchange, id: unknown): unknown[] {
  return [...(stream?.messages ?? []), ...sent.messages].filter((message) => message["id"] === id);
}

async function works(way: Way): Promise<void> {
  const sent = way.post(ping);
  await until(() => answered(way, sent, "ping").length > 0, "the answer to ping");
}

/** Calls `effect` with the fault on for one call of it. */
function callWith({ server, post: send }: Way, fault: Fault, id: string): RawExchange {
  server.faults.on({ tool: "effect", times: 1, ...fault });
  return send(effectOf(id));
}

const isSse = ({ name }: Way) => name === "sse";

async function cutStream(
  way: Way,
  when: "before" | "after" | "answering",
  reset: boolean,
): Promise<void> {
  const id = `${when} ${reset}`;
  const message = effectOf(id);
  way.server.faults.on({ fault: "cut-stream", when, reset, tool: "effect", times: 1 });
  const sent = way.post(message);
  expect(await statusOf(sent)).toBe(isSse(way) ? 202 : 200);
  const carrier = way.stream ?? sent;
  const clean = !reset && way.name !== "json";
  expect(await within(carrier.ended, "the end of the stream")).toBe(clean ? "end" : "cut");
  expect(answered(way, sent, message.id)).toEqual([]);
  expect(way.server.effects.get(id)).toBe(when === "before" ? undefined : 1);
  if (isSse(way)) await way.reopen();
}

const exercises: Record<keyof HttpFaults, (way: Way) => Promise<void>> = {
  "http-status": async (way) => {
    const { server } = way;
    for (const status of [400, 401, 403, 404, 405, 429, 500, 503]) {
      const sent = callWith(way, { fault: "http-status", status }, "before");
      expect(await statusOf(sent)).toBe(status);
      await within(sent.ended);
      expect(sent.text).toBe("");
    }
    expect(server.effects.has("before")).toBe(false);
    const body = '{"error":"overloaded"}';
    const contentType = "application/problem+json";
    const after: Fault = { fault: "http-status", status: 502, when: "after", body, contentType };
    const sent = callWith(way, after, "after");
    expect(await within(sent.head)).toMatchObject({
      status: 502,
      headers: { "content-type": contentType },
    });
    await within(sent.ended);
    expect(sent.text).toBe(body);
    expect(server.effects.get("after")).toBe(1);
    await works(way);
  },
  unauthorized: async (way) => {
    way.server.faults.on({ fault: "unauthorized", token: "letmein" });
    for (const authorization of ["", "Bearer wrong", "letmein", "Basic letmein"]) {
      const sent = way.post(effectOf("x"), { authorization });
      expect(await within(sent.head)).toMatchObject({
        status: 401,
        headers: { "www-authenticate": expect.stringContaining("Bearer") },
      });
    }
    const get = exchange("GET", isSse(way) ? way.server.sseUrl : way.server.url);
    expect(await statusOf(get)).toBe(401);
    expect(way.server.effects.has("x")).toBe(false);
    const message = effectOf("y");
    const sent = way.post(message, { authorization: "Bearer letmein" });
    await until(() => answered(way, sent, message.id).length === 1, "the answer");
    expect(way.server.effects.get("y")).toBe(1);
  },
  "session-expired": async (way) => {
    const { server } = way;
    for (const status of [404, 400]) {
      const sent = callWith(way, { fault: "session-expired", status }, "x");
      expect(await statusOf(sent)).toBe(status);
      await within(sent.ended);
      expect(sent.text).toContain("Session not found");
      expect(server.sessions).toEqual([]);
      expect(await statusOf(way.post(ping))).toBe(404);
      await way.reopen();
      await works(way);
    }
    expect(server.effects.has("x")).toBe(false);
  },
  "forget-sessions": async (way) => {
    const { server } = way;
    expect(await statusOf(callWith(way, { fault: "forget-sessions" }, "before"))).toBe(404);
    expect(server.effects.has("before")).toBe(false);
    await way.reopen();
    server.faults.on({ fault: "forget-sessions", when: "after", tool: "effect", times: 1 });
    const message = effectOf("after");
    const sent = way.post(message);
    await until(() => answered(way, sent, message.id).length === 1, "the answer");
    expect(await statusOf(way.post(ping))).toBe(404);
    expect(server.sessions).toEqual([]);
    await way.reopen();
    server.forgetSessions();
    expect(await statusOf(way.post(ping))).toBe(404);
  },
  redirect: async (way) => {
    const sent = callWith(way, { fault: "redirect" }, "x");
    const { status, headers } = await within(sent.head);
    expect(status).toBe(307);
    const location = headers.location ?? "";
    expect(location).toMatch(/^\/moved\/(mcp|messages)/);
    expect(way.server.effects.has("x")).toBe(false);
    way.server.faults.on({ fault: "redirect", status: 308, to: "http://127.0.0.1:9/mcp" });
    const message = effectOf("y");
    const { "mcp-session-id": named } = way.server.requests.at(-1)?.headers ?? {};
    const moved = post(new URL(location, way.server.url).href, message, {
      ...(typeof named === "string" && { "mcp-session-id": named }),
    });
    await until(() => answered(way, moved, message.id).length === 1, "the answer");
    expect(way.server.effects.get("y")).toBe(1);
    expect(await within(way.post(ping).head)).toMatchObject({
      status: 308,
      headers: { location: "http://127.0.0.1:9/mcp" },
    });
  },
  html: async (way) => {
    for (const when of ["before", "after"] as const) {
      const sent = callWith(way, { fault: "html", when }, when);
      expect(await within(sent.head)).toMatchObject({
        status: 200,
        headers: { "content-type": "text/html" },
      });
      await within(sent.ended);
      expect(sent.text).toContain("<!doctype html>");
    }
    expect([...way.server.effects]).toEqual([["after", 1]]);
  },
  "empty-body": async (way) => {
    for (const when of ["before", "after"] as const) {
      const sent = callWith(way, { fault: "empty-body", when }, when);
      expect(await within(sent.head)).toMatchObject({
        status: 200,
        headers: { "content-type": "application/json" },
      });
      expect(await within(sent.ended)).toBe("end");
      expect(sent.text).toBe("");
    }
    expect([...way.server.effects]).toEqual([["after", 1]]);
  },
  "accepted-only": async (way) => {
    for (const when of ["before", "after"] as const) {
      const message = effectOf(when);
      way.server.faults.on({ fault: "accepted-only", when, tool: "effect", times: 1 });
      const sent = way.post(message);
      expect(await statusOf(sent)).toBe(202);
      await within(sent.ended);
      await works(way);
      expect(answered(way, sent, message.id)).toEqual([]);
    }
    expect([...way.server.effects]).toEqual([["after", 1]]);
  },
  reset: async (way) => {
    for (const when of ["before", "after"] as const) {
      const sent = callWith(way, { fault: "reset", when }, when);
      expect(await within(sent.ended)).toBe("ECONNRESET");
    }
    expect([...way.server.effects]).toEqual([["after", 1]]);
    await works(way);
    const sent = callWith(way, { fault: "reset", when: "answering" }, "answering");
    if (isSse(way)) {
      await until(() => way.server.effects.has("answering"), "the effect");
      return;
    }
    expect(await within(sent.ended)).toBe("cut");
    expect(sent.text).toContain('"jsonrpc"');
    expect(sent.messages).toEqual([]);
    expect(way.server.effects.get("answering")).toBe(1);
  },
  "cut-stream": async (way) => {
    for (const when of ["before", "after", "answering"] as const) {
      await cutStream(way, when, false);
      await cutStream(way, when, true);
    }
    await works(way);
  },
  "drop-stream": async (way) => {
    if (isSse(way)) {
      const fault = way.server.faults.on({ fault: "drop-stream" });
      await works(way);
      expect(fault.fired).toBe(0);
      return;
    }
    for (const when of ["before", "after"] as const) {
      for (const reset of [false, true]) {
        const id = `${when} ${reset}`;
        const sent = callWith(way, { fault: "drop-stream", when, reset }, id);
        expect(await statusOf(sent)).toBe(200);
        const clean = !reset && way.name === "stream";
        expect(await within(sent.ended)).toBe(clean ? "end" : "cut");
        expect(sent.messages).toEqual([]);
        await until(() => way.server.effects.get(id) === 1, "the effect");
      }
    }
    await works(way);
    expect(way.server.calls.every(({ answered: all }) => !all)).toBe(true);
  },
  "cut-get-stream": async (way) => {
    if (isSse(way)) {
      const fault = way.server.faults.on({ fault: "cut-get-stream" });
      await works(way);
      expect(fault.fired).toBe(0);
      return;
    }
    for (const reset of [false, true]) {
      const [{ id = "" } = {}] = way.server.sessions;
      const headers = { accept: "text/event-stream", "mcp-session-id": id };
      const stream = exchange("GET", way.server.url, { headers });
      await within(stream.head);
      way.server.faults.on({ fault: "cut-get-stream", reset, tool: "effect", times: 1 });
      const message = effectOf(String(reset));
      const sent = way.post(message);
      expect(await within(stream.ended)).toBe(reset ? "cut" : "end");
      await until(() => answered(way, sent, message.id).length === 1, "the answer");
      await until(() => way.server.sessions[0]?.listeners === 0, "the end of listening");
    }
  },
  "no-endpoint": async ({ server }) => {
    server.faults.on({ fault: "no-endpoint" });
    const stream = exchange("GET", server.sseUrl);
    expect(await statusOf(stream)).toBe(200);
    await sleep(40);
    expect(stream.text).toBe("");
    expect(stream.isOpen()).toBe(true);
  },
  "foreign-endpoint": async ({ server }) => {
    server.faults.on({ fault: "foreign-endpoint", times: 1 });
    const strange = exchange("GET", server.sseUrl);
    await until(() => strange.text.includes("\n\n"), "the endpoint");
    expect(strange.text).toMatch(/^data: http:\/\/127\.0\.0\.1:9\/messages\?sessionId=/m);
    const own = exchange("GET", server.sseUrl);
    await until(() => own.text.includes("\n\n"), "the endpoint");
    expect(own.text).toMatch(/^data: \/messages\?sessionId=/m);
  },
};

describe.each(["stream", "json", "sse"] as const)("%s", (name) => {
  it.each(Object.entries(exercises))("%s does what its sentence says", async (_, show) => {
    await within(show(await openWay(name)), "the exercise", 15_000);
  });

  it("faults about the response act on notifications too, before and after", async () => {
    const way = await openWay(name);
    const { faults } = way.server;
    faults.on({ fault: "http-status", status: 503, times: 1 });
    expect(await statusOf(way.post(note))).toBe(503);
    faults.on({
      ...{ fault: "http-status", status: 200, body: "null", contentType: "application/json" },
      ...{ method: "notifications/note", when: "after", times: 1 },
    });
    const sent = way.post(note);
    expect(await statusOf(sent)).toBe(200);
    await within(sent.ended);
    expect(sent.text).toBe("null");
    expect(await statusOf(way.post(note))).toBe(202);
  });

  it("faults about requests leave notifications alone unless they name them", async () => {
    const way = await openWay(name);
    const silence = way.server.faults.on({ fault: "silence" });
    expect(await statusOf(way.post(note))).toBe(202);
    expect(silence.fired).toBe(0);
    silence.off();
    const exit = way.server.faults.on({ fault: "exit", method: "notifications/note" });
    way.post(note);
    await until(() => !way.server.isUp, "the end");
    expect(exit.fired).toBe(1);
  });

  it.each([
    ["exit", "before", 0],
    ["exit", "after", 1],
    ["exit", "answering", 1],
    ["crash", "before", 0],
    ["crash", "after", 1],
    ["crash", "answering", 1],
  ] as const)(
    "%s %s: the server is down, all is forgotten, and it can be restarted",
    async (fault, when, runs) => {
      const way = await openWay(name);
      const { server } = way;
      const { port } = server;
      const sent = callWith(way, { fault, when }, "x");
      await within(sent.ended);
      await until(() => !server.isUp && server.sockets === 0, "the end");
      expect(server.effects.get("x") ?? 0).toBe(runs);
      expect(server.sessions).toEqual([]);
      expect(answered(way, sent, ids)).toEqual([]);
      expect(await within(way.post(ping).ended)).toBe("ECONNREFUSED");
      await server.restart();
      expect(server.port).toBe(port);
      expect(await statusOf(way.post(ping))).toBe(404);
      await way.reopen();
      await works(way);
      expect(server.effects.get("x") ?? 0).toBe(runs);
    },
  );

  it("a half-open session stays so, and a new one works", async () => {
    const way = await openWay(name);
    way.server.faults.on({ fault: "half-open", tool: "effect", times: 1 });
    const dead = way.post(effectOf("x"));
    await sleep(30);
    const pinged = way.post(ping);
    const noted = way.post(note);
    await sleep(30);
    expect([dead, pinged, noted].map((sent) => sent.isOpen())).toEqual([true, true, true]);
    expect(way.server.effects.has("x")).toBe(false);
    if (!isSse(way)) {
      const [{ id = "" } = {}] = way.server.sessions;
      const headers = { accept: "text/event-stream", "mcp-session-id": id };
      const rest = ["GET", "DELETE"].map((verb) => exchange(verb, way.server.url, { headers }));
      await sleep(30);
      expect(rest.map((sent) => sent.isOpen())).toEqual([true, true]);
    }
    await way.reopen();
    await works(way);
  });

  it("once the response has begun, a status comes too late: it is cut", async () => {
    const way = await openWay(name);
    way.server.faults.on({ fault: "http-status", tool: "slow", when: "after", times: 1 });
    const slow = callOf("slow", { ms: 4, steps: 2 });
    const sent = way.post({ ...slow, params: { ...slow.params, _meta: { progressToken: 1 } } });
    const carrier = way.stream ?? sent;
    await within(carrier.ended);
    expect(await statusOf(sent)).toBe({ stream: 200, json: 500, sse: 202 }[name]);
    expect(answered(way, sent, slow.id)).toEqual([]);
    expect(way.server.runs.get("slow")).toBe(1);
  });

  it("a delay comes before the status", async () => {
    const way = await openWay(name);
    way.server.faults.on({ fault: "delay", ms: 60 });
    way.server.faults.on({ fault: "http-status", status: 503 });
    const start = performance.now();
    expect(await statusOf(way.post(ping))).toBe(503);
    expect(performance.now() - start).toBeGreaterThan(55);
  });
});

it("a verb narrows a fault, and GET and DELETE can be hit", async () => {
  const server = stopping(await startTestServer());
  const session = await openSession(server.url);
  server.faults.on({ fault: "http-status", status: 404, verb: "GET" });
  server.faults.on({ fault: "http-status", status: 405, verb: "DELETE" });
  server.faults.on({ fault: "session-expired", verb: "DELETE", status: 410 });
  const verbs = ["GET", "DELETE"].map((verb) => exchange(verb, server.url, { headers: session }));
  expect(await Promise.all(verbs.map(statusOf))).toEqual([404, 405]);
  const stream = exchange("GET", server.sseUrl);
  expect(await statusOf(stream)).toBe(404);
  const pinged = post(server.url, ping, session);
  expect(await statusOf(pinged)).toBe(200);
});

it("the version of initialize can be wrong", async () => {
  const server = stopping(await startTestServer());
  server.faults.on({ fault: "wrong-version", times: 1 });
  const opening = { jsonrpc: "2.0", id: 1, method: "initialize", params: initializeParams };
  const wrong = post(server.url, opening);
  await within(wrong.ended);
  expect(wrong.messages).toMatchObject([{ result: { protocolVersion: "2099-01-01" } }]);
  const right = post(server.url, opening);
  await within(right.ended);
  expect(right.messages).toMatchObject([{ result: { protocolVersion: "2025-11-25" } }]);
});

it("initialize can be left without an answer", async () => {
  const server = stopping(await startTestServer());
  server.faults.on({ fault: "silence", method: "initialize" });
  const opening = { jsonrpc: "2.0", id: 1, method: "initialize", params: initializeParams };
  const silent = post(server.url, opening);
  await sleep(40);
  expect(silent.isOpen()).toBe(true);
  expect(server.sessions).toEqual([]);
});

it.each([
  ["reset", { fault: "reset" }, "ECONNRESET"],
  ["crash", { fault: "crash" }, "ECONNRESET"],
  ["exit", { fault: "exit" }, "end"],
] as const)("on the wire, %s is a TCP reset or an end of the connection", async (_, fault, how) => {
  const server = stopping(await startTestServer());
  server.faults.on(fault);
  const socket = connect(server.port, "127.0.0.1");
  const ended = new Promise<string | undefined>((resolve) => {
    socket.once("end", () => resolve("end"));
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code));
  });
  const body = JSON.stringify(ping);
  const head = Object.entries({ ...jsonHeaders, host: "x", "content-length": body.length });
  const lines = ["POST /mcp HTTP/1.1", ...head.map(([name, value]) => `${name}: ${value}`)];
  socket.resume().write(`${lines.join("\r\n")}\r\n\r\n${body}`);
  expect(await within(ended)).toBe(how);
  socket.destroy();
});

it("10 MB come as they are", async () => {
  const server = stopping(await startTestServer({ answers: "json" }));
  const session = await openSession(server.url);
  server.faults.on({ fault: "huge", bytes: 10_000_000, tool: "read" });
  const sent = post(server.url, callOf("read"), session);
  expect(await within(sent.ended)).toBe("end");
  const bytes = sent.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  expect(bytes).toBeGreaterThan(10_000_000);
  expect(bytes).toBeLessThan(10_001_000);
});

it("JSON bodies say their length, also when they are cut", async () => {
  const server = stopping(await startTestServer({ answers: "json" }));
  const session = await openSession(server.url);
  const whole = post(server.url, ping, session);
  await within(whole.ended);
  server.faults.on({ fault: "cut-stream", when: "answering", method: "ping" });
  const cut = post(server.url, ping, session);
  expect(await within(cut.ended)).toBe("cut");
  const lengths = await Promise.all([whole, cut].map(async ({ head }) => (await head).headers));
  expect(lengths[0]?.["content-length"]).toBe(String(whole.text.length));
  expect(lengths[1]?.["content-length"]).toBe(String(whole.text.length));
  expect(cut.text.length).toBe(Math.floor(whole.text.length / 2));
});

describe("the server under the test's hand", () => {
  it("cuts connections and keeps sessions", async () => {
    const server = stopping(await startTestServer());
    const session = await openSession(server.url);
    for (const reset of [false, true]) {
      const stream = exchange("GET", server.url, {
        headers: { ...session, accept: "text/event-stream" },
      });
      await within(stream.head);
      server.cut({ reset });
      expect(await within(stream.ended)).toBe("cut");
    }
    server.cut();
    expect(await statusOf(post(server.url, ping, session))).toBe(200);
  });

  it("goes down and up on the same port, twice in a row without harm", async () => {
    const server = stopping(await startTestServer());
    const { url } = server;
    await Promise.all([server.down(), server.down({ reset: true })]);
    expect(server.isUp).toBe(false);
    expect(await within(post(url, ping).ended)).toBe("ECONNREFUSED");
    await server.restart();
    await server.restart();
    expect(server.url).toBe(url);
    await openSession(url);
  });

  it("is stopped once and for all", async () => {
    const server = await startTestServer();
    const session = await openSession(server.url);
    const slow = post(server.url, callOf("slow", { ms: 60_000 }), session);
    await until(() => server.calls.length === 1, "the run");
    await server.stop();
    await server.stop();
    expect(await within(slow.ended)).not.toBe("end");
    expect(server.sockets).toBe(0);
    expect(server.calls).toHaveLength(1);
    await expect(server.restart()).rejects.toMatchObject({ name: "TestkitError", code: "stopped" });
  });

  it("takes the port that it is told, or fails with the system's error", async () => {
    const first = stopping(await startTestServer());
    await expect(startTestServer({ port: first.port })).rejects.toMatchObject({
      code: "EADDRINUSE",
    });
    await first.down();
    const second = stopping(await startTestServer({ port: first.port }));
    expect(second.port).toBe(first.port);
  });

  it("starts with the faults and tools that it was given", async () => {
    const server = stopping(
      await startTestServer({
        faults: [{ fault: "http-status", status: 418, times: 1 }],
        tools: [{ listed: { name: "mine" } }],
      }),
    );
    expect(await statusOf(exchange("POST", server.url, { headers: jsonHeaders }))).toBe(418);
    const session = await openSession(server.url);
    const sent = post(server.url, { jsonrpc: "2.0", id: 1, method: "tools/list" }, session);
    await within(sent.ended);
    expect(sent.text).toContain('"mine"');
    await expect(startTestServer({ faults: [{ fault: "grandchild" }] })).rejects.toMatchObject({
      code: "fault",
    });
  });

  it("does not come up when the fault of the start is its exit", async () => {
    const server = stopping(
      await startTestServer({ faults: [{ fault: "exit", when: "start", times: 1 }] }),
    );
    expect(server.isUp).toBe(false);
    await server.restart();
    await openSession(server.url);
  });

  it("clears its records, and the faults that fired stay counted", async () => {
    const server = stopping(await startTestServer());
    const session = await openSession(server.url);
    const fault = server.faults.on({ fault: "silence", tool: "effect", when: "after", times: 1 });
    post(server.url, effectOf("x"), session);
    await until(() => server.effects.has("x"), "the effect");
    server.clearRecords();
    expect([server.effects.size, server.runs.size]).toEqual([0, 0]);
    expect([server.calls, server.requests, server.cancelled]).toEqual([[], [], []]);
    expect([fault.fired, server.faults.fired("silence")]).toEqual([1, 1]);
    await within(post(server.url, effectOf("x"), session).ended);
    expect(server.effects.get("x")).toBe(1);
  });
});
