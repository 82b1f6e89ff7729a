import { everything } from "@x/test-servers";
import { afterEach, describe, expect, it } from "vitest";
import type { MCPToolAdapter } from "../src/index.ts";
import { adapterOver, engines } from "./engine-adapter.ts";
import { connectedMock } from "./mock-adapter.ts";

const open: MCPToolAdapter[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((adapter) => adapter.disconnect()));
});

const tool = { name: "t", execution: { taskSupport: "required" } };
const capabilities = { tools: {}, tasks: { requests: { tools: { call: {} } } } };
const task = (status: string) => ({ taskId: "1", status, pollInterval: 20 });

describe("a tool that runs only as a task", () => {
  it("is created, watched and fetched", async () => {
    const statuses = ["working", "working", "completed"];
    const { adapter, server } = await connectedMock({
      tools: [tool],
      capabilities,
      handlers: {
        "tools/call": () => ({ task: task("working") }),
        "tasks/get": () => task(statuses.shift() ?? "completed"),
        "tasks/result": () => ({ content: [{ type: "text", text: "done" }] }),
      },
    });
    open.push(adapter);
    const result = await adapter.invoke("t", {});
    expect(result).toMatchObject({ success: true, content: [{ text: "done" }] });
    const methods = server.requests.map(({ method }) => method);
    expect(methods.filter((method) => method === "tools/call")).toHaveLength(1);
    expect(methods.filter((method) => method === "tasks/get")).toHaveLength(3);
    expect(server.requests.find(({ method }) => method === "tools/call")?.params).toMatchObject({
      name: "t",
      task: {},
    });
  });

  it("is cancelled on the server at the deadline", async () => {
    const { adapter, server } = await connectedMock({
      tools: [tool],
      capabilities,
      handlers: {
        "tools/call": () => ({ task: task("working") }),
        "tasks/get": () => task("working"),
        "tasks/cancel": () => task("cancelled"),
      },
    });
    open.push(adapter);
    await adapter.discoverTools();
    expect(await adapter.invoke("t", {}, { timeoutMs: 500 })).toMatchObject({
      errorCode: "timeout",
      ran: "unknown",
    });
    await expect
      .poll(() => server.requests.some(({ method }) => method === "tasks/cancel"))
      .toBe(true);
  });

  it("that the server does not create is a protocol error", async () => {
    const { adapter } = await connectedMock({
      tools: [tool],
      capabilities,
      handlers: { "tools/call": () => ({ content: [] }) },
    });
    open.push(adapter);
    expect(await adapter.invoke("t", {})).toMatchObject({ errorCode: "protocol", ran: "unknown" });
  });

  it("is unsupported where the server offers no tasks, and is not sent", async () => {
    const { adapter, server } = await connectedMock({ tools: [tool] });
    open.push(adapter);
    expect(await adapter.invoke("t")).toMatchObject({ errorCode: "unsupported", ran: "no" });
    expect(server.requests.map(({ method }) => method)).not.toContain("tools/call");
  });

  it.concurrent.for(engines)(
    "runs on server-everything over engine %s",
    async (engine, context) => {
      const adapter = adapterOver(engine, { name: "everything", ...everything() });
      context.onTestFinished(() => adapter.disconnect());
      await adapter.connect();
      const result = await adapter.invoke("simulate-research-query", { topic: "rivers" });
      expect(result).toMatchObject({ success: true });
      expect(JSON.stringify(result.content)).toContain("rivers");
    },
  );
});
