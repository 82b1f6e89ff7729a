import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { AnswerFaults } from "../src/faults/answer-faults.ts";
import type { ByteFaults } from "../src/faults/byte-faults.ts";
import type { ListFaults } from "../src/faults/list-faults.ts";
import type { JsonObject } from "../src/json-rpc.ts";
import { closing } from "./support/opened.ts";
import {
  answersTo,
  answerTo,
  ask,
  callTool,
  openers,
  request,
  type Wire,
  type WireOptions,
} from "./support/wire.ts";
import { until, within } from "./support/within.ts";

interface Exercise {
  readonly options?: WireOptions;
  /** Shows that the fault does what its sentence says. */
  show(wire: Wire): Promise<void>;
}

const effect = (wire: Wire, id: string) => callTool(wire, "effect", { id });
const text = (wire: Wire) => Buffer.concat(wire.chunks).toString();

/** The server still works: a ping is answered. */
async function works(wire: Wire): Promise<void> {
  expect(await ask(wire, "ping")).toMatchObject({ result: {} });
}

async function staysSilent(wire: Wire, id: unknown): Promise<void> {
  await sleep(40);
  expect(wire.received.filter((message) => message["id"] === id)).toEqual([]);
}

const answerExercises: Record<keyof AnswerFaults, Exercise> = {
  silence: {
    show: async (wire) => {
      wire.server.faults.on({ fault: "silence", tool: "effect", times: 1 });
      const before = effect(wire, "before");
      await staysSilent(wire, before);
      expect(wire.server.effects.has("before")).toBe(false);
      wire.server.faults.on({ fault: "silence", tool: "effect", when: "after", times: 1 });
      const after = effect(wire, "after");
      await until(() => wire.server.effects.get("after") === 1, "the effect");
      await staysSilent(wire, after);
      await works(wire);
    },
  },
  "half-open": {
    show: async (wire) => {
      const half = wire.server.faults.on({
        ...{ fault: "half-open", tool: "effect", when: "after", times: 1 },
      });
      const id = effect(wire, "x");
      await until(() => half.fired === 1, "the fault");
      expect(wire.server.effects.get("x")).toBe(1);
      const ping = request(wire, "ping");
      wire.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
      await staysSilent(wire, ping);
      await staysSilent(wire, id);
      expect(wire.isOpen()).toBe(true);
      expect(half.fired).toBe(1);
      expect(wire.server.cancelled).toEqual([]);
      expect(wire.server.requests.at(-1)?.method).toBe("notifications/cancelled");
      half.off();
      await works(wire);
    },
  },
  delay: {
    show: async (wire) => {
      const { faults, effects } = wire.server;
      for (const [when, ran] of [
        ["before", false],
        ["after", true],
      ] as const) {
        const delay = faults.on({ fault: "delay", ms: 60, tool: "effect", when, times: 1 });
        const id = effect(wire, when);
        await until(() => delay.fired === 1, "the delay");
        const start = performance.now();
        expect(effects.has(when)).toBe(ran);
        await answerTo(wire, id);
        expect(performance.now() - start).toBeGreaterThan(40);
        expect(effects.get(when)).toBe(1);
      }
    },
  },
  "endless-progress": {
    show: async (wire) => {
      const reports = () => wire.received.filter((m) => m["method"] === "notifications/progress");
      wire.server.faults.on({ fault: "endless-progress", tool: "read", everyMs: 2 });
      const id = callTool(wire, "read", {}, { progressToken: "t" });
      const silent = callTool(wire, "read");
      if (wire.isJson) await sleep(30);
      else await until(() => reports().length > 4, "progress");
      expect(reports().every(({ params }) => (params as JsonObject)["progressToken"] === "t")).toBe(
        true,
      );
      for (const requestId of [id, silent]) {
        wire.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
      }
      await until(() => wire.server.cancelled.length === 2, "the cancellations");
      await works(wire);
      const { length } = reports();
      await sleep(20);
      expect(reports()).toHaveLength(length);
      expect(wire.server.runs.size).toBe(0);
    },
  },
  "rpc-error": {
    show: async (wire) => {
      const error = { code: -32_042, message: "no", data: { why: [1] } };
      wire.server.faults.on({ fault: "rpc-error", tool: "effect", times: 1, ...error });
      expect(await answerTo(wire, effect(wire, "before"))).toMatchObject({ error });
      wire.server.faults.on({ fault: "rpc-error", tool: "effect", when: "after", times: 1 });
      const { error: plain } = await answerTo(wire, effect(wire, "after"));
      expect(plain).toEqual({ code: -32_000, message: "injected fault" });
      expect([...wire.server.effects]).toEqual([["after", 1]]);
    },
  },
  "malformed-result": {
    show: async (wire) => {
      for (const result of ["no object", 7, null, [], { content: "none" }]) {
        wire.server.faults.on({ fault: "malformed-result", result, tool: "read", times: 1 });
        expect((await answerTo(wire, callTool(wire, "read")))["result"]).toEqual(result);
      }
      wire.server.faults.on({ fault: "malformed-result", method: "no/such" });
      expect(await ask(wire, "no/such")).not.toHaveProperty("result");
    },
  },
  "empty-result": {
    show: async (wire) => {
      wire.server.faults.on({ fault: "empty-result", method: "tools/list", times: 1 });
      expect((await ask(wire, "tools/list"))["result"]).toEqual({});
    },
  },
  "wrong-version": {
    show: async (wire) => {
      wire.server.faults.on({ fault: "wrong-version" });
      expect((await ask(wire, "ping"))["result"]).toEqual({});
      expect(wire.server.faults.fired("wrong-version")).toBe(0);
    },
  },
  duplicate: {
    show: async (wire) => {
      wire.server.faults.on({ fault: "duplicate", tool: "effect" });
      const id = effect(wire, "x");
      await until(() => answersTo(wire, id).length === 2, "both answers");
      const [first, second] = answersTo(wire, id);
      expect(second).toEqual(first);
      expect(wire.server.effects.get("x")).toBe(1);
    },
  },
  "wrong-id": {
    show: async (wire) => {
      for (const id of [999_999_999, null, ["x"]]) {
        wire.server.faults.on({ fault: "wrong-id", id, tool: "read", times: 1 });
        const { length } = wire.received;
        callTool(wire, "read");
        await until(() => wire.received.length > length, "an answer");
        expect(wire.received.at(-1)).toMatchObject({ id, result: {} });
      }
    },
  },
  "string-id": {
    show: async (wire) => {
      wire.server.faults.on({ fault: "string-id", tool: "read", times: 1 });
      const id = callTool(wire, "read");
      await answerTo(wire, String(id));
      expect(answersTo(wire, id)).toEqual([]);
    },
  },
  "out-of-order": {
    show: async (wire) => {
      wire.server.faults.on({ fault: "out-of-order", count: 3, ms: 10_000, tool: "effect" });
      const ids = ["a", "b", "c"].map((id) => effect(wire, id));
      await Promise.all(ids.map((id) => answerTo(wire, id)));
      const runs = wire.server.calls.map(({ id }) => id);
      const order = wire.received.map(({ id }) => id).filter((id) => ids.some((one) => one === id));
      // Over HTTP each answer has a connection of its own: they leave in this order, but may race.
      if (wire.transport !== "http") expect(order).toEqual(runs.reverse());
      wire.server.faults.clear();
      wire.server.faults.on({ fault: "out-of-order", count: 3, ms: 30, tool: "effect" });
      await answerTo(wire, effect(wire, "alone"));
    },
  },
  huge: {
    show: async (wire) => {
      wire.server.faults.on({ fault: "huge", bytes: 400_000, tool: "read", times: 1 });
      const id = callTool(wire, "read");
      await until(() => text(wire).length > 400_000 && answersTo(wire, id).length > 0, "it");
      const { result } = await answerTo(wire, id);
      expect(result).toMatchObject({
        content: [{ type: "text" }],
        _meta: { padding: expect.stringMatching(/^x{400000}$/) },
      });
    },
  },
  "list-changed-storm": {
    show: async (wire) => {
      wire.server.faults.on({ fault: "list-changed-storm", count: 7, tool: "read", times: 1 });
      await answerTo(wire, callTool(wire, "read"));
      const storm = wire.received.filter((message) =>
        message["method"]?.toString().match(/changed/),
      );
      // An answer in one JSON body has no room for them, and nobody listens on the GET stream here.
      expect(storm).toHaveLength(wire.isJson ? 0 : 7);
    },
  },
  "server-ping": {
    show: async (wire) => {
      wire.server.faults.on({ fault: "server-ping", tool: "effect", times: 1 });
      const id = effect(wire, "x");
      if (wire.isJson) {
        // The question would need a GET stream; without one the request waits.
        await staysSilent(wire, id);
        expect(wire.server.effects.has("x")).toBe(false);
        return;
      }
      const pings = () => wire.received.filter((message) => message["method"] === "ping");
      await until(() => pings().length === 1, "the ping");
      await sleep(20);
      expect(wire.server.effects.has("x")).toBe(false);
      wire.send({ jsonrpc: "2.0", id: pings()[0]?.["id"], result: {} });
      await answerTo(wire, id);
      expect(wire.server.effects.get("x")).toBe(1);
    },
  },
  "ignore-cancelled": {
    show: async (wire) => {
      wire.server.faults.on({ fault: "ignore-cancelled", tool: "slow" });
      const cancel = (requestId: unknown) =>
        wire.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
      const id = callTool(wire, "slow", { ms: 200 });
      const other = callTool(wire, "effect", { id: "x", ms: 20_000 });
      await until(() => wire.server.calls.length === 2, "both runs");
      cancel(id);
      cancel(other);
      expect(await answerTo(wire, id)).toMatchObject({ result: { content: [{ type: "text" }] } });
      await until(() => wire.server.cancelled.length === 2, "both cancellations");
      await staysSilent(wire, other);
      expect(wire.server.cancelled.map(({ running }) => running)).toEqual([true, true]);
    },
  },
};

const byteExercises: Record<keyof ByteFaults, Exercise> = {
  garbage: {
    show: async (wire) => {
      wire.server.faults.on({
        fault: "garbage",
        lines: 2,
        text: "[info] {",
        tool: "read",
        times: 1,
      });
      const id = callTool(wire, "read");
      await until(() => text(wire).includes(`"id":${id}`), "the answer");
      const lines = text(wire).split("\n");
      const answer = lines.findIndex((line) => line.includes(`"id":${id}`));
      const before = lines.slice(0, answer).filter((line) => line.includes("[info] {"));
      expect(before).toHaveLength(2);
      expect(before.every((line) => line === "[info] {" || line === "data: [info] {")).toBe(true);
      if (!wire.isJson) expect(answersTo(wire, id)).toHaveLength(1);
    },
  },
  banner: {
    show: async (wire) => {
      wire.server.faults.on({ fault: "banner", text: "Ready. ", tool: "read", times: 1 });
      const id = callTool(wire, "read");
      await until(() => text(wire).includes(`"id":${id}`), "the answer");
      expect(text(wire)).toMatch(/^(data: )?Ready\. \{"jsonrpc"/m);
      expect(answersTo(wire, id)).toEqual([]);
    },
  },
  crlf: {
    show: async (wire) => {
      wire.server.faults.on({ fault: "crlf", tool: "read", times: 1 });
      const id = callTool(wire, "read");
      await answerTo(wire, id);
      const line = new RegExp(`"id":${id}[^\\r\\n]*\\r\\n`);
      expect(text(wire)).toMatch(line);
      if (wire.transport === "sse") expect(text(wire)).toMatch(/event: message\r\ndata: /);
      await works(wire);
    },
  },
  "split-utf8": {
    show: async (wire) => {
      wire.server.faults.on({ fault: "split-utf8", tool: "read", times: 1 });
      const answer = await answerTo(wire, callTool(wire, "read", { id: "é" }));
      expect(answer).toMatchObject({
        result: { content: [{ text: "value of é" }], _meta: { letters: "é€😀" } },
      });
      const whole = (chunk: Buffer) => Buffer.from(chunk.toString()).equals(chunk);
      expect(wire.chunks.filter((chunk) => !whole(chunk)).length).toBeGreaterThanOrEqual(4);
    },
  },
  truncated: {
    show: async (wire) => {
      wire.server.faults.on({ fault: "truncated", tool: "effect", times: 1 });
      const { length } = text(wire);
      const id = effect(wire, "x");
      await until(() => text(wire).slice(length).includes("\n"), "the line");
      if (wire.transport === "http") await until(() => !wire.isOpen(), "the end of the response");
      const [, json = ""] = /^(?:data: )?(\{.*)$/m.exec(text(wire).slice(length)) ?? [];
      expect(json).toContain('"jsonrpc"');
      expect(() => JSON.parse(json)).toThrow();
      expect(answersTo(wire, id)).toEqual([]);
      expect(wire.server.effects.get("x")).toBe(1);
      await works(wire);
    },
  },
  endless: {
    show: async (wire) => {
      wire.server.faults.on({ fault: "endless", tool: "effect", times: 1 });
      const { length } = text(wire);
      const id = effect(wire, "x");
      await until(() => text(wire).length - length > 300_000, "300 kB");
      expect(text(wire).slice(length)).toMatch(/x{262144}/);
      expect(
        text(wire)
          .slice(length)
          .replaceAll(/event:.*\n/g, ""),
      ).not.toMatch(/x\s/);
      expect(wire.isOpen()).toBe(true);
      expect(wire.server.effects.get("x")).toBe(1);
      wire.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
      await until(() => wire.server.cancelled.length === 1, "the cancellation");
      const now = text(wire).length;
      await sleep(30);
      expect(text(wire).length - now).toBeLessThan(200_000);
    },
  },
};

const names = (answer: JsonObject): unknown[] => {
  const { tools } = answer["result"] as { tools: { name?: unknown }[] };
  return tools.map((tool) => tool?.name);
};
const cursorOf = (answer: JsonObject) => (answer["result"] as JsonObject)["nextCursor"];

const listExercises: Record<keyof ListFaults, Exercise> = {
  "cursor-stuck": {
    options: { pageSize: 2 },
    show: async (wire) => {
      wire.server.faults.on({ fault: "cursor-stuck", method: "tools/list" });
      const first = await ask(wire, "tools/list");
      const cursor = cursorOf(first);
      const again = await ask(wire, "tools/list", { cursor });
      expect(cursor).toEqual(expect.any(String));
      expect(again["result"]).toEqual(first["result"]);
      expect(cursorOf(await ask(wire, "resources/list"))).not.toBe(cursor);
    },
  },
  "page-error": {
    show: async (wire) => {
      const fault = wire.server.faults.on({ fault: "page-error", times: 1 });
      const first = await ask(wire, "tools/list");
      expect(names(first)).toHaveLength(8);
      const cursor = cursorOf(first);
      expect(cursor).toEqual(expect.any(String));
      expect(await ask(wire, "tools/list", { cursor })).toMatchObject({
        error: { code: -32_603, message: "catalogue offline" },
      });
      expect(fault.fired).toBe(1);
      const healed = await ask(wire, "tools/list");
      expect(cursorOf(healed)).toBeUndefined();
      wire.server.faults.on({ fault: "page-error", page: 1, code: -1, method: "prompts/list" });
      expect(await ask(wire, "prompts/list")).toMatchObject({ error: { code: -1 } });
    },
  },
  "endless-pages": {
    show: async (wire) => {
      wire.server.faults.on({ fault: "endless-pages" });
      const seen = new Set<unknown>();
      let cursor: unknown;
      for (let page = 1; page <= 12; page += 1) {
        const answer = await ask(wire, "tools/list", cursor === undefined ? {} : { cursor });
        expect(names(answer)).toEqual([`page_${page}`]);
        cursor = cursorOf(answer);
        seen.add(cursor);
      }
      expect(seen.size).toBe(12);
    },
  },
  "duplicate-names": {
    show: async (wire) => {
      wire.server.faults.on({ fault: "duplicate-names", method: "tools/list" });
      const found = names(await ask(wire, "tools/list"));
      expect(found.filter((name) => name === "effect")).toHaveLength(2);
      expect(found).toHaveLength(9);
    },
  },
  "malformed-items": {
    show: async (wire) => {
      const fault = wire.server.faults.on({ fault: "malformed-items" });
      const found = names(await ask(wire, "tools/list"));
      expect(found).toHaveLength(15);
      expect(found).toEqual(expect.arrayContaining([undefined, 7, "no_schema", "", "effect"]));
      fault.off();
      wire.server.faults.on({ fault: "malformed-items", items: [{ name: "one" }] });
      expect(names(await ask(wire, "tools/list"))[0]).toBe("one");
    },
  },
};

describe.each(openers)("over %s", (_, open) => {
  it.concurrent.each(Object.entries({ ...answerExercises, ...byteExercises, ...listExercises }))(
    "%s does what its sentence says",
    async (_fault, { show, options }) => {
      const wire = await open(options);
      try {
        await within(show(wire), "the exercise", 15_000);
      } finally {
        await wire.close();
      }
    },
  );

  it("several faults act on one answer", async () => {
    const wire = closing(await open());
    wire.server.faults.on({ fault: "delay", ms: 5, tool: "read" });
    wire.server.faults.on({ fault: "string-id", tool: "read" });
    wire.server.faults.on({ fault: "huge", bytes: 10, tool: "read" });
    wire.server.faults.on({ fault: "split-utf8", tool: "read" });
    wire.server.faults.on({ fault: "duplicate", tool: "read" });
    const id = String(callTool(wire, "read"));
    await until(() => answersTo(wire, id).length === 2, "both answers");
    expect(answersTo(wire, id)[1]).toMatchObject({
      result: { _meta: { padding: "x".repeat(10), letters: "é€😀" } },
    });
  });

  it("acts on a batch as on one message", async () => {
    const wire = closing(await open({ version: "2025-03-26" }));
    wire.server.faults.on({ fault: "string-id", method: "ping", times: 1 });
    wire.server.faults.on({ fault: "silence", tool: "effect", when: "after" });
    wire.server.faults.on({ fault: "crlf", method: "ping" });
    const params = { name: "effect", arguments: { id: "x" } };
    wire.send([
      { jsonrpc: "2.0", id: 1, method: "ping" },
      { jsonrpc: "2.0", id: 2, method: "ping" },
      { jsonrpc: "2.0", id: 3, method: "tools/call", params },
    ]);
    await until(() => wire.server.effects.get("x") === 1, "the effect");
    wire.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 3 } });
    await until(() => answersTo(wire, 2).length === 1, "the batch");
    expect(answersTo(wire, "1")).toHaveLength(1);
    expect(answersTo(wire, 3)).toEqual([]);
    if (!wire.isJson) expect(text(wire)).toMatch(/\]\r\n/);
  });
});
