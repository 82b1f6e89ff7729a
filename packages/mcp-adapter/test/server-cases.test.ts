import type { MCPServerConfig } from "@x/mcp-transport";
import { type CaseServer, caseServer } from "@x/test-servers";
import { ToolRegistry } from "@x/tool-registry";
import { describe, expect, it, type TestContext } from "vitest";
import type { MCPToolAdapter, MCPToolResult } from "../src/index.ts";
import { adapterOver, engines } from "./engine-adapter.ts";

/** Misbehaving servers from public bug reports, end to end: what the user of an adapter sees. */

const text = (result: MCPToolResult) =>
  result.content.map((block) => ("text" in block ? block.text : "")).join("");

const alive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

// Most of them wait, so they wait together.
describe.concurrent.each(engines)("over engine %s", (engine) => {
  function reach({ onTestFinished }: TestContext, config: MCPServerConfig): MCPToolAdapter {
    const adapter = adapterOver(engine, config);
    onTestFinished(() => adapter.disconnect());
    return adapter;
  }

  function stdio(
    context: TestContext,
    name: string,
    limits: object = {},
  ): { adapter: MCPToolAdapter; server: CaseServer } {
    const server = caseServer(name);
    context.onTestFinished(() => server.stop());
    return { adapter: reach(context, { name, ...server.command, ...limits }), server };
  }

  async function http(context: TestContext, name: string, transport?: "streamable-http") {
    const server = caseServer(name);
    context.onTestFinished(() => server.stop());
    const url = await server.listen();
    const adapter = reach(context, { name, url, ...(transport && { transport }) });
    const log = async (): Promise<{ http: string; m?: { method?: string } }[]> =>
      JSON.parse(await (await fetch(`${new URL(url).origin}/__log`)).text());
    return { adapter, server, log };
  }

  it.for([
    ["banner-lines", "tide", "high"],
    ["slow-start", "a", "late but fine"],
    ["stderr-flood", "noisy", "survived"],
    ["stderr-binary", "a", ""],
    ["utf8-split", "say", "≤ café 日本 🚢 fin"],
    ["crlf", "a", "crlf ok"],
    ["string-id", "a", "id was a string"],
    ["ping-before-reply", "a", "pong ok"],
    ["arguments-required", "pages", "args {}"],
  ] as const)("%s: %s answers", async ([name, tool, answer], context) => {
    const { adapter } = stdio(context, name);
    await adapter.connect();
    const result = await adapter.invoke(tool);
    expect(result).toMatchObject({ success: true });
    expect(text(result)).toContain(answer);
  });

  it("silent-init: the deadline ends the connect, and the child is gone", async (context) => {
    const { adapter, server } = stdio(context, "silent-init", { connectTimeoutMs: 3_000 });
    await expect(adapter.connect()).rejects.toMatchObject({
      code: "timeout",
      message: expect.stringContaining("silent-init"),
    });
    const pids = server.notes.map(({ pid }) => pid);
    expect(pids.length).toBeGreaterThan(0);
    await expect.poll(() => pids.filter(alive), { timeout: 5_000 }).toEqual([]);
  });

  it("dies-in-call: the call ends at once and is not repeated, the next one restarts the server", async (context) => {
    const { adapter, server } = stdio(context, "dies-in-call");
    await adapter.connect();
    const result = await adapter.invoke("boom", {}, { timeoutMs: 15_000 });
    expect(result).toMatchObject({ errorCode: "outcome_unknown", ran: "unknown" });
    expect(result.durationMs).toBeLessThan(10_000);
    const booms = () => server.notes.filter((note) => JSON.stringify(note).includes('"boom"'));
    expect(booms()).toHaveLength(1);
    expect((await adapter.invoke("fine")).success).toBe(true);
    expect(booms()).toHaveLength(1);
  });

  it("cursor-stuck: the list ends, each tool once, with a warning", async (context) => {
    const { adapter, server } = stdio(context, "cursor-stuck");
    await adapter.connect();
    expect((await adapter.discoverTools()).map(({ name }) => name)).toEqual(["a", "b"]);
    expect(adapter.discovery.warnings.map(({ code }) => code)).toContain("cursor_cycle");
    const lists = server.notes.filter((note) => JSON.stringify(note).includes("tools/list"));
    expect(lists.length).toBeLessThan(5);
  });

  it("page2-error: half a list is no list", async (context) => {
    const { adapter } = stdio(context, "page2-error");
    await adapter.connect();
    await expect(adapter.discoverTools()).rejects.toThrow("catalogue offline");
    expect(adapter.tools).toEqual([]);
  });

  it("duplicate-in-page: the first of two wins, and the other is named", async (context) => {
    const { adapter } = stdio(context, "duplicate-in-page");
    await adapter.connect();
    const names = (await adapter.discoverTools()).map(({ name }) => name);
    expect(names.filter((name) => name === "find")).toHaveLength(1);
    expect(adapter.discovery.quarantined).toMatchObject([{ name: "find", code: "duplicate_name" }]);
    expect((await adapter.invoke("solo")).success).toBe(true);
  });

  it("bad-schemas-one-list: the good ones are validated, the bad ones named", async (context) => {
    const { adapter } = stdio(context, "bad-schemas-one-list");
    await adapter.connect();
    await adapter.discoverTools();
    expect((await adapter.invoke("good_a", { x: 1 })).success).toBe(true);
    expect((await adapter.invoke("good_b", { x: "1" })).errorCode).toBe("validation");
    expect((await adapter.invoke("only_dialect", { any: 1 })).success).toBe(true);
    const warned = JSON.stringify(adapter.discovery.warnings);
    expect(warned).toContain("no_schema");
    expect(warned).toContain("null_schema");
  });

  it("outputschema-regex: an output schema that cannot be used costs only the check", async (context) => {
    const { adapter } = stdio(context, "outputschema-regex");
    await adapter.connect();
    expect((await adapter.invoke("plain")).success).toBe(true);
    const odd = await adapter.invoke("odd");
    expect(odd.success).toBe(true);
    const warnings = [...adapter.discovery.warnings, ...odd.warnings];
    expect(warnings.map(({ code }) => code)).toContain("output_schema");
  });

  it("outputschema-text-only: the text reaches the caller, with a warning", async (context) => {
    const { adapter } = stdio(context, "outputschema-text-only");
    await adapter.connect();
    await adapter.discoverTools();
    const result = await adapter.invoke("report");
    expect(result).toMatchObject({ success: true, warnings: [{ code: "output_schema" }] });
    expect(text(result)).toContain('{"rows":4}');
  });

  it("ignores-sigterm: disconnect ends it all the same, twice is harmless", async (context) => {
    const { adapter } = stdio(context, "ignores-sigterm");
    await adapter.connect();
    const pid = Number(text(await adapter.invoke("a")).match(/\d+/)?.[0]);
    expect(alive(pid)).toBe(true);
    await Promise.all([adapter.disconnect(), adapter.disconnect()]);
    expect(alive(pid)).toBe(false);
  });

  it("graceful-eof: the server may save before it is stopped", async (context) => {
    const { adapter, server } = stdio(context, "graceful-eof");
    await adapter.connect();
    expect((await adapter.invoke("a")).success).toBe(true);
    await adapter.disconnect();
    expect(server.notes.map(({ ev }) => ev)).toContain("saved");
  });

  it("progress-forever: progress does not outlast the total deadline", async (context) => {
    const { adapter } = stdio(context, "progress-forever", {
      requestTimeoutMs: 1_500,
      idleTimeoutMs: 700,
    });
    await adapter.connect();
    await adapter.discoverTools();
    const result = await adapter.invoke("spin");
    expect(result).toMatchObject({ errorCode: "timeout", ran: "unknown" });
    expect(result.durationMs).toBeGreaterThan(1_000);
    expect((await adapter.invoke("quick")).success).toBe(true);
  });

  it("list-changed: the registry follows, and a kept reference says that its tool is gone", async (context) => {
    const { adapter } = stdio(context, "list-changed");
    await adapter.connect();
    const registry = new ToolRegistry();
    await adapter.registerTools(registry, "ns");
    const old = registry.get("ns/old");
    expect((await registry.invoke("ns/grow", {})).success).toBe(true);
    await expect
      .poll(() => registry.list().map(({ id }) => id), { timeout: 5_000 })
      .toEqual(["ns/grow", "ns/late"]);
    expect((await registry.invoke("ns/late", {})).success).toBe(true);
    expect(await old?.invoke({})).toMatchObject({ errorCode: "no_longer_available", ran: "no" });
  });

  it("session-404: a new session, and the call once more", async (context) => {
    const { adapter, log } = await http(context, "session-404");
    await adapter.connect();
    expect(text(await adapter.invoke("count"))).toBe("count 1");
    await adapter.invoke("expire");
    expect(text(await adapter.invoke("count"))).toBe("count 2");
    expect(text(await adapter.invoke("count"))).toBe("count 3");
    const initializes = (await log()).filter(({ m }) => m?.method === "initialize");
    expect(initializes).toHaveLength(2);
  });

  it("get-404: the optional stream is optional", async (context) => {
    const { adapter, log } = await http(context, "get-404");
    await adapter.connect();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(text(await adapter.invoke("a"))).toBe("post works");
    expect((await log()).filter((request) => request.http === "GET").length).toBeLessThan(5);
  });

  it("sse-only: falls back unless the transport is named", async (context) => {
    const { adapter } = await http(context, "sse-only");
    await adapter.connect();
    expect(text(await adapter.invoke("a"))).toBe("over sse");
    const pinned = await http(context, "sse-only", "streamable-http");
    await expect(pinned.adapter.connect()).rejects.toThrow("405");
  });

  it("http-400-reason: the server's reason reaches the caller", async (context) => {
    const { adapter } = await http(context, "http-400-reason");
    await expect(adapter.connect()).rejects.toThrow("workspace not enabled");
  });

  it.for(["notify-200-null", "notify-204"])(
    "%s: answers to notifications are ignored",
    async (name, context) => {
      const { adapter } = await http(context, name);
      await adapter.connect();
      expect((await adapter.invoke("a")).success).toBe(true);
    },
  );

  it("sse-ends-early: the call ends with its stream and is not sent again", async (context) => {
    const { adapter, log } = await http(context, "sse-ends-early");
    await adapter.connect();
    const cut = await adapter.invoke("cut", {}, { timeoutMs: 15_000 });
    expect(cut).toMatchObject({ success: false, ran: "unknown" });
    expect(cut.durationMs).toBeLessThan(10_000);
    expect((await adapter.invoke("whole")).success).toBe(true);
    expect(
      (await log()).filter((request) => JSON.stringify(request).includes('"cut"')),
    ).toHaveLength(1);
  });

  it("error-structured: the tool's error, not a complaint about its schema", async (context) => {
    const { adapter } = stdio(context, "error-structured");
    await adapter.connect();
    await adapter.discoverTools();
    const result = await adapter.invoke("rows");
    expect(result.errorCode).toBe("server_error");
    expect(result.error).toContain("ledger is locked");
  });

  it("lists-not-found: refused lists are empty", async (context) => {
    const { adapter } = stdio(context, "lists-not-found");
    await adapter.connect();
    expect((await adapter.listResources()).resources).toEqual([]);
    expect((await adapter.listPrompts()).prompts).toEqual([]);
    expect((await adapter.invoke("a")).success).toBe(true);
  });

  it("prompt-mixed: all messages, no tools needed", async (context) => {
    const { adapter } = stdio(context, "prompt-mixed");
    await adapter.connect();
    expect(await adapter.discoverTools()).toEqual([]);
    const { messages } = await adapter.getPrompt("daily");
    expect(messages).toHaveLength(4);
    expect(JSON.stringify(messages)).toContain("buoy 4 is loose");
  });

  it("version-future: refused at once, naming the version; the child is gone", async (context) => {
    const { adapter, server } = stdio(context, "version-future");
    await expect(adapter.connect()).rejects.toThrow("2099-01-01");
    const pids = server.notes.map(({ pid }) => pid);
    await expect.poll(() => pids.filter(alive), { timeout: 5_000 }).toEqual([]);
  });

  it("out-of-order: each caller gets its own answer", async (context) => {
    const { adapter } = stdio(context, "out-of-order");
    await adapter.connect();
    const results = await Promise.all(
      [1, 2, 3].map((n) => adapter.invoke("t", { n }, { timeoutMs: 15_000 })),
    );
    expect(results.map(text).map((answer) => answer.match(/\d/)?.[0])).toEqual(["1", "2", "3"]);
  });

  it("template-slash: the parameter is encoded, and all contents come back", async (context) => {
    const { adapter } = stdio(context, "template-slash");
    await adapter.connect();
    const { resourceTemplates } = await adapter.listResourceTemplates();
    const uriTemplate = resourceTemplates.find(({ name }) => name === "page")?.uriTemplate ?? "";
    const { contents } = await adapter.readResource({ uriTemplate, params: { name: "a/b c" } });
    expect(contents).toHaveLength(3);
    expect(JSON.stringify(contents)).toContain("doc://shelf/a%2Fb%20c/page");
  });

  it("cancel-on-timeout: the server is told", async (context) => {
    const { adapter } = stdio(context, "cancel-on-timeout");
    await adapter.connect();
    await adapter.discoverTools();
    expect((await adapter.invoke("nap", {}, { timeoutMs: 500 })).errorCode).toBe("timeout");
    expect(text(await adapter.invoke("report"))).toContain("cancelled true");
  });

  it("slow-list: the connect deadline does not cover the listing", async (context) => {
    const { adapter } = stdio(context, "slow-list", { connectTimeoutMs: 2_400 });
    await adapter.connect();
    expect(await adapter.discoverTools()).toHaveLength(60);
  });
});
