import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { everything, filesystem, memory, startEverything } from "@x/test-servers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTransport, type MCPConnection, type MCPServerConfig } from "../src/index.ts";
import { temporaryFolder } from "./support/case-server.ts";
import { failure } from "./support/failure.ts";
import { isAlive } from "./support/processes.ts";

type Kind = "stdio" | "sse" | "streamable-http";

async function start(kind: Kind): Promise<{ config: MCPServerConfig; stop: () => Promise<void> }> {
  if (kind === "stdio") {
    return { config: { name: "everything", ...everything() }, stop: async () => {} };
  }
  const server = await startEverything(kind === "sse" ? "sse" : "streamableHttp");
  const config: MCPServerConfig = { name: "everything", url: server.url, transport: kind };
  return { config, stop: () => server.stop() };
}

function names(items: readonly unknown[]): unknown[] {
  return items.map((item) => (item as { name?: unknown }).name);
}

describe.each<[Kind, "v1" | "v2"]>([
  ["stdio", "v1"],
  ["sse", "v1"],
  ["streamable-http", "v1"],
  ["stdio", "v2"],
  ["sse", "v2"],
  ["streamable-http", "v2"],
])("server-everything over %s and engine %s", (kind, engine) => {
  let connection: MCPConnection;
  let stop: () => Promise<void>;
  let config: MCPServerConfig;

  beforeAll(async () => {
    ({ config, stop } = await start(kind));
    connection = await createTransport(config, { engine }).open({
      roots: [{ uri: "file:///tmp/root", name: "root" }],
      onElicit: async () => ({ action: "decline" }),
    });
  }, 30_000);

  afterAll(async () => {
    await connection.close();
    await stop();
  });

  it("says who it is", () => {
    expect(connection.info).toMatchObject({
      protocolVersion: "2025-11-25",
      era: "legacy",
      server: { name: expect.stringContaining("everything"), version: expect.any(String) },
      capabilities: { tools: { listChanged: true }, prompts: {}, resources: {} },
      instructions: expect.any(String),
    });
    expect(connection.info.pid !== undefined).toBe(kind === "stdio");
  });

  it("lists and calls tools", async () => {
    const { items } = await connection.listTools();
    expect(names(items)).toEqual(expect.arrayContaining(["echo", "get-sum", "get-tiny-image"]));
    expect(await connection.callTool("echo", { message: "hi" })).toEqual({
      content: [{ type: "text", text: "Echo: hi" }],
    });
    const image = await connection.callTool("get-tiny-image", {});
    expect(image["content"]).toEqual(
      expect.arrayContaining([expect.objectContaining({ type: "image", mimeType: "image/png" })]),
    );
    const structured = await connection.callTool("get-structured-content", { location: "Chicago" });
    expect(structured["structuredContent"]).toMatchObject({ temperature: expect.any(Number) });
  });

  it("lets a tool refuse: its answer is an answer", async () => {
    expect(await connection.callTool("get-sum", { a: "x" })).toMatchObject({ isError: true });
    expect(await connection.callTool("no-such-tool", {})).toMatchObject({ isError: true });
  });

  it("shows progress, and cancels what takes too long", async () => {
    const args = { duration: 0.4, steps: 2 };
    const seen: number[] = [];
    const onProgress = ({ progress }: { progress: number }) => seen.push(progress);
    const tool = "trigger-long-running-operation";
    await connection.callTool(tool, args, { onProgress });
    expect(seen).toEqual([1, 2]);
    const slow = { duration: 30, steps: 3 };
    expect(await failure(connection.callTool(tool, slow, { timeoutMs: 100 }))).toMatchObject({
      code: "timeout",
      delivery: "unknown",
    });
    expect(await connection.request("ping")).toEqual({});
  });

  it("lists and reads resources and templates", async () => {
    const { items } = await connection.listResources();
    const uri = String((items[0] as { uri?: unknown }).uri);
    const { contents } = await connection.readResource(uri);
    expect(contents).toMatchObject([{ uri }]);
    const templates = await connection.listResourceTemplates();
    expect(templates.items[0]).toMatchObject({ uriTemplate: expect.stringContaining("{") });
    expect(await failure(connection.readResource("demo://none"))).toMatchObject({ code: "rpc" });
  });

  it("lists and gets prompts", async () => {
    const { items } = await connection.listPrompts();
    expect(names(items)).toEqual(expect.arrayContaining(["simple-prompt", "args-prompt"]));
    const prompt = await connection.getPrompt("args-prompt", { city: "Oslo" });
    expect(JSON.stringify(prompt["messages"])).toContain("Oslo");
    expect(await connection.getPrompt("simple-prompt")).toHaveProperty("messages");
  });

  it("asks for roots and elicitation, and hears our answers", async () => {
    const { items } = await connection.listTools();
    expect(names(items)).toEqual(
      expect.arrayContaining(["get-roots-list", "trigger-elicitation-request"]),
    );
    expect(JSON.stringify(await connection.callTool("get-roots-list", {}))).toContain(
      "file:///tmp/root",
    );
    const asked = await connection.callTool("trigger-elicitation-request", {});
    expect(JSON.stringify(asked)).toContain("declined");
  });

  it("answers many calls at a time", async () => {
    const calls = Array.from({ length: 50 }, (_, n) =>
      connection.callTool("echo", { message: String(n) }),
    );
    const answers = await Promise.all(calls);
    expect(answers.map(({ content }) => (content as { text: string }[])[0]?.text)).toEqual(
      calls.map((_, n) => `Echo: ${n}`),
    );
  });

  it("can be connected to again, after close and beside another", async () => {
    const transport = createTransport(config, { engine });
    const [first, second] = await Promise.all([transport.open(), transport.open()]);
    await first.close();
    expect(await failure(first.listTools())).toMatchObject({
      code: "closed",
      delivery: "not_sent",
    });
    expect(await second.callTool("echo", { message: "still here" })).toBeTruthy();
    await second.close();
    const third = await transport.open();
    expect((await third.listTools()).items.length).toBeGreaterThan(5);
    await third.close();
    for (const { info } of [first, second, third]) {
      if (info.pid !== undefined) expect(isAlive(info.pid)).toBe(false);
    }
  });
});

describe.each(["v1", "v2"] as const)("over engine %s", (engine) => {
  describe.concurrent("other official servers over stdio", () => {
    it("server-filesystem reads and writes in its folder", async () => {
      const folder = temporaryFolder();
      writeFileSync(join(folder, "note.txt"), "≤ tide tables");
      const connection = await createTransport(
        { name: "files", ...filesystem(folder) },
        { engine },
      ).open();
      const read = await connection.callTool("read_text_file", { path: join(folder, "note.txt") });
      expect(JSON.stringify(read)).toContain("≤ tide tables");
      await connection.callTool("write_file", {
        path: join(folder, "new.txt"),
        content: "written",
      });
      expect(readFileSync(join(folder, "new.txt"), "utf8")).toBe("written");
      const outside = await connection.callTool("read_text_file", { path: "/etc/hostname" });
      expect(outside).toMatchObject({ isError: true });
      await connection.close();
      expect(isAlive(connection.info.pid ?? 0)).toBe(false);
    });

    it("server-filesystem without a folder says why it does not start", async () => {
      const { command, args } = filesystem("/no/such/folder/anywhere");
      const error = await failure(
        createTransport({ name: "files", command, args }, { engine }).open(),
      );
      expect(error).toMatchObject({ code: "exited", exitCode: 1 });
      // The folder is an argument, so even the server's own words do not show it.
      expect(error.stderrTail).toMatch(/Error/);
      expect(error.message).not.toContain("/no/such/folder/anywhere");
    });

    it("server-memory keeps a graph from one connection to the next", async () => {
      const transport = createTransport(
        {
          name: "memory",
          ...memory(join(temporaryFolder(), "graph.json")),
        },
        { engine },
      );
      const first = await transport.open();
      const entity = { name: "Ada", entityType: "person", observations: ["likes engines"] };
      await first.callTool("create_entities", { entities: [entity] });
      await first.close();
      const second = await transport.open();
      expect((await second.callTool("read_graph", {}))["structuredContent"]).toMatchObject({
        entities: [entity],
      });
      await second.close();
    });
  });
});
