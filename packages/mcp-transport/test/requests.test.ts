import { getEventListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import {
  type MCPConnection,
  type Progress,
  type RequestOptions,
  WireTransport,
} from "../src/index.ts";
import { failure } from "./support/failure.ts";
import { ScriptedWire } from "./support/scripted-wire.ts";

describe.each(["v1", "v2"] as const)("over engine %s", (engine) => {
  async function connect(): Promise<{ wire: ScriptedWire; connection: MCPConnection }> {
    const wire = new ScriptedWire();
    const connection = await new WireTransport(() => wire, {
      description: "script",
      engine,
    }).open();
    return { wire, connection };
  }

  describe("a request", () => {
    it.each<
      [call: (connection: MCPConnection) => Promise<unknown>, method: string, params: object]
    >([
      [(c) => c.listTools(), "tools/list", {}],
      [(c) => c.listTools(""), "tools/list", { cursor: "" }],
      [(c) => c.listTools("p2"), "tools/list", { cursor: "p2" }],
      [(c) => c.listPrompts("p"), "prompts/list", { cursor: "p" }],
      [(c) => c.listResources("p"), "resources/list", { cursor: "p" }],
      [(c) => c.listResourceTemplates("p"), "resources/templates/list", { cursor: "p" }],
      [(c) => c.callTool("t", { a: [1] }), "tools/call", { name: "t", arguments: { a: [1] } }],
      [(c) => c.callTool("t", undefined as never), "tools/call", { name: "t", arguments: {} }],
      [(c) => c.callTool("t", null as never), "tools/call", { name: "t", arguments: {} }],
      [(c) => c.readResource("u://x"), "resources/read", { uri: "u://x" }],
      [(c) => c.getPrompt("p"), "prompts/get", { name: "p" }],
      [(c) => c.getPrompt("p", { a: "b" }), "prompts/get", { name: "p", arguments: { a: "b" } }],
      [(c) => c.request("ping"), "ping", {}],
      [(c) => c.request("tasks/get", { taskId: "1" }), "tasks/get", { taskId: "1" }],
      [(c) => c.request("tasks/result", { taskId: "1" }), "tasks/result", { taskId: "1" }],
      [(c) => c.request("tasks/cancel", { taskId: "1" }), "tasks/cancel", { taskId: "1" }],
      [
        (c) => c.request("tools/call", { name: "t", task: { ttl: 5 } }),
        "tools/call",
        { name: "t", task: { ttl: 5 } },
      ],
      [(c) => c.request("x/y", { z: 1 }), "x/y", { z: 1 }],
      [(c) => c.request("x", { _meta: { trace: 1 } }), "x", { _meta: { trace: 1 } }],
    ])("%s is sent as %s", async (call, method, params) => {
      const { wire, connection } = await connect();
      const answer = call(connection);
      expect(wire.last).toMatchObject({ jsonrpc: "2.0", method, params });
      const { id } = wire.last;
      // So that the server may say that it is still at work.
      const { _meta, ...rest } = wire.last.params ?? {};
      expect(_meta).toMatchObject({ progressToken: id });
      const { _meta: _given, ...expected } = params as { _meta?: unknown };
      expect(rest).toEqual(expected);
      wire.say({ id, error: { code: 1, message: "no" } });
      await expect(answer).rejects.toMatchObject({ code: "rpc", rpcCode: 1 });
    });

    it("gives the result as the server sent it", async () => {
      const { wire, connection } = await connect();
      const result = JSON.parse(
        '{"content":"odd","_meta":null,"isError":true,"__proto__":{"x":1},"constructor":1}',
      );
      const answer = connection.callTool("t", {});
      wire.say({ id: wire.last.id, result });
      expect(await answer).toBe(result);
    });

    it.each<[answer: object, expected: object]>([
      [
        { error: { code: -32000, message: "theirs", data: { a: 1 } } },
        { rpcCode: -32000, rpcData: { a: 1 } },
      ],
      [{ error: { code: -32001, message: "theirs" } }, { code: "rpc", rpcCode: -32001 }],
      [{ error: { message: "no code" } }, { code: "rpc", rpcMessage: "no code" }],
      [{ error: { code: 5 } }, { code: "rpc", rpcCode: 5 }],
      [{ error: "boom" }, { code: "invalid_result", message: expect.stringContaining("boom") }],
      [{ error: 7, result: {} }, { code: "invalid_result" }],
      [{ result: null }, { code: "invalid_result" }],
      [{ result: [] }, { code: "invalid_result" }],
      [{ result: "text" }, { code: "invalid_result" }],
      [{}, { code: "invalid_result" }],
      [{ error: { code: -32022, message: "too old" } }, { code: "unsupported", rpcCode: -32022 }],
    ])("that is answered %j rejects at once", async (answer, expected) => {
      const { wire, connection } = await connect();
      const call = connection.callTool("t", {});
      wire.say({ id: wire.last.id, ...answer });
      expect(await failure(call)).toMatchObject({ delivery: "unknown", ...expected });
    });

    it.each([
      ["an answer beside error: null", (id: number) => ({ id, result: { ok: 1 }, error: null })],
      ["the id as a string", (id: number) => ({ id: String(id), result: { ok: 1 } })],
      ["further members", (id: number) => ({ id, result: { ok: 1 }, took: 5 })],
      ["an answer in a batch", (id: number) => [{ jsonrpc: "2.0", id, result: { ok: 1 } }]],
    ])("takes %s", async (_, answer) => {
      const { wire, connection } = await connect();
      const call = connection.callTool("t", {});
      wire.say(answer(wire.last.id ?? -1));
      expect(await call).toEqual({ ok: 1 });
    });

    it("keeps the server's own words beside ours", async () => {
      const { wire, connection } = await connect();
      const call = connection.callTool("t", {});
      wire.say({ id: wire.last.id, error: { code: -32602, message: "Unknown tool: t" } });
      const error = await failure(call);
      expect(error.message).toBe("script: tools/call: Unknown tool: t");
      expect(error.rpcMessage).toBe("Unknown tool: t");
    });

    it("gets its own answer, in whatever order they come", async () => {
      const { wire, connection } = await connect();
      const calls = [1, 2, 3].map((n) => connection.callTool("t", { n }));
      for (const { id, params } of wire.of("tools/call").reverse()) {
        wire.say({ id, result: { said: params?.["arguments"] } });
      }
      expect(await Promise.all(calls)).toEqual([1, 2, 3].map((n) => ({ said: { n } })));
    });

    it("that cannot be written as JSON is not sent", async () => {
      const { wire, connection } = await connect();
      const cyclic: Record<string, unknown> = {};
      cyclic["self"] = cyclic;
      const before = wire.sent.length;
      for (const args of [cyclic, { big: 1n }]) {
        expect(await failure(connection.callTool("t", args))).toMatchObject({
          code: "config",
          field: "params",
          delivery: "not_sent",
        });
      }
      expect(wire.sent.length).toBe(before);
    });

    it("that the wire fails to carry rejects with the reason", async () => {
      const { wire, connection } = await connect();
      const cause = new Error("cable cut");
      wire.send = async () => {
        throw cause;
      };
      expect(await failure(connection.callTool("t", {}))).toMatchObject({
        code: "network",
        delivery: "unknown",
        cause,
      });
    });
  });

  describe("a page", () => {
    it.each<[result: object, page: object]>([
      [{ tools: [] }, { items: [] }],
      [{ tools: [1, null], nextCursor: null }, { items: [1, null] }],
      [
        { tools: [], nextCursor: "" },
        { items: [], nextCursor: "" },
      ],
      [
        { tools: [], nextCursor: "n", ttlMs: 60_000, cacheScope: "private" },
        { items: [], nextCursor: "n", ttlMs: 60_000, cacheScope: "private" },
      ],
      [{ tools: [], ttlMs: "1", cacheScope: "all" }, { items: [] }],
    ])("%j is read", async (result, page) => {
      const { wire, connection } = await connect();
      const answer = connection.listTools();
      wire.say({ id: wire.last.id, result });
      expect(await answer).toEqual(page);
    });

    it.each<[result: object, says: string]>([
      [{}, '"tools" is not a list'],
      [{ tools: null }, '"tools" is not a list'],
      [{ tools: { a: 1 } }, '"tools" is not a list'],
      [{ tools: [], nextCursor: 2 }, '"nextCursor" is not a string'],
      [{ tools: [], nextCursor: {} }, '"nextCursor" is not a string'],
    ])("%j is never taken for a shorter list", async (result, says) => {
      const { wire, connection } = await connect();
      const answer = connection.listTools();
      wire.say({ id: wire.last.id, result });
      const error = await failure(answer);
      expect(error).toMatchObject({ code: "invalid_result", delivery: "unknown" });
      expect(error.message).toContain(says);
    });
  });

  describe("the clocks", () => {
    it("end a request that gets no answer, and tell the server why only so far", async () => {
      const { wire, connection } = await connect();
      const start = performance.now();
      const error = await failure(connection.callTool("t", {}, { timeoutMs: 60 }));
      expect(performance.now() - start).toBeGreaterThanOrEqual(55);
      expect(error).toMatchObject({ code: "timeout", delivery: "unknown" });
      expect(error.message).toBe("script: tools/call: no answer within 60 ms");
      const [call] = wire.of("tools/call");
      expect(wire.of("notifications/cancelled")).toMatchObject([
        { params: { requestId: call?.id, reason: "The client no longer waits for the answer" } },
      ]);
    });

    it("let progress extend the idle clock, but not the total", async () => {
      const { wire, connection } = await connect();
      const seen: Progress[] = [];
      const options: RequestOptions = {
        timeoutMs: 600,
        idleTimeoutMs: 250,
        onProgress: (progress) => seen.push(progress),
      };
      const start = performance.now();
      const call = failure(connection.callTool("t", {}, options));
      const { id } = wire.last;
      const beat = setInterval(() => {
        wire.say({ method: "notifications/progress", params: { progressToken: id, progress: 1 } });
      }, 40);
      const error = await call;
      clearInterval(beat);
      expect(performance.now() - start).toBeGreaterThan(550);
      expect(error.message).toContain("no answer within 600 ms");
      expect(seen.length).toBeGreaterThan(3);
    });

    it("say so when it is the idle clock that ended it", async () => {
      const { connection } = await connect();
      const error = await failure(
        connection.callTool("t", {}, { timeoutMs: 5_000, idleTimeoutMs: 50 }),
      );
      expect(error).toMatchObject({ code: "timeout" });
      expect(error.message).toContain("neither answer nor progress for 50 ms");
    });

    it("leave a call's own timeoutMs as its only clock", async () => {
      const wire = new ScriptedWire();
      const connection = await new WireTransport(() => wire, {
        requestTimeoutMs: 5_000,
        idleTimeoutMs: 40,
      }).open();
      const only = connection.callTool("t", {}, { timeoutMs: 250 });
      expect((await failure(connection.callTool("t", {}))).message).toContain("for 40 ms");
      expect((await failure(only)).message).toContain("within 250 ms");
    });

    it.each<[options: unknown, field: string]>([
      [{ timeoutMs: 0 }, "timeoutMs"],
      [{ timeoutMs: -1 }, "timeoutMs"],
      [{ timeoutMs: Number.NaN }, "timeoutMs"],
      [{ timeoutMs: Number.POSITIVE_INFINITY }, "timeoutMs"],
      [{ timeoutMs: 2 ** 31 }, "timeoutMs"],
      [{ timeoutMs: "5000" }, "timeoutMs"],
      [{ idleTimeoutMs: 0 }, "idleTimeoutMs"],
      [{ signal: "now" }, "signal"],
      [5_000, "options"],
      [null, "options"],
    ])("refuse %j before anything is sent", async (options, field) => {
      const { wire, connection } = await connect();
      const before = wire.sent.length;
      const error = await failure(connection.callTool("t", {}, options as never));
      expect(error).toMatchObject({ code: "config", field, delivery: "not_sent" });
      expect(wire.sent.length).toBe(before);
    });

    it("name the form that options have where a number was given", async () => {
      const { connection } = await connect();
      const error = await failure(connection.callTool("t", {}, 5_000 as never));
      expect(error.message).toBe(
        "options: expected an object such as { timeoutMs: 5000 }, got 5000",
      );
    });
  });

  describe("progress", () => {
    it("is handed on, all of it, before the answer", async () => {
      const { wire, connection } = await connect();
      const order: unknown[] = [];
      const call = connection
        .callTool("t", {}, { onProgress: (progress) => order.push(progress) })
        .then(() => order.push("answer"));
      const { id } = wire.last;
      const params = { progressToken: id, progress: 0.5, total: 2, message: "half", more: true };
      wire.say({ method: "notifications/progress", params });
      wire.say({
        method: "notifications/progress",
        params: { progressToken: String(id), progress: 2 },
      });
      wire.say({ id, result: {} });
      await call;
      expect(order).toEqual([
        { progress: 0.5, total: 2, message: "half" },
        { progress: 2 },
        "answer",
      ]);
    });

    it("of no use, of nobody, or too late does no harm", async () => {
      const { wire, connection } = await connect();
      const diagnostics: string[] = [];
      connection.onDiagnostic((error) => diagnostics.push(error.message));
      const seen: Progress[] = [];
      const call = connection.callTool("t", {}, { onProgress: (progress) => seen.push(progress) });
      const { id } = wire.last;
      for (const params of [
        { progressToken: id, progress: "1" },
        { progressToken: 99, progress: 1 },
        7,
      ]) {
        wire.say({ method: "notifications/progress", params });
      }
      wire.say({ id, result: { ok: true } });
      wire.say({ method: "notifications/progress", params: { progressToken: id, progress: 1 } });
      wire.say({ id, result: { ok: "twice" } });
      expect(await call).toEqual({ ok: true });
      expect(seen).toEqual([]);
      expect(diagnostics).toEqual(["script: tools/call: sent progress without a number"]);
    });

    it("does not suffer from a callback that throws", async () => {
      const { wire, connection } = await connect();
      const diagnostics: Error[] = [];
      connection.onDiagnostic((error) => diagnostics.push(error));
      const bug = new Error("bug");
      const onProgress = () => {
        throw bug;
      };
      const call = connection.callTool("t", {}, { onProgress });
      const { id } = wire.last;
      wire.say({ method: "notifications/progress", params: { progressToken: id, progress: 1 } });
      wire.say({ id, result: {} });
      expect(await call).toEqual({});
      expect(diagnostics).toMatchObject([{ cause: bug }]);
    });
  });

  describe("the caller's signal", () => {
    it("ends the request; the server learns nothing of the reason", async () => {
      const { wire, connection } = await connect();
      const controller = new AbortController();
      const call = failure(connection.callTool("t", {}, { signal: controller.signal }));
      const reason = new Error("the user's private reason");
      controller.abort(reason);
      expect(await call).toMatchObject({ code: "aborted", delivery: "unknown", cause: reason });
      expect(wire.of("notifications/cancelled")).toHaveLength(1);
      expect(JSON.stringify(wire.sent)).not.toContain("private");
    });

    it("that is aborted already keeps it from being sent", async () => {
      const { wire, connection } = await connect();
      const before = wire.sent.length;
      const signal = AbortSignal.abort();
      expect(await failure(connection.callTool("t", {}, { signal }))).toMatchObject({
        code: "aborted",
        delivery: "not_sent",
      });
      expect(wire.sent.length).toBe(before);
    });

    it("may be shared by many calls: no listener stays, and nothing is cancelled afterwards", async () => {
      const { wire, connection } = await connect();
      const controller = new AbortController();
      const { signal } = controller;
      for (let n = 0; n < 100; n += 1) {
        const call = connection.callTool("t", {}, { signal });
        wire.say({ id: wire.last.id, result: {} });
        await call;
      }
      await failure(connection.callTool("t", {}, { signal, timeoutMs: 5 }));
      expect(getEventListeners(signal, "abort")).toEqual([]);
      const sent = wire.sent.length;
      controller.abort();
      await sleep(20);
      expect(wire.sent.length).toBe(sent);
    });
  });

  describe("an answer that comes too late", () => {
    it("is not noticed", async () => {
      const { wire, connection } = await connect();
      const diagnostics: Error[] = [];
      connection.onDiagnostic((error) => diagnostics.push(error));
      await failure(connection.callTool("slow", {}, { timeoutMs: 10 }));
      const [slow] = wire.of("tools/call");
      const next = connection.callTool("next", {});
      wire.say({ id: slow?.id, result: { of: "slow" } });
      wire.say({ id: wire.last.id, result: { of: "next" } });
      expect(await next).toEqual({ of: "next" });
      expect(diagnostics).toEqual([]);
    });
  });
});
