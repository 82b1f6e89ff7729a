import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  ElicitRequestSchema,
  ErrorCode,
  ListRootsRequestSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";
import {
  type ServiceOptions,
  startTestServer,
  stdioTestServer,
  type TestTool,
} from "../src/index.ts";
import { closing, stopping } from "./support/opened.ts";
import { until, within } from "./support/within.ts";

/** What a client complains about until it is closed, notably answers that break the SDK's schemas. */
let complaints: Error[] = [];

interface Connected {
  readonly client: Client;
  readonly server: Awaited<ReturnType<typeof startTestServer>> | ReturnType<typeof stdioTestServer>;
}

interface Options extends ServiceOptions {
  readonly tools?: readonly TestTool[];
}

type Connect = (options?: Options) => Promise<Connected>;

async function clientOver(transport: Transport): Promise<Client> {
  const client = new Client(
    { name: "sdk", version: "1" },
    { capabilities: { elicitation: {}, roots: {} } },
  );
  const heard: Error[] = [];
  complaints = heard;
  client.onerror = (error) => heard.push(error);
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
    action: "accept",
    content: { answer: `yes, ${params.message}` },
  }));
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: "file:///work" }] }));
  await within(client.connect(transport), "connect");
  return closing(client);
}

function overHttp(answers: "stream" | "json"): Connect {
  return async (options = {}) => {
    const server = stopping(await startTestServer({ ...options, answers }));
    const client = await clientOver(new StreamableHTTPClientTransport(new URL(server.url)));
    await until(() => server.sessions.some(({ listeners }) => listeners === 1), "the GET stream");
    return { client, server };
  };
}

const overSse: Connect = async (options = {}) => {
  const server = stopping(await startTestServer(options));
  return { client: await clientOver(new SSEClientTransport(new URL(server.sseUrl))), server };
};

const overStdio: Connect = async (options = {}) => {
  const server = stopping(stdioTestServer(options));
  return { client: await clientOver(new StdioClientTransport(server)), server };
};

const ways: readonly (readonly [string, Connect])[] = [
  ["stdio", overStdio],
  ["streamable HTTP, answers on streams", overHttp("stream")],
  ["streamable HTTP, answers as JSON", overHttp("json")],
  ["legacy HTTP+SSE", overSse],
];

const builtIn = ["effect", "read", "echo", "slow", "ask", "fail", "structured", "image"];

describe.each(ways)("the official client over %s", (way, connect) => {
  it("finds a sound server: every feature once, no complaint", async () => {
    const { client, server } = await connect({ pageSize: 3, instructions: "Be kind." });

    expect(client.getServerVersion()).toEqual({ name: "mcp-testkit", version: "1" });
    expect(client.getInstructions()).toBe("Be kind.");
    expect(client.getServerCapabilities()).toEqual({
      tools: { listChanged: true },
      resources: {},
      prompts: {},
    });
    expect(await client.ping()).toEqual({});

    const names: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await client.listTools(cursor === undefined ? {} : { cursor });
      names.push(...page.tools.map(({ name }) => name));
      cursor = page.nextCursor;
      pages += 1;
    } while (cursor !== undefined);
    expect(names).toEqual(builtIn);
    expect(pages).toBe(3);

    const call = (name: string, args = {}) => client.callTool({ name, arguments: args });
    expect(await call("effect", { id: "a" })).toMatchObject({ structuredContent: { id: "a" } });
    expect(await call("read", { id: "b" })).toEqual({
      content: [{ type: "text", text: "value of b" }],
    });
    expect(await call("echo", { deep: [1, { x: "é😀" }], n: null })).toMatchObject({
      structuredContent: { deep: [1, { x: "é😀" }], n: null },
    });
    expect(await call("fail", { message: "no luck" })).toEqual({
      content: [{ type: "text", text: "no luck" }],
      structuredContent: { reason: "no luck" },
      isError: true,
    });
    expect(await call("structured", { city: "Rom" })).toMatchObject({
      structuredContent: { city: "Rom", degrees: 21.5 },
    });
    expect(await call("image")).toMatchObject({
      content: [{ type: "text" }, { type: "image", mimeType: "image/png" }],
    });
    await expect(call("nobody")).rejects.toMatchObject({
      code: ErrorCode.InvalidParams,
      message: expect.stringContaining("Unknown tool: nobody"),
    });
    expect(await call("effect")).toMatchObject({ isError: true });

    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      "test://text",
      "test://binary",
      "test://both",
    ]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toEqual([
      { uriTemplate: "test://item/{id}", name: "item", mimeType: "text/plain" },
    ]);
    const { contents } = await client.readResource({ uri: "test://both" });
    expect(contents).toMatchObject([{ text: "grüße" }, { blob: "AAEC/w==" }]);
    expect(await client.readResource({ uri: "test://item/a%2Fb%20c" })).toMatchObject({
      contents: [{ text: "item a/b c" }],
    });
    await expect(client.readResource({ uri: "test://none" })).rejects.toMatchObject({
      code: -32002,
      data: { uri: "test://none" },
    });

    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["plain", "greet", "mixed"]);
    const greeting = await client.getPrompt({ name: "greet", arguments: { name: "Ada" } });
    expect(greeting.messages).toEqual([
      { role: "user", content: { type: "text", text: "Greet Ada." } },
    ]);
    expect((await client.getPrompt({ name: "mixed" })).messages.map(({ role }) => role)).toEqual([
      "user",
      "user",
      "assistant",
    ]);
    await expect(client.getPrompt({ name: "greet" })).rejects.toMatchObject({ code: -32602 });

    expect(Object.fromEntries(server.effects)).toEqual({ a: 1 });
    expect(Object.fromEntries(server.runs)).toEqual({
      ...{ effect: 2, read: 1, echo: 1, fail: 1, structured: 1, image: 1 },
    });
    await until(() => server.calls.every(({ answered }) => answered), "all answered");
    expect(complaints).toEqual([]);
  });

  it("is told of progress, of list changes, and asked by the server", async () => {
    const { client, server } = await connect();
    const progress: unknown[] = [];
    const slow = await client.callTool(
      { name: "slow", arguments: { ms: 150, steps: 3 } },
      undefined,
      { onprogress: (report) => progress.push(report) },
    );
    expect(slow.content).toEqual([{ type: "text", text: "slept 150 ms" }]);
    // The SDK loses reports that come in one piece with the answer.
    expect(progress[0]).toEqual({ progress: 1, total: 3, message: "step 1" });
    complaints.length = 0;

    let changes = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      changes += 1;
    });
    server.setTools([
      { listed: { name: "late", inputSchema: { type: "object" } }, result: { content: [] } },
      { listed: { name: "echo", description: "other", inputSchema: { type: "object" } } },
    ]);
    await until(() => changes === 1, "list_changed");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...builtIn.filter((name) => name !== "echo"),
      "late",
      "echo",
    ]);
    expect(await client.callTool({ name: "late" })).toEqual({ content: [] });

    const elicit = { message: "sure?", requestedSchema: { type: "object", properties: {} } };
    const ask = (method: string, params = {}) =>
      client.callTool({ name: "ask", arguments: { method, params } });
    expect(await ask("elicitation/create", elicit)).toMatchObject({
      content: [{ text: '{"action":"accept","content":{"answer":"yes, sure?"}}' }],
    });
    expect(await ask("roots/list")).toMatchObject({
      content: [{ text: '{"roots":[{"uri":"file:///work"}]}' }],
    });
    expect(await ask("ping")).toMatchObject({ content: [{ text: "{}" }] });
    expect(await ask("no/such")).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("-32601") }],
    });
    expect(complaints).toEqual([]);
  });

  it("cancels a call, and the server stops it and stays usable", async () => {
    const { client, server } = await connect();
    const abort = new AbortController();
    const call = client.callTool(
      { name: "effect", arguments: { id: "x", ms: 20_000 } },
      undefined,
      {
        signal: abort.signal,
      },
    );
    await until(() => server.effects.get("x") === 1, "the side effect");
    abort.abort("enough");
    await expect(call).rejects.toThrow("enough");
    await until(() => server.cancelled.length === 1, "the cancellation");
    expect(server.cancelled).toEqual([
      { id: server.calls[0]?.id, reason: expect.stringContaining("enough"), running: true },
    ]);
    expect(await client.callTool({ name: "read" })).toMatchObject({
      content: [{ text: "value of nothing" }],
    });
    await until(() => server.calls[1]?.answered === true, "the answer on record");
    expect(server.calls.map(({ tool, answered }) => [tool, answered])).toEqual([
      ["effect", false],
      ["read", true],
    ]);
  });

  it("gets the answers of many calls at once, each its own", async () => {
    const { client, server } = await connect();
    const ids = Array.from({ length: 40 }, (_, index) => `n${index}`);
    const answers = await Promise.all(
      ids.map((id) => client.callTool({ name: "effect", arguments: { id, ms: 5 } })),
    );
    expect(answers.map(({ structuredContent }) => structuredContent)).toEqual(
      ids.map((id) => ({ id })),
    );
    expect([...server.effects]).toEqual(expect.arrayContaining(ids.map((id) => [id, 1])));
    expect(server.effects.size).toBe(40);
  });

  it("sees only what is offered", async () => {
    const { client } = await connect({ offers: ["resources"], builtInTools: false });
    expect(client.getServerCapabilities()).toEqual({ resources: {} });
    await expect(client.listTools()).rejects.toMatchObject({ code: ErrorCode.MethodNotFound });
    await expect(client.listPrompts()).rejects.toMatchObject({ code: ErrorCode.MethodNotFound });
    expect((await client.listResources()).resources).toHaveLength(3);
    expect(way).not.toBe("");
  });
});

it("comes back for an answer whose stream was dropped, and the call runs once", async () => {
  const server = stopping(await startTestServer({ resumable: true }));
  const client = await clientOver(new StreamableHTTPClientTransport(new URL(server.url)));
  for (const when of ["before", "after"] as const) {
    server.faults.on({ fault: "drop-stream", when, tool: "effect", times: 1 });
    const call = client.callTool({ name: "effect", arguments: { id: when, ms: 100 } });
    expect(await within(call, "the resumed call")).toMatchObject({
      structuredContent: { id: when },
    });
  }
  expect(Object.fromEntries(server.effects)).toEqual({ before: 1, after: 1 });
  const resumed = server.requests.filter(({ headers }) => headers?.["last-event-id"] !== undefined);
  expect(resumed.map(({ verb }) => verb)).toEqual(["GET", "GET"]);
});

it("ends a session that the client terminates", async () => {
  const server = stopping(await startTestServer());
  const transport = new StreamableHTTPClientTransport(new URL(server.url));
  await clientOver(transport);
  expect(server.sessions).toHaveLength(1);
  await transport.terminateSession();
  expect(server.sessions).toEqual([]);
});
