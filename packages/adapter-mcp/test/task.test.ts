import { describe, expect, it } from "vitest";
import { callsOf } from "../src/calls.ts";
import { createEquipMCP, fromMCPTool, toClientFacade } from "../src/index.ts";
import { fakeClient, text } from "./fake-client.ts";
import { smallHost } from "./small-host.ts";

const target = { name: "t", isTask: true };
const created = { type: "taskCreated", task: { taskId: "1", status: "working" } };

function clientOver(tasks: Record<string, unknown>) {
  const { client, log } = fakeClient({
    getServerCapabilities: () => ({ tools: {} }),
    request: () => text("not as a task"),
  });
  return { client: Object.assign(client, { experimental: { tasks } }), log };
}

const streamOf = (messages: readonly unknown[]) =>
  async function* stream() {
    yield* messages;
  };

describe("a tool that runs only as a task", () => {
  it("is called with a task of its own", async () => {
    const given: unknown[] = [];
    const { client, log } = clientOver({
      async *callToolStream(...args: unknown[]) {
        given.push(...args);
        yield created;
        yield "noise";
        yield { type: "taskStatus", task: { taskId: "1", status: "completed" } };
        yield { type: "result", result: text("42") };
      },
    });
    const { signal } = new AbortController();
    expect(await callsOf(client).callTool(target, { a: 1 }, signal)).toEqual(text("42"));
    expect(given).toEqual([
      { name: "t", arguments: { a: 1 } },
      expect.anything(),
      { signal: expect.any(AbortSignal), task: {} },
    ]);
    expect(log).toEqual([]);
  });

  it("says why it failed as the server says it", async () => {
    const failed = { type: "taskStatus", task: { taskId: "1", status: "failed" } };
    const { client } = clientOver({
      callToolStream: streamOf([
        created,
        failed,
        { type: "error", error: new Error("Task 1 failed") },
      ]),
      getTaskResult: async (id: string) => ({ ...text(`task ${id}: disk full`), isError: true }),
    });
    const tool = { name: "t", execution: { taskSupport: "required" } };
    await expect(fromMCPTool(tool, client).handler({})).rejects.toThrow(
      "MCP tool error: task 1: disk full",
    );
  });

  it("throws the error of a request that created no task", async () => {
    const { client } = clientOver({
      callToolStream: streamOf([{ type: "error", error: new Error("quota") }]),
      getTaskResult: async () => text("never asked for"),
    });
    await expect(callsOf(client).callTool(target, {})).rejects.toThrow("quota");
  });

  it("keeps an answer that the SDK refuses by its output schema", async () => {
    const { client } = clientOver({
      async *callToolStream(_: unknown, schema: { parse(value: unknown): unknown }) {
        yield created;
        schema.parse(text("42"));
        yield { type: "error", error: new Error("does not match the output schema") };
      },
    });
    expect(await callsOf(client).callTool(target, {})).toEqual(text("42"));
  });

  it("is an error if it ends without a result", async () => {
    const { client } = clientOver({ callToolStream: streamOf([created]) });
    await expect(callsOf(client).callTool(target, {})).rejects.toMatchObject({
      code: "tool_error",
      toolName: "t",
    });
  });

  it.each([
    ["is told", async () => undefined],
    ["cannot be told", () => Promise.reject(new Error("closed"))],
  ])("is given up with the signal, and the server %s", async (_, answer) => {
    const cancelled: unknown[] = [];
    const controller = new AbortController();
    const { client } = clientOver({
      async *callToolStream() {
        yield created;
        setTimeout(() => controller.abort(new Error("enough")));
        await new Promise((resolve) => setTimeout(resolve, 30));
        yield { type: "result", result: text("too late") };
      },
      cancelTask: (id: string) => {
        cancelled.push(id);
        return answer();
      },
    });
    const call = callsOf(client).callTool(target, {}, controller.signal);
    await expect(call).rejects.toThrow("enough");
    expect(cancelled).toEqual(["1"]);
  });

  it.each([
    ["an SDK v1 client without tasks", {}, "no experimental.tasks"],
    ["one whose tasks have no stream", { experimental: { tasks: {} } }, "no experimental.tasks"],
    [
      "one whose stream is none",
      { experimental: { tasks: { callToolStream: () => undefined } } },
      "gives no messages",
    ],
    [
      "an SDK v2 client",
      { getNegotiatedProtocolVersion: () => "2025-11-25" },
      "SDK v2 has no tasks",
    ],
  ])("is a coded error on %s", async (_, marks, why) => {
    const { client, log } = fakeClient({
      getServerCapabilities: () => ({}),
      request: () => text("not as a task"),
    });
    const call = callsOf(Object.assign(client, marks)).callTool(target, {});
    await expect(call).rejects.toMatchObject({
      code: "unsupported",
      toolName: "t",
      message: expect.stringContaining(why),
    });
    expect(log).toEqual([]);
  });

  it.each([1, 2])("is a coded error on a foreign client of %i parameters", async (callTool) => {
    const { client, log } = fakeClient({}, { callTool });
    const call = callsOf(client).callTool(target, {});
    await expect(call).rejects.toMatchObject({ code: "unsupported" });
    expect(log).toEqual([]);
  });

  it("runs through a facade of this package", async () => {
    const { client } = clientOver({
      callToolStream: streamOf([created, { type: "result", result: text("42") }]),
    });
    const listed = { name: "t", inputSchema: {}, execution: { taskSupport: "required" } };
    const facade = toClientFacade(Object.assign(client, { listTools: async () => [listed] }));
    const equipMCP = createEquipMCP(smallHost());
    const { toolMap } = await equipMCP(facade, { clientId: "c" });
    expect(await toolMap["t"]?.handler({})).toBe("42");
  });

  it("is left to a client in the manner of adapter.client", async () => {
    const { client, log } = fakeClient({ getNegotiatedProtocolVersion: () => "2025-11-25" });
    expect(await callsOf(client).callTool(target, {})).toEqual(text("done"));
    expect(log).toHaveLength(1);
  });
});
