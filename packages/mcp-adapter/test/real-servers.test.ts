import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  everything,
  filesystem,
  memory,
  type RunningServer,
  startEverything,
} from "@x/test-servers";
import { ToolRegistry } from "@x/tool-registry";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MCPAdapterEvent, MCPToolAdapter } from "../src/index.ts";
import { adapterOver, engines } from "./engine-adapter.ts";

/** The official servers, as they come from npm. */

const alive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const transports = ["stdio", "sse", "streamable-http"] as const;

describe.each(engines.flatMap((engine) => transports.map((transport) => ({ engine, transport }))))(
  "server-everything over $transport, engine $engine",
  ({ engine, transport }) => {
    let http: RunningServer | undefined;
    let adapter: MCPToolAdapter;
    const events: MCPAdapterEvent[] = [];

    beforeAll(async () => {
      const options = {
        recovery: "manual",
        onEvent: (event: MCPAdapterEvent) => events.push(event),
      } as const;
      if (transport === "stdio") {
        adapter = adapterOver(engine, { name: "everything", ...everything() }, options);
      } else {
        http = await startEverything(transport === "sse" ? "sse" : "streamableHttp");
        adapter = adapterOver(engine, { name: "everything", transport, url: http.url }, options);
      }
      await adapter.connect();
    });
    afterAll(async () => {
      await adapter.disconnect();
      await http?.stop();
    });

    it("discovers, calls and registers", async () => {
      expect(adapter.server?.protocolVersion).toMatch(/^\d{4}-\d\d-\d\d$/);
      const tools = await adapter.discoverTools();
      expect(tools.length).toBeGreaterThan(8);
      expect(adapter.discovery.quarantined).toEqual([]);

      const text = await adapter.invoke("echo", { message: "hé\u2028llo" });
      expect(text).toMatchObject({
        success: true,
        content: [{ text: expect.stringContaining("hé\u2028llo") }],
      });
      const structured = await adapter.invoke("get-structured-content", { location: "Chicago" });
      expect(structured).toMatchObject({ success: true, warnings: [] });
      expect(structured.structuredContent).toHaveProperty("temperature");
      const image = await adapter.invoke("get-tiny-image");
      expect(image.content.map(({ type }) => type)).toContain("image");

      expect(await adapter.invoke("get-sum", { a: "2", b: 3 })).toMatchObject({
        errorCode: "validation",
        ran: "no",
      });
      const registry = new ToolRegistry();
      await adapter.registerTools(registry, "everything");
      expect(registry.size).toBe(tools.length);
      expect(await registry.invoke("everything/get-sum", { a: 2, b: 3 })).toMatchObject({
        success: true,
        content: [{ text: expect.stringContaining("5") }],
      });
    });

    it("tells progress, and ends a call at its deadline", async () => {
      const seen: number[] = [];
      const done = await adapter.invoke(
        "trigger-long-running-operation",
        { duration: 0.5, steps: 5 },
        { onProgress: ({ progress }) => seen.push(progress) },
      );
      expect(done.success).toBe(true);
      expect(seen.length).toBeGreaterThan(1);
      const late = await adapter.invoke(
        "trigger-long-running-operation",
        { duration: 30, steps: 2 },
        { timeoutMs: 300 },
      );
      expect(late).toMatchObject({ errorCode: "timeout", ran: "unknown" });
      expect(late.durationMs).toBeLessThan(5_000);
      expect((await adapter.invoke("echo", { message: "still here" })).success).toBe(true);
    });

    it("lists resources, templates and prompts, and reads them", async () => {
      const { resources, quarantined } = await adapter.listResources();
      expect(resources.length).toBeGreaterThan(0);
      expect(quarantined).toEqual([]);
      const [first] = resources;
      expect((await adapter.readResource(first?.uri ?? "")).contents).not.toHaveLength(0);
      expect((await adapter.listResourceTemplates()).resourceTemplates.length).toBeGreaterThan(0);
      const { prompts } = await adapter.listPrompts();
      const simple = prompts.find((prompt) => prompt.arguments.length === 0);
      expect((await adapter.getPrompt(simple?.name ?? "")).messages).not.toHaveLength(0);
    });

    it("reconnects, and what was registered works again", async () => {
      const registry = new ToolRegistry();
      await adapter.registerTools(registry, "everything");
      await adapter.reconnect({ timeoutMs: 15_000 });
      expect(adapter.state).toBe("ready");
      expect((await registry.invoke("everything/echo", { message: "again" })).success).toBe(true);
    });

    it("leaves nothing running", async () => {
      const pids = events.flatMap((event) =>
        event.type === "connect.end" && event.pid !== undefined ? [event.pid] : [],
      );
      expect(pids.length).toBe(transport === "stdio" ? 2 : 0);
      await adapter.disconnect();
      expect(pids.filter(alive)).toEqual([]);
    });
  },
);

describe.each(engines)("server-filesystem and server-memory, engine %s", (engine) => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mcp-adapter-"));
    await writeFile(join(folder, "notes.txt"), "one\ntwo\n");
  });
  afterAll(() => rm(folder, { recursive: true }));

  it("reads and writes files, and reports the server's own error", async () => {
    const adapter = adapterOver(
      engine,
      { name: "files", ...filesystem(folder) },
      { recovery: "manual" },
    );
    try {
      await adapter.connect();
      const path = join(folder, "notes.txt");
      expect((await adapter.invoke("read_text_file", { path, head: 1 })).content).toMatchObject([
        { type: "text", text: "one" },
      ]);
      const outside = await adapter.invoke("read_text_file", { path: "/etc/hostname" });
      expect(outside).toMatchObject({ errorCode: "server_error", ran: "yes" });
      expect(outside.error).toMatch(/server error: .*denied/i);
      expect((await adapter.invoke("read_text_file", { path: 7 })).errorCode).toBe("validation");
    } finally {
      await adapter.disconnect();
    }
  });

  it("keeps a graph, and refuses what does not fit before the server sees it", async () => {
    const adapter = adapterOver(
      engine,
      { name: "memory", ...memory(join(folder, "graph.json")) },
      { recovery: "manual" },
    );
    try {
      await adapter.connect();
      const entities = [{ name: "Ada", entityType: "person", observations: ["wrote a program"] }];
      expect((await adapter.invoke("create_entities", { entities })).success).toBe(true);
      expect(await adapter.invoke("search_nodes", { query: "Ada" })).toMatchObject({
        success: true,
        structuredContent: { entities: [{ name: "Ada" }] },
      });
      expect(
        (await adapter.invoke("create_entities", { entities: [{ name: "x" }] })).errorCode,
      ).toBe("validation");
    } finally {
      await adapter.disconnect();
    }
  });

  it("a killed server is down; reconnect brings it back with a new process", async () => {
    const pids: number[] = [];
    const adapter = adapterOver(
      engine,
      { name: "files", ...filesystem(folder) },
      {
        recovery: "manual",
        onEvent: (event) => {
          if (event.type === "connect.end" && event.pid !== undefined) pids.push(event.pid);
        },
      },
    );
    try {
      await adapter.connect();
      const [pid] = pids;
      process.kill(pid ?? 0, "SIGKILL");
      await expect.poll(() => adapter.state).toBe("down");
      await expect(adapter.invoke("list_allowed_directories")).rejects.toMatchObject({
        name: "MCPNotConnectedError",
      });
      await adapter.reconnect();
      expect((await adapter.invoke("list_allowed_directories")).success).toBe(true);
      expect(new Set(pids).size).toBe(2);
    } finally {
      await adapter.disconnect();
    }
    expect(pids.filter(alive)).toEqual([]);
  });
});
