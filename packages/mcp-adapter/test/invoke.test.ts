import {
  MCPTransport,
  MCPTransportError,
  type OpenOptions,
  type RequestOptions,
} from "@x/mcp-transport";
import { afterEach, describe, expect, it } from "vitest";
import { MCPToolAdapter } from "../src/index.ts";
import { addTool, connectedMock, mockedAdapter, overEngines } from "./mock-adapter.ts";

const open: MCPToolAdapter[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((adapter) => adapter.disconnect()));
});

async function connected(...args: Parameters<typeof connectedMock>) {
  const mocked = await connectedMock(...args);
  open.push(mocked.adapter);
  return mocked;
}

/** An adapter, and what it asks of its connection with each call. */
async function spied(config: object) {
  const { transport } = mockedAdapter({ tools: [addTool] });
  const given: RequestOptions[] = [];
  class Spy extends MCPTransport {
    readonly description = "spy";
    async open(options?: OpenOptions) {
      const connection = await transport.open(options);
      const { callTool } = connection;
      connection.callTool = (name, args, request) => {
        given.push(request ?? {});
        return callTool.call(connection, name, args, request);
      };
      return connection;
    }
  }
  const adapter = new MCPToolAdapter({ name: "mock", ...config }, { transport: new Spy() });
  open.push(adapter);
  await adapter.connect();
  return { adapter, given };
}

const never = () => new Promise<never>(() => {});
const calls = (server: { requests: readonly { method: string }[] }) =>
  server.requests.filter(({ method }) => method === "tools/call");

overEngines(() => {
  describe("what a lost or refused call comes to", () => {
    const rows: [string, ConstructorParameters<typeof MCPTransportError>, object][] = [
      [
        "sent, then the process ended",
        ["exited", "the process ended with code 1", { delivery: "unknown", exitCode: 1 }],
        { errorCode: "outcome_unknown", ran: "unknown", error: expect.stringContaining("code 1") },
      ],
      [
        "sent, then the connection closed",
        ["closed", "closed", { delivery: "unknown" }],
        { errorCode: "outcome_unknown", ran: "unknown" },
      ],
      [
        "never sent",
        ["closed", "closed", { delivery: "not_sent" }],
        { errorCode: "unavailable", ran: "no" },
      ],
      [
        "refused connection",
        ["refused", "nothing listens", { delivery: "not_sent" }],
        { errorCode: "unavailable", ran: "no" },
      ],
      [
        "404 to the session",
        ["session_lost", "404", { delivery: "refused", httpStatus: 404 }],
        { errorCode: "unavailable", ran: "no" },
      ],
      [
        "401",
        ["unauthorized", "HTTP 401", { delivery: "unknown", httpStatus: 401 }],
        { errorCode: "unauthorized", ran: "no" },
      ],
      [
        "another HTTP status",
        ["http", "HTTP 503", { delivery: "unknown", httpStatus: 503 }],
        { errorCode: "protocol", ran: "unknown", error: expect.stringContaining("503") },
      ],
      [
        "a JSON-RPC error",
        ["rpc", "boom", { delivery: "unknown", rpcCode: -32000 }],
        { errorCode: "protocol", ran: "unknown", error: expect.stringMatching(/-32000.*boom/) },
      ],
      [
        "an answer over the cap",
        ["limit", "over maxMessageBytes", { delivery: "unknown" }],
        { errorCode: "too_large", ran: "yes" },
      ],
      [
        "a message too large to send",
        ["limit", "over maxMessageBytes", { delivery: "not_sent" }],
        { errorCode: "too_large", ran: "no" },
      ],
      [
        "a deadline of the transport",
        ["timeout", "late", { delivery: "unknown" }],
        { errorCode: "timeout", ran: "unknown", error: expect.stringContaining("timeout") },
      ],
      [
        "something this era has not",
        ["unsupported", "no tasks", { delivery: "not_sent" }],
        { errorCode: "unsupported", ran: "no" },
      ],
      [
        "an answer that is none",
        ["invalid_result", "not an object", { delivery: "unknown" }],
        { errorCode: "protocol", ran: "unknown" },
      ],
    ];

    it.each(rows)("%s", async (_, error, expected) => {
      const { adapter, server } = await connected({ tools: [addTool] });
      server.failNext(new MCPTransportError(...error), "tools/call");
      const result = await adapter.invoke("add", { a: 1, b: 2 });
      expect(result).toMatchObject({ success: false, data: {}, content: [], ...expected });
      expect(calls(server)).toHaveLength(0);
    });

    it("malformed answers are protocol errors", async () => {
      const { adapter } = await connected({ tools: [{ name: "t", call: () => "text" }] });
      expect(await adapter.invoke("t")).toMatchObject({ errorCode: "protocol", ran: "unknown" });
    });
  });

  describe("deadlines and signals", () => {
    it("an aborted signal stops a call before it is sent", async () => {
      const { adapter, server } = await connected({ tools: [addTool] });
      const result = await adapter.invoke("add", { a: 1, b: 2 }, { signal: AbortSignal.abort() });
      expect(result).toMatchObject({ errorCode: "cancelled", ran: "no" });
      expect(calls(server)).toHaveLength(0);
    });

    it("a signal during the call ends it, and whether it ran is unknown", async () => {
      const { adapter } = await connected({ tools: [{ name: "t", call: never }] });
      await adapter.discoverTools();
      const result = await adapter.invoke("t", {}, { signal: AbortSignal.timeout(250) });
      expect(result).toMatchObject({ errorCode: "cancelled", ran: "unknown" });
    });

    it("a deadline during discovery on demand leaves the tool not run", async () => {
      const { adapter, server } = await connected({ tools: [addTool] });
      server.delayNext(300, "tools/list");
      const result = await adapter.invoke("add", { a: 1, b: 2 }, { timeoutMs: 40 });
      expect(result).toMatchObject({ errorCode: "timeout", ran: "no" });
      expect(calls(server)).toHaveLength(0);
    });

    it("progress extends the idle deadline, but not the total one", async () => {
      const seen: number[] = [];
      const { adapter } = await connected({
        tools: [
          {
            name: "steps",
            call: async (_, { progress }) => {
              for (let step = 1; step <= 8; step += 1) {
                await new Promise((resolve) => setTimeout(resolve, 120));
                progress({ progress: step, total: 8 });
              }
              return { content: [] };
            },
          },
        ],
      });
      await adapter.discoverTools();
      const onProgress = ({ progress }: { progress: number }) => seen.push(progress);
      const patient = await adapter.invoke("steps", {}, { idleTimeoutMs: 800, onProgress });
      expect(patient.success).toBe(true);
      expect(seen.length).toBeGreaterThan(4);
      const total = await adapter.invoke("steps", {}, { timeoutMs: 400, idleTimeoutMs: 300 });
      expect(total).toMatchObject({ errorCode: "timeout", ran: "unknown" });
    });

    it("come from the config, and a call's own timeoutMs is its only clock", async () => {
      const { adapter, given } = await spied({});
      await adapter.invoke("add", { a: 1, b: 2 });
      await adapter.invoke("add", { a: 1, b: 2 }, { timeoutMs: 1_000_000 });
      await adapter.invoke("add", { a: 1, b: 2 }, { timeoutMs: 7_000, idleTimeoutMs: 3_000 });
      const own = await spied({ requestTimeoutMs: 90_000, idleTimeoutMs: 4_000 });
      await own.adapter.invoke("add", { a: 1, b: 2 });
      const limits = [...given, ...own.given];
      expect(limits.map(({ idleTimeoutMs }) => idleTimeoutMs)).toEqual([
        60_000,
        undefined,
        3_000,
        4_000,
      ]);
      const totals = [300_000, 1_000_000, 7_000, 90_000];
      for (const [index, total] of totals.entries()) {
        // What has passed before it is sent counts.
        expect(limits[index]?.timeoutMs).toBeLessThanOrEqual(total);
        expect(limits[index]?.timeoutMs).toBeGreaterThan(total - 6_000);
      }
    });

    it("without progress the idle deadline ends the call", async () => {
      const { adapter } = await connected({ tools: [{ name: "t", call: never }] });
      const result = await adapter.invoke("t", {}, { idleTimeoutMs: 40 });
      expect(result.errorCode).toBe("timeout");
    });

    it("leaves no listener on the caller's signal", async () => {
      const { adapter } = await connected({ tools: [addTool] });
      const controller = new AbortController();
      let listeners = 0;
      const add = controller.signal.addEventListener.bind(controller.signal);
      const remove = controller.signal.removeEventListener.bind(controller.signal);
      controller.signal.addEventListener = (...args: Parameters<typeof add>) => {
        listeners += 1;
        add(...args);
      };
      controller.signal.removeEventListener = (...args: Parameters<typeof remove>) => {
        listeners -= 1;
        remove(...args);
      };
      for (let call = 0; call < 20; call += 1) {
        await adapter.invoke("add", { a: 1, b: call }, { signal: controller.signal });
      }
      expect(listeners).toBeLessThanOrEqual(0);
    });

    it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, "5"])(
      "refuses timeoutMs %s",
      async (timeoutMs) => {
        const { adapter } = await connected({ tools: [addTool] });
        const call = Reflect.apply(adapter.invoke, adapter, ["add", {}, { timeoutMs }]);
        await expect(call).rejects.toMatchObject({ code: "config", message: /timeoutMs/ });
      },
    );

    it("a number where an options object belongs is refused with the right form", async () => {
      const { adapter } = await connected({ tools: [addTool] });
      for (const call of [
        () => Reflect.apply(adapter.invoke, adapter, ["add", {}, 5_000]),
        () => Reflect.apply(adapter.connect, adapter, [10]),
        () => Reflect.apply(adapter.discoverTools, adapter, [{}, 10]),
      ]) {
        await expect((async () => call())()).rejects.toMatchObject({
          code: "config",
          message: expect.stringContaining("{ timeoutMs"),
        });
      }
      expect(() => Reflect.apply(adapter.reconnect, adapter, [10])).toThrow("{ timeoutMs");
    });
  });

  describe("arguments", () => {
    it("that throw when they are read are refused, and nothing is left waiting", async () => {
      const { adapter, events } = await connectedMock({ tools: [addTool] });
      const args = {
        get a(): number {
          throw new Error("no such thing");
        },
      };
      expect(await adapter.invoke("add", args)).toMatchObject({
        errorCode: "validation",
        error: expect.stringContaining("cannot be read: no such thing"),
        ran: "no",
      });
      expect(events.filter(({ type }) => type.startsWith("invoke."))).toMatchObject([
        { type: "invoke.start" },
        { type: "invoke.end", errorCode: "validation" },
      ]);
      await adapter.disconnect();
    });

    it("arrive exactly as given, nothing stripped, coerced or added", async () => {
      const { adapter, server } = await connected({
        tools: [{ name: "t", inputSchema: { type: "object", properties: { n: { default: 3 } } } }],
      });
      const args = JSON.parse('{"extra":[1,{"x":null}],"text":"7","__proto__":{"a":1},"":""}');
      await adapter.invoke("t", args);
      const sent = calls(server)[0] as unknown as { params: { arguments: object } };
      expect(JSON.stringify(sent.params.arguments)).toBe(JSON.stringify(args));
    });

    it("what is checked is what is sent, whatever the caller changes meanwhile", async () => {
      const { adapter, server } = await connected(
        {
          tools: [addTool, { name: "hold", call: () => new Promise((r) => setTimeout(r, 50, {})) }],
        },
        { maxConcurrency: 1 },
      );
      const args = { a: 1, b: 2 };
      const first = adapter.invoke("hold");
      const second = adapter.invoke("add", args);
      await new Promise((resolve) => setTimeout(resolve, 20));
      Object.assign(args, { a: "changed" });
      await first;
      expect((await second).structuredContent).toEqual({ sum: 3 });
      expect(calls(server)).toHaveLength(2);
    });

    it.each([
      ["an array", [1], /must be an object, got an array/],
      ["a text", "{}", /must be an object, got a string/],
      ["null", null, undefined],
      ["a number that JSON has not", { a: Number.NaN, b: 1 }, /`a` is NaN/],
      ["a bigint", { a: 1n, b: 1 }, /`a` is a bigint/],
      ["a function", { a: () => 1, b: 1 }, /`a` is a function/],
      ["a Date", { a: new Date(), b: 1 }, /`a` is a Date/],
      ["a hole in a list", { a: 1, b: 1, c: [undefined] }, /`c.0` is undefined/],
    ])("%s is refused before anything is sent", async (_, args, message) => {
      const { adapter, server } = await connected({ tools: [addTool] });
      const result = await Reflect.apply(adapter.invoke, adapter, ["add", args]);
      expect(result).toMatchObject({ errorCode: "validation", ran: "no" });
      if (message) expect(result.error).toMatch(message);
      expect(result.issues.length).toBeGreaterThan(0);
      expect(calls(server)).toHaveLength(0);
    });

    it("a property whose value is undefined counts as absent", async () => {
      const { adapter, server } = await connected({ tools: [addTool] });
      await Reflect.apply(adapter.invoke, adapter, ["add", { a: 1, b: 2, c: undefined }]);
      const sent = calls(server)[0] as unknown as { params: { arguments: object } };
      expect(Object.keys(sent.params.arguments)).toEqual(["a", "b"]);
    });

    it("too deep, too large or cyclic is refused", async () => {
      const { adapter, server } = await connected({ tools: [{ name: "t" }] });
      const deep = (levels: number) =>
        JSON.parse(`${'{"x":'.repeat(levels)}1${"}".repeat(levels)}`);
      const cyclic: Record<string, unknown> = {};
      cyclic["self"] = cyclic;
      for (const args of [
        deep(65),
        { text: "x".repeat(1_000_001) },
        { t: "é".repeat(600_000) },
        cyclic,
      ]) {
        expect(await adapter.invoke("t", args)).toMatchObject({
          errorCode: "too_large",
          ran: "no",
        });
      }
      expect(calls(server)).toHaveLength(0);
      expect((await adapter.invoke("t", deep(64))).success).toBe(true);
      expect((await adapter.invoke("t", { text: "x".repeat(999_000) })).success).toBe(true);
    });

    it("the limits are options", async () => {
      const { adapter } = await connected(
        { tools: [{ name: "t" }] },
        { maxArgumentBytes: 20, maxArgumentDepth: 2 },
      );
      expect((await adapter.invoke("t", { a: "x".repeat(30) })).errorCode).toBe("too_large");
      expect((await adapter.invoke("t", { a: { b: { c: 1 } } })).errorCode).toBe("too_large");
      expect((await adapter.invoke("t", { a: { b: 1 } })).success).toBe(true);
    });
  });

  describe("results", () => {
    it("keeps the server's object, and content of unknown kinds", async () => {
      const raw = {
        content: [
          { type: "hologram", rays: 3 },
          { type: "text", text: "x", own: 1 },
        ],
        _meta: { a: 1 },
        other: true,
      };
      const { adapter } = await connected({ tools: [{ name: "t", call: () => raw }] });
      const result = await adapter.invoke("t");
      expect(result).toMatchObject({ success: true, data: raw, content: raw.content });
    });

    it("an answer that breaks the output schema is kept, with a warning", async () => {
      const outputSchema = {
        type: "object",
        properties: { n: { type: "number" } },
        required: ["n"],
      };
      const tool = (name: string, answer: object) => ({ name, outputSchema, call: () => answer });
      const { adapter } = await connected({
        tools: [
          tool("wrong", { content: [], structuredContent: { n: "x" } }),
          tool("missing", { content: [{ type: "text", text: "hi" }] }),
          tool("right", { content: [], structuredContent: { n: 1 } }),
          tool("failed", { isError: true, content: [], structuredContent: { code: "LOCKED" } }),
        ],
      });
      const warned = { success: true, warnings: [{ code: "output_schema" }] };
      expect(await adapter.invoke("wrong")).toMatchObject({
        ...warned,
        structuredContent: { n: "x" },
      });
      expect(await adapter.invoke("missing")).toMatchObject(warned);
      expect((await adapter.invoke("right")).warnings).toEqual([]);
      expect(await adapter.invoke("failed")).toMatchObject({
        errorCode: "server_error",
        ran: "yes",
        structuredContent: { code: "LOCKED" },
        warnings: [],
      });
    });

    it("an output schema that cannot be used costs only the check", async () => {
      const { adapter } = await connected({
        tools: [
          {
            name: "t",
            outputSchema: { $ref: "https://example.com/schema.json" },
            call: () => ({ content: [], structuredContent: { n: 1 } }),
          },
        ],
      });
      const result = await adapter.invoke("t");
      expect(result).toMatchObject({ success: true, structuredContent: { n: 1 } });
      expect([...adapter.discovery.warnings, ...result.warnings].map(({ code }) => code)).toContain(
        "output_schema",
      );
    });

    it("is not cut at all by default", async () => {
      const text = "é".repeat(3_000_000);
      const call = () => ({ content: [{ type: "text", text }] });
      const { adapter } = await connected({ tools: [{ name: "t", call }] });
      expect(await adapter.invoke("t")).toMatchObject({ content: [{ text }], warnings: [] });
    });

    it("maxResultBytes cuts text to head and tail and leaves the rest whole", async () => {
      const text = `head ${"é".repeat(500)} tail`;
      const image = { type: "image", data: "A".repeat(400), mimeType: "image/png" };
      const raw = { content: [{ type: "text", text }, image], structuredContent: { text } };
      const { adapter } = await connected(
        { tools: [{ name: "t", call: () => raw }] },
        { maxResultBytes: 101 },
      );
      const result = await adapter.invoke("t");
      const [cut, same] = result.content as [{ text: string }, object];
      expect(cut.text).toMatch(/^head é+\n\[… \d+ bytes cut …\]\né+ tail$/);
      expect(
        new TextEncoder().encode(cut.text.replace(/\n\[.*\]\n/, "")).length,
      ).toBeLessThanOrEqual(101);
      expect(same).toEqual(image);
      expect(result).toMatchObject({ data: raw, structuredContent: { text } });
      expect(result.warnings).toMatchObject([{ code: "truncated", path: "/content/0/text" }]);
    });
  });

  describe("tools that cannot be called", () => {
    it("one whose schema gives out at its first use is set aside, the others work", async () => {
      const { adapter, server } = await connected(
        {
          tools: [
            { ...addTool, name: "broken", inputSchema: { type: "object", $id: "b" } },
            addTool,
          ],
        },
        {
          compileSchema: (schema) => ({
            validate() {
              if (!JSON.stringify(schema).includes('"$id"')) return { ok: true };
              throw Object.assign(new Error("no code for it"), {
                code: "uncompilable",
                path: "/x",
              });
            },
          }),
        },
      );
      const unusable = { errorCode: "schema", error: expect.stringContaining("is set aside") };
      expect(await adapter.invoke("broken", {})).toMatchObject(unusable);
      expect(await adapter.invoke("broken", {})).toMatchObject(unusable);
      expect(adapter.discovery.quarantined).toEqual([
        { name: "broken", code: "uncompilable", path: "/inputSchema/x", message: "no code for it" },
      ]);
      expect((await adapter.invoke("add", { a: 1, b: 2 })).success).toBe(true);
      expect(calls(server)).toHaveLength(1);
    });

    it("one with an unusable schema is set aside, the others work", async () => {
      const { adapter, events } = await connected({
        tools: [
          { name: "bad", inputSchema: { $ref: "https://example.com/schema.json" } },
          { name: "worse", inputSchema: "text" },
          { name: "" },
          addTool,
          { ...addTool, description: "a second one" },
        ],
      });
      expect((await adapter.discoverTools()).map(({ name }) => name)).toContain("add");
      expect(await adapter.invoke("worse")).toMatchObject({ errorCode: "schema", ran: "no" });
      const bad = await adapter.invoke("bad");
      expect(bad).toMatchObject({ errorCode: "schema", ran: "no" });
      expect(bad.error).toContain("validation");
      expect((await adapter.invoke("add", { a: 1, b: 1 })).success).toBe(true);
      const setAside = adapter.discovery.quarantined;
      expect(setAside.map(({ name }) => name).sort()).toEqual(
        ["add", "bad", "worse", undefined].sort(),
      );
      expect(events.filter(({ type }) => type === "tool.quarantined")).toHaveLength(
        setAside.length,
      );
      expect(adapter.tools.map(({ name }) => name)).toEqual(["add"]);
    });

    it("one that runs only as a task is unsupported and not sent", async () => {
      const { adapter, server } = await connected({
        tools: [{ name: "t", execution: { taskSupport: "required" } }],
      });
      expect(await adapter.invoke("t")).toMatchObject({ errorCode: "unsupported", ran: "no" });
      expect(calls(server)).toHaveLength(0);
    });
  });

  describe("maxConcurrency", () => {
    it("runs calls in the order they came, and refuses what does not fit the queue", async () => {
      const order: string[] = [];
      let running = 0;
      let most = 0;
      const { adapter } = await connected(
        {
          tools: [
            {
              name: "t",
              call: async ({ id }) => {
                order.push(String(id));
                running += 1;
                most = Math.max(most, running);
                await new Promise((resolve) => setTimeout(resolve, 10));
                running -= 1;
                return { content: [] };
              },
            },
          ],
        },
        { maxConcurrency: 2, maxQueue: 4 },
      );
      await adapter.discoverTools();
      const results = await Promise.all(
        ["a", "b", "c", "d", "e", "f", "g"].map((id) => adapter.invoke("t", { id })),
      );
      expect(order).toEqual(["a", "b", "c", "d", "e", "f"]);
      expect(most).toBe(2);
      expect(results.map(({ errorCode }) => errorCode)).toEqual([
        ...Array.from({ length: 6 }, () => null),
        "overloaded",
      ]);
    });

    it("a call that is cancelled while it waits gives up its place", async () => {
      const { adapter, server } = await connected(
        {
          tools: [
            { name: "hold", call: () => new Promise((r) => setTimeout(r, 300, {})) },
            addTool,
          ],
        },
        { maxConcurrency: 1 },
      );
      await adapter.discoverTools();
      const first = adapter.invoke("hold");
      const waiting = adapter.invoke("add", { a: 1, b: 1 }, { signal: AbortSignal.timeout(10) });
      const next = adapter.invoke("add", { a: 2, b: 2 });
      expect(await waiting).toMatchObject({ errorCode: "cancelled", ran: "no" });
      expect((await first).success).toBe(true);
      expect((await next).success).toBe(true);
      expect(calls(server)).toHaveLength(2);
    });

    it("disconnect cancels waiting calls; those sent have an unknown outcome", async () => {
      const { adapter, server } = await connected(
        { tools: [{ name: "hold", call: never }, addTool] },
        { maxConcurrency: 1 },
      );
      await adapter.discoverTools();
      const sent = adapter.invoke("hold");
      const waiting = adapter.invoke("add", { a: 1, b: 1 });
      await new Promise((resolve) => setTimeout(resolve, 10));
      await adapter.disconnect();
      expect(await sent).toMatchObject({ errorCode: "outcome_unknown", ran: "unknown" });
      expect(await waiting).toMatchObject({ errorCode: "cancelled", ran: "no" });
      expect(calls(server)).toHaveLength(1);
    });
  });
});
