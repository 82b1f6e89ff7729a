import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  type MCPConnection,
  MCPTransport,
  MCPTransportError,
  type MCPWire,
  type OpenOptions,
  WireTransport,
} from "../src/index.ts";
import { eventually } from "./support/eventually.ts";
import { failure } from "./support/failure.ts";
import { handshake, ScriptedWire } from "./support/scripted-wire.ts";

describe.each(["v1", "v2"] as const)("over engine %s", (engine) => {
  function over(wire: ScriptedWire): WireTransport {
    return new WireTransport(() => wire, { description: "script", engine });
  }

  describe("the handshake", () => {
    it("introduces us, and asks for nothing that was not given", async () => {
      const wire = new ScriptedWire();
      const connection = await over(wire).open();
      expect(wire.sent).toMatchObject([
        {
          method: "initialize",
          params: { protocolVersion: "2025-11-25", capabilities: {} },
        },
        { method: "notifications/initialized" },
      ]);
      expect(wire.sent[0]?.params?.["capabilities"]).toEqual({});
      expect(connection.info).toEqual({
        protocolVersion: "2025-11-25",
        era: "legacy",
        server: { name: "scripted", version: "1" },
        capabilities: { tools: {} },
      });
    });

    it("hands on the client's name, and the capabilities that are given", async () => {
      const wire = new ScriptedWire();
      await over(wire).open({
        clientInfo: { name: "mine", version: "2" },
        onElicit: async () => ({ action: "decline" }),
        roots: [],
      });
      expect(wire.sent[0]?.params).toMatchObject({
        clientInfo: { name: "mine", version: "2" },
        capabilities: { elicitation: {}, roots: {} },
      });
    });

    it.each<[result: object, info: object]>([
      [
        { protocolVersion: "2024-11-05" },
        { protocolVersion: "2024-11-05", era: "legacy", server: {}, capabilities: {} },
      ],
      [
        { ...handshake, capabilities: null, serverInfo: "x", instructions: 5 },
        { protocolVersion: "2025-11-25", era: "legacy", server: {}, capabilities: {} },
      ],
      [
        {
          ...handshake,
          serverInfo: { name: 1, version: "2", title: "T" },
          instructions: "Be kind.",
        },
        {
          protocolVersion: "2025-11-25",
          era: "legacy",
          server: { version: "2", title: "T" },
          capabilities: { tools: {} },
          instructions: "Be kind.",
        },
      ],
    ])("takes a server that answers %j", async (result, info) => {
      const wire = new ScriptedWire({ result });
      expect((await over(wire).open()).info).toEqual(info);
    });

    it.each<[answer: object, code: string, says: string]>([
      [{ result: { ...handshake, protocolVersion: "2099-01-01" } }, "unsupported", "2099-01-01"],
      [{ result: { ...handshake, protocolVersion: "2026-07-28" } }, "unsupported", "2026-07-28"],
      [{ result: { capabilities: {} } }, "invalid_result", "no protocolVersion"],
      [{ result: [] }, "invalid_result", "not an object"],
      [{ error: { code: -32603, message: "no licence" } }, "rpc", "no licence"],
      [
        { error: { code: -32022, message: "Unsupported", data: { supported: ["2026-07-28"] } } },
        "unsupported",
        "engine v2",
      ],
    ])("gives up on %j at once, with %s", async (answer, code, says) => {
      const wire = new ScriptedWire(answer);
      const error = await failure(over(wire).open());
      expect(error.code).toBe(code);
      expect(error.message).toContain("script: initialize: ");
      expect(error.message).toContain(says);
      expect(wire.closes).toBe(1);
      expect(wire.of("notifications/initialized")).toEqual([]);
    });

    it("is bound by a deadline, whatever step hangs; the server is not told to cancel it", async () => {
      const silent = new ScriptedWire(false);
      const start = performance.now();
      expect(await failure(over(silent).open({ timeoutMs: 80 }))).toMatchObject({
        code: "timeout",
        message: "script: not open within 80 ms",
      });
      expect(performance.now() - start).toBeLessThan(10_000);
      expect(silent.closes).toBe(1);
      expect(silent.of("notifications/cancelled")).toEqual([]);

      const stuck = new ScriptedWire();
      stuck.start = () => new Promise(() => {});
      expect(await failure(over(stuck).open({ timeoutMs: 50 }))).toMatchObject({ code: "timeout" });
      expect(stuck.closes).toBe(1);

      const deaf = new ScriptedWire();
      const { send } = deaf;
      deaf.send = (message) =>
        "method" in message && message.method === "notifications/initialized"
          ? new Promise(() => {})
          : send.call(deaf, message);
      expect(await failure(over(deaf).open({ timeoutMs: 50 }))).toMatchObject({ code: "timeout" });
      expect(deaf.closes).toBe(1);
    });

    it("ends with the caller's signal", async () => {
      const wire = new ScriptedWire(false);
      const controller = new AbortController();
      const opening = failure(over(wire).open({ signal: controller.signal }));
      await sleep(20);
      const reason = new Error("changed my mind");
      controller.abort(reason);
      expect(await opening).toMatchObject({ code: "aborted", cause: reason });
      expect(wire.closes).toBe(1);

      const never = new ScriptedWire();
      const { signal } = controller;
      expect(await failure(over(never).open({ signal }))).toMatchObject({ code: "aborted" });
      expect(never.sent).toEqual([]);
    });

    it("ends when the wire does", async () => {
      const wire = new ScriptedWire(false);
      const opening = failure(over(wire).open());
      await sleep(20);
      wire.onclose?.();
      expect(await opening).toMatchObject({ code: "closed" });

      const broken = new ScriptedWire();
      const cause = new Error("no such cable");
      broken.start = async () => {
        throw cause;
      };
      const error = await failure(over(broken).open());
      expect(error).toMatchObject({
        code: "network",
        message: "script: could not be opened",
        cause,
      });
      expect(broken.closes).toBe(1);
    });

    it.each<[options: unknown, field: string]>([
      [5_000, "options"],
      [{ timeoutMs: 0 }, "timeoutMs"],
      [{ timeoutMs: Number.POSITIVE_INFINITY }, "timeoutMs"],
      [{ signal: {} }, "signal"],
    ])("is not begun with the options %j", async (options, field) => {
      const wire = new ScriptedWire();
      const error = await failure(over(wire).open(options as OpenOptions));
      expect(error).toMatchObject({ code: "config", field });
      expect(wire.sent).toEqual([]);
    });
  });

  describe("what the server asks of us", () => {
    async function ask(options: OpenOptions, method: string, params: object = {}) {
      const wire = new ScriptedWire();
      const connection = await over(wire).open(options);
      wire.say({ id: "srv-1", method, params });
      await eventually(() => expect(wire.last.id).toBe("srv-1"));
      return { answer: wire.last, connection, wire };
    }

    it("a ping is answered, also while a call is on its way", async () => {
      const wire = new ScriptedWire();
      const connection = await over(wire).open();
      const call = connection.callTool("t", {});
      const { id } = wire.last;
      wire.say({ id, method: "ping" });
      await eventually(() => expect(wire.last).toEqual({ jsonrpc: "2.0", id, result: {} }));
      wire.say({ id, result: { pong: true } });
      expect(await call).toEqual({ pong: true });
    });

    it("roots, if they were given", async () => {
      const roots = [{ uri: "file:///tmp/a", name: "a" }, { uri: "file:///tmp/b" }];
      expect((await ask({ roots }, "roots/list")).answer.result).toEqual({ roots });
      expect((await ask({}, "roots/list")).answer.error).toMatchObject({ code: -32601 });
    });

    it("elicitation, if there is somebody to answer", async () => {
      const form = {
        message: "Which port?",
        requestedSchema: { type: "object", properties: { port: { type: "integer" } } },
      };
      const asked: unknown[] = [];
      const onElicit = async (params: unknown) => {
        asked.push(params);
        return { action: "accept", content: { port: 80 } };
      };
      const { answer } = await ask({ onElicit }, "elicitation/create", form);
      expect(answer.result).toEqual({ action: "accept", content: { port: 80 } });
      expect(asked).toMatchObject([form]);
      expect((await ask({}, "elicitation/create", form)).answer.error).toMatchObject({
        code: -32601,
      });
    });

    it("learns nothing of why onElicit failed", async () => {
      const cause = new Error("private path /home/me");
      const onElicit = async () => {
        throw cause;
      };
      const requestedSchema = { type: "object", properties: {} };
      const form = { message: "?", requestedSchema };
      const { answer, connection } = await ask({ onElicit }, "elicitation/create", form);
      expect(answer.error).toMatchObject({ message: "The client could not answer" });
      const heard: Error[] = [];
      connection.onDiagnostic((error) => heard.push(error));
      expect(heard).toMatchObject([{ message: "onElicit failed", cause }]);
    });
  });

  describe("list changes", () => {
    it("are told to those who listen to that list, until they stop", async () => {
      const wire = new ScriptedWire();
      const connection = await over(wire).open();
      const heard: string[] = [];
      const stop = await connection.onListChanged("tools", () => heard.push("tools"));
      await connection.onListChanged("tools", () => heard.push("too"));
      await connection.onListChanged("prompts", () => heard.push("prompts"));
      await connection.onListChanged("resources", () => heard.push("resources"));
      wire.say({ method: "notifications/tools/list_changed" });
      wire.say({ method: "notifications/prompts/list_changed" });
      wire.say({ method: "notifications/resources/list_changed", params: null });
      stop();
      wire.say({ method: "notifications/tools/list_changed" });
      expect(heard).toEqual(["tools", "too", "prompts", "resources", "too"]);
    });

    it("reach the others where one listener throws", async () => {
      const wire = new ScriptedWire();
      const connection = await over(wire).open();
      const heard: unknown[] = [];
      connection.onDiagnostic((error) => heard.push(error.cause));
      await connection.onListChanged("tools", () => {
        throw "bug";
      });
      await connection.onListChanged("tools", () => heard.push("heard"));
      wire.say({ method: "notifications/tools/list_changed" });
      expect(heard).toEqual(["bug", "heard"]);
    });
  });

  describe("noise", () => {
    it.each([
      ["a number", 5],
      ["null", null],
      ["a text", "hello"],
      ["nothing of a message", {}],
      ["an unknown notification", { method: "notifications/message", params: { data: "log" } }],
      ["a notification of a strange name", { method: "x".repeat(5_000) }],
      ["a request without a form", { method: "roots/list", id: { a: 1 } }],
      ["an answer to nobody", { id: 4_711, result: {} }],
      ["an error about nothing", { id: null, error: { code: -32700, message: "Parse error" } }],
      ["hostile names", JSON.parse('{"method":"__proto__","params":{"__proto__":1}}')],
      [
        "a cancellation of nothing",
        { method: "notifications/cancelled", params: { requestId: 9 } },
      ],
    ])("%s ends nothing", async (_, message) => {
      const wire = new ScriptedWire();
      const connection = await over(wire).open();
      const heard: Error[] = [];
      connection.onDiagnostic((error) => heard.push(error));
      wire.say(message);
      wire.say([message]);
      await sleep(1);
      const call = connection.callTool("t", {});
      wire.say({ id: wire.of("tools/call")[0]?.id, result: { ok: true } });
      expect(await call).toEqual({ ok: true });
      expect(heard.every((error) => error.message.length <= 1_000)).toBe(true);
    });

    it("too deep or too long for the client's own reports ends nothing", async () => {
      const wire = new ScriptedWire();
      const connection = await over(wire).open();
      const heard: Error[] = [];
      connection.onDiagnostic((error) => heard.push(error));
      const deep = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`);
      wire.say({ id: "a", method: "ping", more: deep });
      wire.say({ id: "b", method: "ping", more: "x".repeat(1_000_000) });
      wire.say({ method: "x".repeat(1_000_000) });
      const call = connection.callTool("t", {});
      wire.say({ id: wire.of("tools/call")[0]?.id, result: { deep } });
      expect(await call).toEqual({ deep });
      expect(heard).toHaveLength(3);
      expect(Math.max(...heard.map(({ message }) => message.length))).toBeLessThanOrEqual(1_000);
    });

    it("before anybody listens is kept, up to 20", async () => {
      const wire = new ScriptedWire();
      const connection = await over(wire).open();
      for (let n = 0; n < 30; n += 1) wire.say(n);
      wire.onerror?.(new Error("beside the messages"));
      const heard: Error[] = [];
      const stop = connection.onDiagnostic((error) => heard.push(error));
      expect(heard).toHaveLength(20);
      wire.onerror?.(new Error("beside the messages"));
      expect(heard.at(-1)?.message).toBe("beside the messages");
      stop();
      wire.say(1);
      expect(heard).toHaveLength(21);
    });

    it("does not suffer from a listener that throws", async () => {
      const wire = new ScriptedWire();
      const connection = await over(wire).open();
      const heard: Error[] = [];
      connection.onDiagnostic(() => {
        throw new Error("bug");
      });
      connection.onDiagnostic((error) => heard.push(error));
      wire.say(1);
      expect(heard).toHaveLength(1);
    });
  });

  describe("the end", () => {
    it("by us: pending requests reject first, and it ends once", async () => {
      const wire = new ScriptedWire();
      const connection = await over(wire).open();
      const order: unknown[] = [];
      const close = wire.close.bind(wire);
      wire.close = async () => {
        order.push("wire");
        await sleep(10);
        await close();
      };
      const call = connection.callTool("t", {}).catch((error: unknown) => {
        order.push(error);
      });
      connection.onClose((reason) => order.push(["closed", reason]));
      const closing = [connection.close(), connection.close()];
      await Promise.all([...closing, call]);
      await connection.close();
      expect(order).toEqual([
        ["closed", undefined],
        expect.objectContaining({ code: "closed", delivery: "unknown" }),
        "wire",
      ]);
      expect(wire.closes).toBe(1);
    });

    it("by the wire: the reason is told to all who wait and all who listen, once", async () => {
      const wire = new ScriptedWire();
      const connection = await over(wire).open();
      const reasons: unknown[] = [];
      connection.onClose((reason) => reasons.push(reason?.code));
      connection.onClose(() => {
        throw new Error("bug");
      });
      const stop = connection.onClose(() => reasons.push("stopped listening"));
      stop();
      const calls = [connection.callTool("a", {}), connection.listTools()];
      wire.onclose?.();
      wire.onclose?.();
      for (const call of calls) {
        expect(await failure(call)).toMatchObject({ code: "closed", delivery: "unknown" });
      }
      expect(reasons).toEqual(["closed"]);
      connection.onClose((reason) => reasons.push(reason?.message));
      expect(reasons).toEqual(["closed", "script: the wire closed"]);
      await connection.close();
      expect(wire.closes).toBe(1);
    });

    it("leaves nothing that can be called: what comes after was not sent", async () => {
      const wire = new ScriptedWire();
      const connection = await over(wire).open();
      wire.onclose?.();
      const before = wire.sent.length;
      const error = await failure(connection.callTool("t", {}));
      expect(error).toMatchObject({ code: "closed", delivery: "not_sent" });
      expect(error.cause).toMatchObject({ code: "closed", message: "script: the wire closed" });
      await connection.close();
      expect(await failure(connection.listTools())).toMatchObject({ delivery: "not_sent" });
      wire.say({ method: "notifications/tools/list_changed" });
      expect(wire.sent.length).toBe(before);
    });

    it("of a wire that cannot close is an end all the same", async () => {
      const wire = new ScriptedWire();
      const connection = await over(wire).open();
      const heard: Error[] = [];
      connection.onDiagnostic((error) => heard.push(error));
      wire.close = async () => {
        throw new Error("stuck");
      };
      await connection.close();
      expect(heard).toMatchObject([
        { message: "script: close failed", cause: { message: "stuck" } },
      ]);
    });
  });

  describe("WireTransport", () => {
    it("opens a fresh wire each time", async () => {
      const wires: ScriptedWire[] = [];
      const transport = new WireTransport(
        () => {
          const wire = new ScriptedWire();
          wires.push(wire);
          return wire;
        },
        { engine },
      );
      const [first, second] = await Promise.all([transport.open(), transport.open()]);
      await first.close();
      const call = second.callTool("t", {});
      wires[1]?.say({ id: wires[1].last.id, result: { ok: 1 } });
      expect(await call).toEqual({ ok: 1 });
      expect(wires.map(({ closes }) => closes)).toEqual([1, 0]);
      expect(transport.description).toBe("custom wire");
    });

    it("speaks over a transport of the official SDK", async () => {
      const server = new Server({ name: "sdk", version: "3" }, { capabilities: {} });
      const [ours, theirs] = InMemoryTransport.createLinkedPair();
      await server.connect(theirs);
      const connection = await new WireTransport(() => ours, { engine }).open();
      expect(connection.info.server).toEqual({ name: "sdk", version: "3" });
      expect(await connection.request("ping")).toEqual({});
      const ended = new Promise((resolve) => connection.onClose(resolve));
      await server.close();
      expect(await ended).toMatchObject({ code: "closed" });
    });

    it("takes whatever has the shape of the SDK's Transport", () => {
      expectTypeOf<Transport>().toExtend<MCPWire>();
      expectTypeOf<ScriptedWire>().toExtend<MCPWire>();
      expectTypeOf<InstanceType<typeof WireTransport>>().toExtend<MCPTransport>();
      expectTypeOf<MCPConnection["callTool"]>().returns.resolves.toEqualTypeOf<
        Record<string, unknown>
      >();
    });

    it("refuses options that are none", () => {
      expect(() => new WireTransport(() => new ScriptedWire(), 5 as never)).toThrow("options: ");
      expect(() => new WireTransport(() => new ScriptedWire(), { idleTimeoutMs: 0 })).toThrow(
        "idleTimeoutMs",
      );
    });
  });

  describe("an own transport", () => {
    it("is a class that extends MCPTransport", async () => {
      class Own extends MCPTransport {
        readonly description = "own";
        async open(): Promise<MCPConnection> {
          return new WireTransport(() => new ScriptedWire(), { engine }).open();
        }
      }
      const connection = await new Own().open();
      expect(connection.info.era).toBe("legacy");
    });
  });
});

describe("MCPTransportError", () => {
  it("shows only the fields it has", () => {
    const error = new MCPTransportError("http", "no", { httpStatus: 500, cause: "why" });
    expect(Object.keys(error).sort()).toEqual(["code", "httpStatus", "name"]);
    expect(error.cause).toBe("why");
    expect(inspect(error)).not.toContain("undefined");
    expect(new MCPTransportError("http", "no")).not.toHaveProperty("cause");
  });
});
