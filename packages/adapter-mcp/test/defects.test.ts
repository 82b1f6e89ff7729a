import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MCPToolAdapter } from "@x/mcp-adapter";
import { stdioTestServer } from "@x/mcp-testkit";
import { caseServer, everything, filesystem, memory } from "@x/test-servers";
import { compileSchema } from "@x/tool-schema";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { zodToJsonSchema } from "zod-to-json-schema";
import {
  type EquipMCPOptions,
  equipMCP,
  fromMCPTool,
  type MCPClientLike,
  type MCPKit,
  toClientFacade,
} from "../src/index.ts";
import { core } from "./host/core.ts";
import { inAgent, runCall, runCalls } from "./host/run.ts";
import { scriptedModel } from "./host/scripted-model.ts";
import { connect, connectV1, connectV2, sdks } from "./servers/clients.ts";
import { answering, listed, tool } from "./servers/listed.ts";
import { definitions, rareKinds, schemaKinds } from "./servers/schema-kinds.ts";
import { count, serve } from "./servers/testkit.ts";

vi.mock("@rejelly/core", async () => (await import("./host/core.ts")).core);

/** The 32 things that the adapter Rejelly has today was seen to do, or suspected of: what is right instead. */

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const quota = "disk quota exceeded on volume 7";
const modelName = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

const equip = <Client extends MCPClientLike>(
  client: Client,
  options: Partial<EquipMCPOptions> = {},
): Promise<MCPKit<Client>> => inAgent(() => equipMCP(client, { clientId: "client", ...options }));

/** A facade with one tool `t`, that notes how it is called. */
const facade = (answer: () => Promise<unknown>) => {
  const calls: unknown[][] = [];
  return {
    calls,
    listTools: async () => ({ tools: [listed("t")] }),
    callTool: async (name: string, args: Record<string, unknown>) => {
      calls.push([name, args]);
      return answer();
    },
  };
};

/** Everything fails while it is read, so that nothing of a failure can be told from a success. */
const failing = { fault: "rpc-error", message: quota } as const;

const folders: string[] = [];
const folder = async () => {
  const path = await mkdtemp(join(tmpdir(), "rows-"));
  folders.push(path);
  return path;
};
afterEach(async () => {
  for (const path of folders.splice(0)) await rm(path, { recursive: true, force: true });
});

describe.each(sdks)("with the %s client", (sdk) => {
  it("1: a failed call is one request", async () => {
    const server = await serve({
      tools: [tool("t")],
      faults: [{ ...failing, method: "tools/call" }],
    });
    await runCall(await connect(sdk, server), "t", { a: 1 });
    const calls = server.requests.filter(({ method }) => method === "tools/call");
    expect(calls.map(({ params }) => [params?.["name"], params?.["arguments"]])).toEqual([
      ["t", { a: 1 }],
    ]);
  });

  it("1: over stdio too, where a malformed second one is never answered", {
    timeout: 15_000,
  }, async () => {
    const server = stdioTestServer({
      builtInTools: false,
      tools: [tool("t")],
      faults: [{ ...failing, method: "tools/call" }],
    });
    onTestFinished(() => server.stop());
    const answer = await runCall(await connect(sdk, server), "t");
    expect(answer).toContain(quota);
    expect(server.requests.filter(({ method }) => method === "tools/call")).toHaveLength(1);
  });

  it("2: the model gets the error that the server gave", async () => {
    const server = await serve({
      tools: [tool("t")],
      faults: [{ ...failing, method: "tools/call" }],
    });
    expect(await runCall(await connect(sdk, server), "t")).toContain(quota);
  });

  it("2: a result against its output schema is told as such, or as the result it is", async () => {
    const outputSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
    const server = await serve({
      tools: [
        {
          listed: listed("t", { type: "object" }, { outputSchema }),
          result: { content: [{ type: "text", text: "saved" }], structuredContent: { n: "x" } },
        },
      ],
    });
    expect(await runCall(await connect(sdk, server), "t")).toMatch(/output schema|saved/i);
    expect(server.calls).toHaveLength(1);
  });

  it("2: a closed connection is told as such", async () => {
    const server = await serve({ tools: [tool("t")] });
    const client = await connect(sdk, server);
    const answer = await runCall(client, "t", {}, { meanwhile: () => client.close() });
    expect(answer).toMatch(/not connected|closed/i);
  });

  it("2: so is one that is lost in a call", async () => {
    const server = stdioTestServer({
      builtInTools: false,
      tools: [tool("t")],
      faults: [{ fault: "exit", code: 3, method: "tools/call" }],
    });
    onTestFinished(() => server.stop());
    expect(await runCall(await connect(sdk, server), "t")).toMatch(/connection closed/i);
  });

  it("4: an instrumenting Proxy changes nothing about it", async () => {
    const server = await serve({ tools: [tool("t")] });
    const client = await connect(sdk, server);
    const watched = core.instrument(client, { name: "mcp", ops: ["callTool", "listTools"] });
    expect(watched.callTool.length).toBe(0);
    expect(await runCall(watched, "t", { a: 1 })).not.toContain('"error":true');
    expect(server.calls.map((call) => call.arguments)).toEqual([{ a: 1 }]);
  });

  it.each([
    [
      "unsaid",
      { type: "object", properties: { a: { type: "string" } } },
      { a: "x", b: { c: [1] } },
    ],
    ["allowed", { type: "object", properties: {}, additionalProperties: true }, { b: null, 1: 2 }],
    [
      "a map and a free object",
      {
        type: "object",
        properties: {
          headers: { type: "object", additionalProperties: { type: "string" } },
          payload: { type: "object" },
        },
      },
      { headers: { accept: "*" }, payload: { deep: { er: [{}] } } },
    ],
    [
      "oneOf at the root",
      { type: "object", oneOf: [{ properties: { a: {} }, required: ["a"] }, { required: ["b"] }] },
      { b: 1, c: 2 },
    ],
    [
      "allOf and $ref at the root",
      { type: "object", allOf: [{ $ref: "#/$defs/point" }], $defs: definitions },
      { x: 1, y: 2 },
    ],
    ["a default that is not given", { type: "object", properties: { a: { default: 1 } } }, {}],
    ["no coercion", { type: "object", properties: { a: {} } }, { a: "1", b: "true" }],
    [
      "names of Object.prototype",
      { type: "object" },
      { constructor: 1, toString: { valueOf: 2 }, hasOwnProperty: null },
    ],
  ])("5: arguments arrive untouched: %s", async (_name, inputSchema, args) => {
    const server = await serve({ tools: [tool("t", inputSchema)] });
    await runCall(await connect(sdk, server), "t", args);
    expect(server.calls.map((call) => call.arguments)).toEqual([args]);
  });

  it("5: what a closed object does not take is refused, and the model is told", async () => {
    const closed = { type: "object", properties: { a: {} }, additionalProperties: false };
    const server = await serve({ tools: [tool("t", closed)] });
    const answer = await runCall(await connect(sdk, server), "t", { a: 1, extra: 2 });
    expect(answer).toMatch(/Invalid arguments for tool .*extra/);
    expect(server.calls).toEqual([]);
  });

  it("10: an error on a later page is the server's error, after as many requests as pages", async () => {
    const server = await serve({
      tools: [tool("a"), tool("b"), tool("c")],
      pageSize: 1,
      faults: [{ fault: "page-error", page: 2, method: "tools/list" }],
    });
    await expect(equip(await connect(sdk, server))).rejects.toThrow("catalogue offline");
    expect(count(server, "tools/list")).toBe(2);
  });

  it("10: so is one on the first page", async () => {
    const server = await serve({
      tools: [tool("a")],
      faults: [{ fault: "page-error", page: 1, method: "tools/list" }],
    });
    await expect(equip(await connect(sdk, server))).rejects.toThrow("catalogue offline");
    expect(count(server, "tools/list")).toBe(1);
  });

  it("11: a list that repeats itself ends", async () => {
    const server = await serve({
      tools: [tool("a"), tool("b")],
      faults: [{ fault: "cursor-stuck", method: "tools/list" }],
    });
    const kit = await equip(await connect(sdk, server));
    expect(kit.tools.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(count(server, "tools/list")).toBeLessThanOrEqual(3);
  });

  it("13: a server that has prompts only gives a kit without tools", async () => {
    const server = await serve({ offers: ["prompts"] });
    const kit = await equip(await connect(sdk, server), { enableResources: true });
    expect(kit.tools).toEqual([]);
    expect((await kit.prompts.list()).map(({ name }) => name)).toContain("plain");
    expect((await kit.prompts.get("plain")).asInstruction()).toBe("Say something.");
    expect(count(server, "tools/list")).toBe(0);
  });

  it("14: prompts are listed, page by page", async () => {
    const { prompts } = await equip(await connect(sdk, everything()));
    expect(await prompts.list()).toHaveLength(4);
    const server = await serve({ pageSize: 1 });
    const paged = await equip(await connect(sdk, server));
    expect((await paged.prompts.list()).map(({ name }) => name)).toEqual([
      "plain",
      "greet",
      "mixed",
    ]);
    expect(count(server, "prompts/list")).toBe(3);
  });

  it("15: a prompt becomes an instruction that reaches the model", async () => {
    const client = await connect(sdk, everything());
    const model = scriptedModel([]);
    const agent = core.createAgent({
      id: "agent",
      model,
      handler: async () => {
        const { prompts } = await equipMCP(client, { clientId: "c" });
        const city = await prompts.get("args-prompt", { city: "Oslo" });
        const resource = await prompts.get("resource-prompt", {
          resourceType: "Text",
          resourceId: 1,
        });
        core.equipInstruction(city.asInstruction());
        core.equipInstruction(resource.asInstruction());
        return core.promptAgent(z.looseObject({}));
      },
    });
    await agent({});
    const text = JSON.stringify(model.messages[0]);
    expect(text).toContain("Oslo");
    expect(text).toContain("This is a plaintext resource");
  });

  it("16: an image in a prompt is a data url", async () => {
    const kit = await equip(await connect(sdk, await serve()));
    const { asInstruction } = await kit.prompts.get("mixed");
    const parts = asInstruction();
    expect(parts).toContainEqual({
      type: "image",
      image: { url: "data:image/png;base64,AAEC/w==" },
    });
    expect(JSON.stringify(parts)).toContain("grüße");
  });

  it("17: a prompt that fails is one request and the server's own error", async () => {
    const server = await serve({ faults: [{ ...failing, method: "prompts/get" }] });
    const kit = await equip(await connect(sdk, server));
    await expect(kit.prompts.get("greet", { name: "you" })).rejects.toThrow(quota);
    expect(count(server, "prompts/get")).toBe(1);
  });

  it("17: what a prompt is given arrives as text", async () => {
    const server = await serve();
    const kit = await equip(await connect(sdk, server));
    await kit.prompts.get("greet", { name: "you", n: 1, yes: true, list: [1], not: undefined });
    const sent = server.requests.find(({ method }) => method === "prompts/get");
    expect(sent?.params?.["arguments"]).toEqual({ name: "you", n: "1", yes: "true", list: "[1]" });
  });

  it("18: a resource that cannot be read is one request and the server's own error", async () => {
    const server = await serve({ faults: [{ ...failing, method: "resources/read" }] });
    const client = await connect(sdk, server);
    const answer = await runCall(client, "mcp_read_resource", { uri: "test://text" }, resources);
    expect(answer).toContain(quota);
    expect(count(server, "resources/read")).toBe(1);
  });

  it("22: an image is an image when it is embedded and when it is read", async () => {
    const resource = { uri: "x://i.png", mimeType: "image/png", blob: png };
    const url = `data:image/png;base64,${png}`;
    const server = await serve({ tools: [answering([{ type: "resource", resource }])] });
    const client = await connect(sdk, server);
    expect(await runCall(client, "t")).toContainEqual({ type: "image", image: { url } });
    const reading = {
      listTools: async () => ({ tools: [] }),
      callTool: async (_params: { name: string }) => ({}),
      readResource: async (_params: { readonly uri: string }) => ({ contents: [resource] }),
    };
    expect(
      await runCall(reading, "mcp_read_resource", { uri: "x://i.png" }, resources),
    ).toContainEqual({ type: "image", image: { url } });
  });

  it("23: any name becomes one that a model API takes, and the server still hears its own", async () => {
    const names = [
      "files.read/v1",
      "wörter zählen",
      "a-b",
      "a_b",
      "a.b",
      "x".repeat(90),
      `${"x".repeat(90)}y`,
    ];
    const server = await serve({ tools: names.map((name) => tool(name)) });
    const client = await connect(sdk, server);
    for (const namespace of ["acme", "my ns/1", "n".repeat(80)]) {
      const kit = await equip(client, { namespace });
      const registered = kit.tools.map(({ name }) => name);
      for (const name of registered) expect(name).toMatch(modelName);
      expect(new Set(registered).size).toBe(names.length);
      server.clearRecords();
      await runCalls(
        client,
        registered.map((name) => ({ name })),
        { equip: { namespace } },
      );
      expect(server.calls.map((call) => call.tool).sort()).toEqual([...names].sort());
    }
    expect((await equip(client, { namespace: "acme" })).tools.map(({ name }) => name)).toContain(
      "acme_a_b",
    );
  });

  it("23: names are the same in any order of the list, beside any neighbours", async () => {
    const names = ["read-page", "read.page", "read page"];
    const server = await serve({ tools: names.map((name) => tool(name)) });
    const all = await equip(await connect(sdk, server), { namespace: "n" });
    const other = await serve({
      tools: names
        .slice(1)
        .reverse()
        .map((name) => tool(name)),
    });
    const some = await equip(await connect(sdk, other), { namespace: "n" });
    const registered = (kit: MCPKit) => kit.tools.map(({ name }) => name).sort();
    expect(registered(all)).toEqual(expect.arrayContaining(registered(some)));
    expect(registered(some)).toHaveLength(2);
  });

  it("26: each filter is listed once, however often the agent is reborn", async () => {
    const server = await serve({ tools: [tool("a"), tool("b")] });
    const client = await connect(sdk, server);
    const agent = core.createAgent<{ generation: number }, string[][]>({
      id: "agent",
      handler: async ({ generation }) => {
        const one = await equipMCP(client, { clientId: "c", tools: ["a"] });
        const two = await equipMCP(client, { clientId: "c", tools: ["b"] });
        if (generation < 4) return core.reborn({ generation: generation + 1 });
        return [one, two].map(({ tools }) => tools.map(({ name }) => name));
      },
    });
    expect(await agent({ generation: 1 })).toEqual([["a"], ["b"]]);
    expect(count(server, "tools/list")).toBe(2);
  });

  it("26: calls that overlap share one list, and a refresh asks once more", async () => {
    const server = await serve({ tools: [tool("a")] });
    const client = await connect(sdk, server);
    await inAgent(async () => {
      const options = { clientId: "c" };
      await Promise.all([equipMCP(client, options), equipMCP(client, options)]);
      expect(count(server, "tools/list")).toBe(1);
      server.setTools([tool("a"), tool("b")]);
      expect((await equipMCP(client, options)).tools).toHaveLength(1);
      const fresh = await equipMCP(client, { ...options, forceRefresh: true });
      expect(fresh.tools).toHaveLength(2);
      expect(await equipMCP(client, options)).toHaveProperty("tools.length", 2);
      expect(count(server, "tools/list")).toBe(2);
    });
  });

  it("26: what is remembered serves a client that never listed", async () => {
    const server = await serve({ tools: [tool("t")] });
    const clients = [await connect(sdk, server), await connect(sdk, server)];
    const model = scriptedModel([{ calls: [{ name: "t", arguments: { a: 1 } }] }]);
    const agent = core.createAgent<{ generation: number }, unknown>({
      id: "agent",
      model,
      handler: async ({ generation }) => {
        const client = clients[generation];
        if (!client) throw new Error("no client");
        const kit = await equipMCP(client, { clientId: "c" });
        if (generation === 0) return core.reborn({ generation: 1 });
        kit.inject();
        return core.promptAgent(z.looseObject({}));
      },
    });
    await agent({ generation: 0 });
    expect(count(server, "tools/list")).toBe(1);
    expect(server.calls.map((call) => call.arguments)).toEqual([{ a: 1 }]);
  });

  it("27: an abort ends the call, and the server is told", async () => {
    const controller = new AbortController();
    const server = await serve({
      tools: [
        {
          listed: listed("t"),
          run: async (_args, { signal }) => {
            setTimeout(() => controller.abort(new Error("enough")), 20);
            await new Promise((resolve) => {
              signal.addEventListener("abort", resolve);
              setTimeout(resolve, 8_000).unref();
            });
            return { content: [] };
          },
        },
      ],
    });
    const client = await connect(sdk, server);
    const started = performance.now();
    const run = runCall(client, "t", {}, { signal: controller.signal });
    expect(core.isAbortError(await run.catch((error: unknown) => error))).toBe(true);
    expect(performance.now() - started).toBeLessThan(4_000);
    await vi.waitFor(() => expect(server.cancelled).toMatchObject([{ running: true }]));
  });
});

const resources = {
  equip: { enableResources: true },
  inject: { injectResourceTools: true },
};

it.each([
  ["tools/list", () => {}],
  ["prompts/get", (kit: MCPKit) => kit.prompts.get("plain")],
  ["prompts/list", (kit: MCPKit) => kit.prompts.list()],
])("27: an abort ends %s too", async (method, ask) => {
  const server = await serve({ faults: [{ fault: "silence", method }] });
  const client = await connectV1(server);
  const controller = new AbortController();
  const agent = core.createAgent({
    id: "agent",
    handler: async () => ask(await equipMCP(client, { clientId: "c" })),
  });
  const run = core.runWith(() => agent({}), { signal: controller.signal });
  const ended = run.catch((error: unknown) => error);
  await vi.waitFor(() => expect(count(server, method)).toBe(1));
  controller.abort(new Error("enough"));
  expect(await ended).toBeInstanceOf(Error);
  await vi.waitFor(() => expect(server.cancelled).toHaveLength(1));
});

it("27: an abort ends the reading of a resource", async () => {
  const server = await serve({ faults: [{ fault: "silence", method: "resources/read" }] });
  const client = await connectV1(server);
  const controller = new AbortController();
  const call = { name: "mcp_read_resource", arguments: { uri: "test://text" } };
  const run = runCalls(client, [call], { ...resources, signal: controller.signal });
  const ended = run.catch((error: unknown) => error);
  await vi.waitFor(() => expect(count(server, "resources/read")).toBe(1));
  controller.abort();
  expect(core.isAbortError(await ended)).toBe(true);
  await vi.waitFor(() => expect(server.cancelled).toHaveLength(1));
});

it("27: an abort cancels a task on the server", async () => {
  const client = await connectV1(everything());
  const controller = new AbortController();
  const started = performance.now();
  const run = runCall(
    client,
    "simulate-research-query",
    { topic: "tides" },
    { signal: controller.signal },
  );
  setTimeout(() => controller.abort(), 1_500);
  expect(core.isAbortError(await run.catch((error: unknown) => error))).toBe(true);
  expect(performance.now() - started).toBeLessThan(6_000);
  await vi.waitFor(async () => {
    const { tasks } = await client.experimental.tasks.listTasks();
    expect(tasks.map(({ status }) => status)).toEqual(["cancelled"]);
  });
});

describe("with the client of mcp-adapter", () => {
  const connected = async (server: { url: string }) => {
    const adapter = new MCPToolAdapter({ name: "s", url: server.url }, { recovery: "manual" });
    await adapter.connect();
    onTestFinished(() => adapter.disconnect());
    return adapter.client;
  };

  it("1, 2: a failed call is one request and the server's own error", async () => {
    const server = await serve({
      tools: [tool("t")],
      faults: [{ ...failing, method: "tools/call" }],
    });
    expect(await runCall(await connected(server), "t")).toContain(quota);
    expect(count(server, "tools/call")).toBe(1);
  });

  it("2: a tool that fails tells why", async () => {
    const failed = answering([{ type: "text", text: "no such file" }], { isError: true });
    const answer = await runCall(await connected(await serve({ tools: [failed] })), "t");
    expect(answer).toMatch(/"error":true.*MCP tool error: no such file/);
  });

  it("4, 5: arguments arrive untouched, behind a Proxy too", async () => {
    const server = await serve({ tools: [tool("t")] });
    const client = await connected(server);
    const watched = core.instrument(client, { name: "mcp", ops: ["callTool", "listTools"] });
    for (const each of [client, watched]) await runCall(each, "t", { b: { c: [1] } });
    const args = { b: { c: [1] } };
    expect(server.calls.map((call) => call.arguments)).toEqual([args, args]);
  });

  it("13, 14, 16: prompts are listed and become instructions", async () => {
    const kit = await equip(await connected(await serve({ offers: ["prompts"], pageSize: 2 })));
    expect(kit.tools).toEqual([]);
    expect(await kit.prompts.list()).toHaveLength(3);
    const { asInstruction } = await kit.prompts.get("mixed");
    expect(asInstruction()).toContainEqual({
      type: "image",
      image: { url: "data:image/png;base64,AAEC/w==" },
    });
  });

  it("18: resources are listed and read, and fail with the server's own error", async () => {
    const server = await serve();
    const client = await connected(server);
    const call = { name: "mcp_read_resource", arguments: { uri: "test://text" } };
    const calls = [{ name: "mcp_list_resources" }, call];
    const { answers } = await runCalls(client, calls, resources);
    expect(JSON.parse(String(answers[0])).resources).toHaveLength(3);
    expect(answers[1]).toBe("grüße");
    server.faults.on({ ...failing, method: "resources/read" });
    expect((await runCalls(client, [call], resources)).answers[0]).toContain(quota);
  });

  it("27: an abort reaches the server", async () => {
    const server = await serve({
      tools: [tool("t")],
      faults: [{ fault: "silence", method: "tools/call" }],
    });
    const controller = new AbortController();
    const run = runCall(await connected(server), "t", {}, { signal: controller.signal });
    const ended = run.catch((error: unknown) => error);
    await vi.waitFor(() => expect(count(server, "tools/call")).toBe(1));
    controller.abort();
    expect(core.isAbortError(await ended)).toBe(true);
    await vi.waitFor(() => expect(server.cancelled).toHaveLength(1));
  });
});

it("16: a prompt with everything in it is readable", async () => {
  const { command, stop } = caseServer("prompt-mixed");
  onTestFinished(stop);
  const kit = await equip(await connectV1(command));
  const { asInstruction } = await kit.prompts.get("daily");
  const text = JSON.stringify(asInstruction());
  expect(text).toMatch(/moorings.*buoy 4 is loose.*start at buoy 1.*audio\/wav/);
  expect(text).not.toContain("UklGRg==");
});

describe("3: a call is never made again", () => {
  it("by a facade that would take both signatures", async () => {
    const calls: unknown[][] = [];
    const client = {
      listTools: async () => ({ tools: [listed("t")] }),
      callTool: async (...args: [unknown, unknown?]) => {
        calls.push(args);
        throw new Error(quota);
      },
    };
    expect(await runCall(client, "t", { a: 1 })).toContain(quota);
    expect(calls).toHaveLength(1);
  });

  it.each([[undefined], [null], [42], [{}], [{ content: "text" }], [{ content: null }]])(
    "when the answer is %j",
    async (answer) => {
      const client = facade(async () => answer);
      const seen = await runCall(client, "t", { a: 1 });
      expect(client.calls).toEqual([["t", { a: 1 }]]);
      expect(seen).toMatch(/\(no content\)|text|"error":true.*tool \\"t\\"/);
    },
  );
});

describe("4: the call style is known before the call", () => {
  it("of a facade by the number of its parameters", async () => {
    const client = facade(async () => ({ content: [{ type: "text", text: "ok" }] }));
    expect(await runCall(client, "t", { a: 1 })).toBe("ok");
    expect(client.calls).toEqual([["t", { a: 1 }]]);
  });

  it("of a facade behind a Proxy by the option", async () => {
    const client = facade(async () => ({ content: [{ type: "text", text: "ok" }] }));
    const watched = core.instrument(client, { name: "mcp", ops: ["callTool"] });
    expect(await runCall(watched, "t", { a: 1 }, { equip: { callStyle: "positional" } })).toBe(
      "ok",
    );
    expect(client.calls).toEqual([["t", { a: 1 }]]);
  });

  it("of our own facade by its mark, which shows through a Proxy", async () => {
    const server = await serve({ tools: [tool("t")] });
    const client = toClientFacade(await connectV1(server));
    const watched = core.instrument(client, { name: "mcp", ops: ["callTool", "listTools"] });
    for (const each of [client, watched]) await runCall(each, "t", { a: 1 });
    expect(server.calls.map((call) => call.arguments)).toEqual([{ a: 1 }, { a: 1 }]);
  });
});

/** What the model is offered for one property. */
async function offeredFor(property: object, root: object = {}) {
  const inputSchema = {
    type: "object",
    properties: { p: property },
    required: ["p"],
    $defs: definitions,
    ...root,
  };
  const client = {
    ...facade(async () => ({})),
    listTools: async () => ({ tools: [listed("t", inputSchema)] }),
  };
  const [offered] = (await runCalls(client)).offered;
  if (!offered) throw new Error("nothing was offered");
  return offered;
}

const verdicts = (schema: unknown, values: readonly unknown[]) => {
  const { validate } = compileSchema(schema);
  return values.map((p) => validate({ p }).ok);
};

it.each(schemaKinds)(
  "6: the model is shown the same constraint: $kind",
  async ({ schema, takes, refuses }) => {
    const { parameters } = await offeredFor(schema);
    expect(parameters["type"]).toBe("object");
    expect(verdicts(parameters, takes)).toEqual(takes.map(() => true));
    expect(verdicts(parameters, refuses)).toEqual(refuses.map(() => false));
  },
);

/** Path, description and default of everything in a schema. */
function* annotations(schema: unknown, path = ""): Generator<readonly [string, unknown, unknown]> {
  if (typeof schema !== "object" || schema === null) return;
  const {
    description,
    default: fallback,
    properties,
    items,
    anyOf,
  } = schema as Record<string, unknown>;
  if (description !== undefined || fallback !== undefined) yield [path, description, fallback];
  for (const [key, value] of Object.entries(properties ?? {}))
    yield* annotations(value, `${path}.${key}`);
  if (items) yield* annotations(items, `${path}[]`);
  if (Array.isArray(anyOf) && anyOf.length === 1) yield* annotations(anyOf[0], path);
}

describe.each(["everything", "filesystem", "memory"])("7: on server-%s", (server) => {
  it("every description and default is shown", async () => {
    const at = await folder();
    const commands = {
      everything: everything(),
      filesystem: filesystem(at),
      memory: memory(join(at, "m.json")),
    };
    const client = await connectV1(commands[server as keyof typeof commands]);
    const { tools } = await client.listTools();
    const { offered } = await runCalls(client);
    expect(offered).toHaveLength(tools.length);
    let seen = 0;
    for (const { name, description, inputSchema } of tools) {
      const match = offered.find((each) => each.name === name);
      expect(match?.description).toBe(description);
      const wanted = [...annotations(inputSchema)];
      expect([...annotations(match?.parameters)]).toEqual(expect.arrayContaining(wanted));
      seen += wanted.length;
    }
    expect(seen).toBeGreaterThan(10);
  });
});

it.each([
  ["$ref", { $ref: "#/$defs/point" }],
  ["a union", { anyOf: [{ type: "string" }, { type: "number" }] }],
  ["an enum without a type", { enum: [1, "a"] }],
  ["anything", {}],
])("8: required stays required: %s", async (_name, schema) => {
  const { parameters } = await offeredFor(schema);
  expect(parameters["required"]).toEqual(["p"]);
});

it.each(rareKinds)("9: $kind on a property is exact", async ({ schema, takes, refuses }) => {
  const { parameters } = await offeredFor(schema);
  expect(verdicts(parameters, takes)).toEqual(takes.map(() => true));
  expect(verdicts(parameters, refuses)).toEqual(refuses.map(() => false));
});

it.each([
  ["not", { not: { required: ["z"] } }],
  ["if", JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]}}')],
  ["patternProperties", { patternProperties: { "^n": { type: "number" } } }],
  ["minProperties", { minProperties: 2 }],
  ["oneOf", { oneOf: [{ required: ["a"] }, { required: ["b"] }] }],
])("9: %s at the root is spelled out, and the root stays an object", async (keyword, root) => {
  const { parameters } = await offeredFor({ type: "string" }, root);
  expect(Object.keys(parameters).sort()).toEqual(
    ["$schema", "additionalProperties", "description", "properties", "required", "type"].sort(),
  );
  expect(parameters["description"]).toContain(`"${keyword}"`);
});

it("11: a list without an end is an error that says so", async () => {
  let pages = 0;
  const client = {
    ...facade(async () => ({})),
    listTools: async () => {
      pages += 1;
      return { tools: [listed(`t${pages}`)], nextCursor: `after ${pages}` };
    },
  };
  await expect(equip(client, { maxItems: 5 })).rejects.toThrow(/does not end/);
  expect(pages).toBe(1_000);
});

it.each([
  [{}],
  [null],
  ["tools"],
  [{ tools: "a" }],
  [{ tools: null }],
  [{ tools: {} }],
  [undefined],
])("12: %j is no list of tools", async (answer) => {
  const client = { ...facade(async () => ({})), listTools: async () => answer };
  await expect(equip(client)).rejects.toMatchObject({ name: "McpProtocolError" });
});

it("12: one that the SDK refuses is its error", async () => {
  const server = await serve({ faults: [{ fault: "empty-result", method: "tools/list" }] });
  await expect(equip(await connectV1(server))).rejects.toThrow(/tools/);
});

describe("19: structured content", () => {
  const answered = async (content: unknown, structuredContent: unknown, rest: object = {}) => {
    const server = await serve({ tools: [answering(content, { structuredContent, ...rest })] });
    return runCall(await connectV1(server), "t");
  };

  it("is shown beside a text that does not hold it", async () => {
    const answer = await answered([{ type: "text", text: "2 found." }], {
      found: [{ no: 14 }, { no: 15 }],
    });
    expect(answer).toMatch(/2 found\.[\s\S]*14[\s\S]*15/);
  });

  it("is not shown twice", async () => {
    const structured = { temperature: 33, conditions: "Cloudy" };
    const text = JSON.stringify(structured);
    expect(await answered([{ type: "text", text }], structured)).toBe(text);
    expect(
      await answered([{ type: "text", text: "whole\nfile" }], { content: "whole\nfile" }),
    ).toBe("whole\nfile");
  });

  it("is shown when it is alone and when it explains an error", async () => {
    expect(await answered([], { code: "LOCKED" })).toContain("LOCKED");
    const failed = await answered(
      [{ type: "text", text: "no" }],
      { retryAfter: 30 },
      { isError: true },
    );
    expect(failed).toMatch(/"error":true.*no[\s\S]*retryAfter[\s\S]*30/);
  });

  it("of the official filesystem server is each file once", async () => {
    const at = await folder();
    await writeFile(join(at, "a.txt"), "line one\nline two\n");
    const client = await connectV1(filesystem(at));
    expect(await runCall(client, "read_text_file", { path: join(at, "a.txt") })).toBe(
      "line one\nline two\n",
    );
  });
});

it("20: audio is named with its type and size, never as base64", async () => {
  const data = Buffer.alloc(6_000, 7).toString("base64");
  const server = await serve({
    tools: [
      answering([
        { type: "text", text: "listen" },
        { type: "audio", data, mimeType: "audio/wav" },
      ]),
    ],
  });
  const answer = JSON.stringify(await runCall(await connectV1(server), "t"));
  expect(answer).toContain("listen");
  expect(answer).toContain("audio/wav");
  expect(answer).toMatch(/6,?000/);
  expect(answer).not.toContain(data.slice(0, 40));
});

it("21: a link is text to read, with name, uri and type", async () => {
  const link = {
    type: "resource_link",
    uri: "file:///a.md",
    name: "notes",
    mimeType: "text/markdown",
  };
  const server = await serve({ tools: [answering([link])] });
  const answer = JSON.stringify(await runCall(await connectV1(server), "t"));
  for (const part of ["file:///a.md", "notes", "text/markdown"]) expect(answer).toContain(part);
  expect(answer).not.toContain("resource_link");
});

describe("24: a clash", () => {
  it("with a tool of the server's own is none", async () => {
    const server = await serve({ tools: [tool("list_resources"), tool("read_resource")] });
    const client = await connectV1(server);
    const options = { ...resources, equip: { enableResources: true, namespace: "n" } };
    const { offered } = await runCalls(client, [], options);
    expect(new Set(offered.map(({ name }) => name)).size).toBe(4);
    const natives = offered.filter(({ description }) => description.startsWith("does "));
    await runCalls(
      client,
      natives.map(({ name }) => ({ name })),
      options,
    );
    expect(server.calls.map((call) => call.tool).sort()).toEqual([
      "list_resources",
      "read_resource",
    ]);
  });

  it("of two kits is the host's error, and says what is registered already", async () => {
    const client = await connectV1(await serve({ tools: [tool("a"), tool("b"), tool("c")] }));
    const registered = await inAgent(async () => {
      const kit = await equipMCP(client, { clientId: "c" });
      const [, second] = kit.tools;
      if (!second) throw new Error("no tool");
      core.equipTool(second);
      try {
        kit.inject();
      } catch (error) {
        return error;
      }
      return "no error";
    });
    expect(registered).toMatchObject({ code: "partly_registered", registered: ["a"] });
    expect(registered).toMatchObject({ message: expect.stringContaining("a") });
    expect(registered).toHaveProperty("cause.name", "DuplicateToolNameError");
  });

  it("on the first tool leaves nothing behind", async () => {
    const client = await connectV1(await serve({ tools: [tool("a"), tool("b")] }));
    const model = scriptedModel([]);
    const agent = core.createAgent({
      id: "agent",
      model,
      handler: async () => {
        const kit = await equipMCP(client, { clientId: "c" });
        const [first] = kit.tools;
        if (!first) throw new Error("no tool");
        core.equipTool(first);
        expect(() => kit.inject()).toThrow(
          expect.objectContaining({ name: "DuplicateToolNameError" }),
        );
        return core.promptAgent(z.looseObject({}));
      },
    });
    await agent({});
    expect(model.offered[0]?.map(({ name }) => name)).toEqual(["a"]);
  });

  it("within one list costs the second of the name, and is told", async () => {
    const client = {
      ...facade(async () => ({})),
      listTools: async () => ({ tools: [listed("t"), listed("t", {}, { description: "other" })] }),
    };
    const kit = await equip(client);
    expect(kit.tools.map(({ name, description }) => [name, description])).toEqual([
      ["t", "does t"],
    ]);
    expect(kit.omitted).toMatchObject([{ name: "t" }]);
  });
});

it("25: middleware given to inject stands in for the option's, around resource tools too", async () => {
  const server = await serve({ tools: [tool("t")] });
  const client = await connectV1(server);
  const order: string[] = [];
  const note = (name: string) => ({
    name,
    handler: async (context: { toolName: string }, next: () => Promise<unknown>) => {
      order.push(`${name} ${context.toolName}`);
      return next();
    },
  });
  const calls = [{ name: "t" }, { name: "mcp_list_resources" }];
  const all = { injectResourceTools: true };
  const equipped = { enableResources: true, middleware: [note("equip")] };
  await runCalls(client, calls, { equip: equipped, inject: all });
  expect(order.splice(0).sort()).toEqual(["equip mcp_list_resources", "equip t"]);
  await runCalls(client, calls, {
    equip: equipped,
    inject: { ...all, middleware: [note("inject")] },
  });
  expect(order.splice(0).sort()).toEqual(["inject mcp_list_resources", "inject t"]);
});

describe("28: a tool that runs only as a task", () => {
  const ask = { topic: "tides" };

  it("runs on the v1 client", async () => {
    const answer = await runCall(await connectV1(everything()), "simulate-research-query", ask);
    expect(answer).toContain("tides");
    expect(answer).not.toContain('"error":true');
  });

  it("runs on one that never listed", { timeout: 30_000 }, async () => {
    const clients = [await connectV1(everything()), await connectV1(everything())];
    const model = scriptedModel([{ calls: [{ name: "simulate-research-query", arguments: ask }] }]);
    const agent = core.createAgent<{ generation: number }, unknown>({
      id: "agent",
      model,
      handler: async ({ generation }) => {
        const client = clients[generation];
        if (!client) throw new Error("no client");
        const kit = await equipMCP(client, { clientId: "c" });
        if (generation === 0) return core.reborn({ generation: 1 });
        kit.inject();
        return core.promptAgent(z.looseObject({}));
      },
    });
    await agent({ generation: 0 });
    const answer = JSON.stringify(model.messages.at(-1)?.at(-1)?.content);
    expect(answer).toMatch(/Research Report|Key Findings|report/i);
    expect(answer).not.toContain('\\"error\\":true');
  });

  it("says why elsewhere", async () => {
    const answer = await runCall(await connectV2(everything()), "simulate-research-query", ask);
    expect(answer).toMatch(/"error":true.*task/);
  });
});

it("29: undefined in a facade's result is nothing", async () => {
  const text = facade(async () => ({
    content: [{ type: "text", text: "ok", annotations: undefined }],
    isError: undefined,
    structuredContent: undefined,
    _meta: undefined,
  }));
  expect(await runCall(text, "t")).toBe("ok");
  const nothing = facade(async () => ({ content: [], isError: undefined, _meta: undefined }));
  expect(await runCall(nothing, "t")).not.toMatch(/error|undefined/);
  const image = facade(async () => ({
    content: [{ type: "image", data: png, mimeType: "image/png", _meta: undefined }],
    isError: undefined,
  }));
  expect(await runCall(image, "t")).toEqual([
    { type: "image", image: { url: `data:image/png;base64,${png}` } },
  ]);
});

it.each([
  [{ title: "Reads a file" }, "Reads a file"],
  [{ title: "Reads a file", description: "" }, "Reads a file"],
  [{ title: "Reads a file", description: "Reads it whole" }, "Reads it whole"],
  [{}, "MCP tool: t"],
])("30: described by %j the tool is %j", async (texts, description) => {
  const client = {
    ...facade(async () => ({})),
    listTools: async () => ({ tools: [{ name: "t", inputSchema: { type: "object" }, ...texts }] }),
  };
  expect((await equip(client)).tools[0]?.description).toBe(description);
});

describe("31: whichever Zod is at the root", () => {
  const descriptor = listed("t", {
    type: "object",
    properties: { path: { type: "string", minLength: 1, description: "where" } },
    required: ["path"],
  });
  const shown = {
    type: "object",
    properties: { path: { type: "string", minLength: 1, description: "where" } },
    required: ["path"],
    additionalProperties: true,
  };
  const client = facade(async () => ({ content: [] }));
  const convert = (parameters: unknown) =>
    zodToJsonSchema(parameters as never, { $refStrategy: "none" });
  afterEach(() => {
    for (const entry of ["zod", "zod/v3"]) vi.doUnmock(entry);
    vi.resetModules();
  });

  it("the tool is offered whole with Zod 4", () => {
    const { parameters } = fromMCPTool(descriptor, client);
    expect(parameters).toBeInstanceOf(z.ZodType);
    expect(convert(parameters)).toMatchObject(shown);
  });

  it("the tool is offered whole with Zod 3.25", async () => {
    vi.doMock("zod", () => import("zod3"));
    vi.doMock("zod/v3", () => import("zod3/v3"));
    vi.resetModules();
    const { z: z3 } = await import("zod3");
    const { fromMCPTool: make } = await import("../src/index.ts");
    const { parameters } = make(descriptor, client);
    expect(parameters).toBeInstanceOf(z3.ZodType);
    expect(convert(parameters)).toMatchObject(shown);
    expect(parameters.safeParse({ path: "" }).success).toBe(false);
    expect(parameters.safeParse({ path: "a", more: 1 })).toMatchObject({
      data: { path: "a", more: 1 },
    });
  });
});

it("32: the facade reads a resource by its uri alone", async () => {
  const server = await serve();
  for (const client of [await connectV1(server), await connectV2(server)]) {
    const { contents } = await toClientFacade(client).readResource("test://text");
    expect(contents).toEqual([{ uri: "test://text", mimeType: "text/plain", text: "grüße" }]);
  }
});
