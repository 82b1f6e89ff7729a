import { expect, it, vi } from "vitest";
import { type EquipMCPOptions, equipMCP, fromMCPTool, type MCPKit } from "../src/index.ts";
import { core } from "./host/core.ts";
import { inAgent, runCall, runCalls } from "./host/run.ts";
import { connectV1 } from "./servers/clients.ts";
import { answering, listed, tool } from "./servers/listed.ts";
import { count, serve } from "./servers/testkit.ts";

vi.mock("@rejelly/core", async () => (await import("./host/core.ts")).core);

/** What agents written for Rejelly's own adapter rely on. Each of these was seen to hold there too. */

const names = ({ tools }: MCPKit) => tools.map(({ name }) => name);

/** A kit over a v1 client, and the server behind it. */
async function kitOver(
  tools: readonly string[],
  options: Partial<EquipMCPOptions> = {},
  pageSize = 100,
) {
  const server = await serve({ tools: tools.map((name) => tool(name)), pageSize });
  const client = await connectV1(server);
  const equip = () => inAgent(() => equipMCP(client, { clientId: "c", ...options }));
  return { server, client, equip };
}

it("a kit has the client, the tools by name, and nothing of resources unless asked", async () => {
  const { client, equip } = await kitOver(["b", "a"]);
  const kit = await equip();
  expect(kit.client).toBe(client);
  expect(names(kit)).toEqual(["a", "b"]);
  expect(kit.toolMap["a"]).toBe(kit.tools[0]);
  expect(kit.resourceTools).toEqual([]);
  expect({ ...kit.resourceToolMap }).toEqual({});
  expect(Object.keys(kit).sort()).toEqual(
    expect.arrayContaining(["client", "inject", "prompts", "resourceToolMap", "toolMap"]),
  );
});

it.each([
  ["fs", ["fs_a"], ["fs_list_resources", "fs_read_resource"]],
  [undefined, ["a"], ["mcp_list_resources", "mcp_read_resource"]],
])("with the namespace %j names are %j and %j", async (namespace, tools, resources) => {
  const { equip } = await kitOver(["a"], {
    enableResources: true,
    ...(namespace && { namespace }),
  });
  const kit = await equip();
  expect(names(kit)).toEqual(tools);
  expect(kit.resourceTools.map(({ name }) => name)).toEqual(resources);
  expect(Object.keys(kit.resourceToolMap)).toEqual(resources);
});

it("injects the tools by default, the resource tools when told, or neither", async () => {
  const { client } = await kitOver(["a"]);
  const equip = { enableResources: true };
  const offered = async (inject?: { injectTools?: boolean; injectResourceTools?: boolean }) =>
    (await runCalls(client, [], { equip, ...(inject && { inject }) })).offered.map(
      ({ name }) => name,
    );
  expect(await offered()).toEqual(["a"]);
  expect(await offered({ injectTools: false })).toEqual([]);
  expect(await offered({ injectResourceTools: true })).toEqual([
    "a",
    "mcp_list_resources",
    "mcp_read_resource",
  ]);
});

it("inject after promptAgent is the host's error", async () => {
  const { client } = await kitOver(["a"]);
  const late = core.createAgent({
    id: "late",
    handler: async () => {
      const kit = await equipMCP(client, { clientId: "c" });
      await core.promptAgent({} as never).catch(() => undefined);
      kit.inject();
    },
  });
  const error = await late({}).catch((reason: unknown) => reason);
  expect(core.isAfterPromptAgentError(error)).toBe(true);
});

it("equipMCP outside an agent is the host's error", async () => {
  const { client } = await kitOver(["a"]);
  const error = await equipMCP(client, { clientId: "c" }).catch((reason: unknown) => reason);
  expect(core.isContextNotFoundError(error)).toBe(true);
});

it("an empty filter asks nothing and gives nothing", async () => {
  const { server, equip } = await kitOver(["a"], { tools: [] });
  expect(names(await equip())).toEqual([]);
  expect(count(server, "tools/list")).toBe(0);
});

it("a filter takes native names from any page, whatever the namespace", async () => {
  const { equip } = await kitOver(["a", "b", "c"], { tools: ["c", "a"], namespace: "n" }, 1);
  expect(names(await equip())).toEqual(["n_a", "n_c"]);
});

it.each<[string, Partial<EquipMCPOptions>]>([
  ["that are not there", { tools: ["a", "zz", "yy"] }],
  ["that come after maxItems", { tools: ["a", "zz", "yy"], maxItems: 2 }],
  ["that come on a page not asked for", { tools: ["a", "zz", "yy"], autoPaginate: false }],
])("a filter for names %s fails and names them", async (_name, options) => {
  const { equip } = await kitOver(["a", "b", "c"], options, 1);
  await expect(equip()).rejects.toThrow(/zz, yy|"?yy"?, "?zz"?/);
});

it("maxItems cuts a long list without an error", async () => {
  const { equip } = await kitOver(["a", "b", "c"], { maxItems: 2 });
  expect(names(await equip())).toEqual(["a", "b"]);
  const all = await kitOver(Array.from({ length: 101 }, (_, n) => `t${n}`));
  expect((await all.equip()).tools).toHaveLength(100);
});

it("without autoPaginate the first page is all", async () => {
  const { server, equip } = await kitOver(["a", "b"], { autoPaginate: false }, 1);
  expect(names(await equip())).toEqual(["a"]);
  expect(count(server, "tools/list")).toBe(1);
});

it("forceRefresh asks again and is remembered", async () => {
  const { server, client } = await kitOver(["a"]);
  await inAgent(async () => {
    await equipMCP(client, { clientId: "c" });
    server.setTools([tool("a"), tool("b")]);
    expect(names(await equipMCP(client, { clientId: "c", forceRefresh: true }))).toEqual([
      "a",
      "b",
    ]);
    expect(names(await equipMCP(client, { clientId: "c" }))).toEqual(["a", "b"]);
  });
  expect(count(server, "tools/list")).toBe(2);
});

it("blocks of text are joined by line breaks", async () => {
  const blocks = ["one", "two"].map((text) => ({ type: "text", text }));
  const client = await connectV1(await serve({ tools: [answering(blocks)] }));
  expect(await runCall(client, "t")).toBe("one\ntwo");
});

it("an image beside text makes parts, in order", async () => {
  const client = await connectV1(
    await serve({
      tools: [
        answering([
          { type: "text", text: "see" },
          { type: "image", data: "AAEC/w==", mimeType: "image/gif" },
        ]),
      ],
    }),
  );
  expect(await runCall(client, "t")).toEqual([
    { type: "text", text: "see" },
    { type: "image", image: { url: "data:image/gif;base64,AAEC/w==" } },
  ]);
});

it("a tool that fails tells the model as it always did", async () => {
  const failed = [{ type: "text", text: "no such file" }];
  const client = await connectV1(await serve({ tools: [answering(failed, { isError: true })] }));
  expect(await runCall(client, "t")).toBe(
    '{"error":true,"message":"Tool \\"t\\" execution failed: MCP tool error: no such file"}',
  );
});

it("resources are listed as JSON, page by page, and read as text", async () => {
  const client = await connectV1(await serve({ pageSize: 2 }));
  const options = { equip: { enableResources: true }, inject: { injectResourceTools: true } };
  const list = async (args: object) =>
    JSON.parse(String(await runCall(client, "mcp_list_resources", args, options)));
  const first = await list({});
  expect(first.resources).toEqual([
    { uri: "test://text", name: "text" },
    { uri: "test://binary", name: "binary" },
  ]);
  const second = await list({ cursor: first.nextCursor });
  expect(second).toEqual({
    resources: [{ uri: "test://both", name: "both", description: "A text and a binary part" }],
  });
  expect(await runCall(client, "mcp_read_resource", { uri: "test://text" }, options)).toBe("grüße");
  const both = await runCall(client, "mcp_read_resource", { uri: "test://both" }, options);
  expect(String(both)).toMatch(/^grüße\n/);
});

it("a server without resources lists none", async () => {
  const client = await connectV1(await serve({ offers: ["tools"], tools: [tool("a")] }));
  const options = { equip: { enableResources: true }, inject: { injectResourceTools: true } };
  expect(JSON.parse(String(await runCall(client, "mcp_list_resources", {}, options)))).toEqual({
    resources: [],
  });
});

it("one tool can be made by itself, under a name of one's choice", async () => {
  const server = await serve({ tools: [tool("a")] });
  const client = await connectV1(server);
  const made = fromMCPTool(listed("a"), client, { name: "mine" });
  expect(made).toMatchObject({ name: "mine", description: "does a" });
  expect(fromMCPTool(listed("a"), client).name).toBe("a");
  await core.callTool(made, {});
  expect(server.calls.map((call) => call.tool)).toEqual(["a"]);
});
