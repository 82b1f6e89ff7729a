import { describe, expect, it, vi } from "vitest";
import {
  createEquipMCP,
  type MCPClientAdapter,
  type MCPClientLike,
  toClientFacade,
} from "../src/index.ts";
import { fakeClient, instrumented, text } from "./fake-client.ts";
import { smallHost } from "./small-host.ts";

const answers = {
  close: () => undefined,
  listTools: () => ({ tools: [{ name: "a", inputSchema: {} }, { name: "a" }, 3], nextCursor: "2" }),
  listResources: () => ({
    resources: [{ uri: "u:1", size: 3, description: "D" }],
    nextCursor: "2",
  }),
  readResource: () => ({ contents: [{ uri: "u:1", text: "hi" }] }),
  listPrompts: () => ({ prompts: [{ name: "p" }], nextCursor: "2" }),
  getPrompt: () => ({ messages: [] }),
  getServerCapabilities: () => ({ tools: {}, resources: {}, prompts: {} }),
};

const chained = (client: MCPClientLike) => toClientFacade(toClientFacade(client));

describe("toClientFacade", () => {
  it("takes names and arguments one by one", async () => {
    const { client, log } = fakeClient(answers);
    const facade = toClientFacade(client);
    await facade.callTool("t", { a: 1 });
    await facade.readResource("u:1");
    await facade.readResource({ uri: "u:2" });
    await facade.getPrompt?.("p", { a: 1, b: "x" });
    await facade.getPrompt?.({ name: "p" });
    await facade.getPrompt?.({ name: "p", arguments: { c: "y" } });
    await facade.listTools({ cursor: "3" });
    await facade.listResources();
    await facade.listPrompts?.({ cursor: "4" });
    await facade.listPrompts?.();
    await facade.close();
    expect(log).toEqual([
      ["callTool", { name: "t", arguments: { a: 1 } }],
      ["readResource", { uri: "u:1" }],
      ["readResource", { uri: "u:2" }],
      ["getPrompt", { name: "p", arguments: { a: "1", b: "x" } }],
      ["getPrompt", { name: "p", arguments: {} }],
      ["getPrompt", { name: "p", arguments: { c: "y" } }],
      ["listTools", { cursor: "3" }],
      ["listResources", undefined],
      ["listPrompts", { cursor: "4" }],
      ["listPrompts", undefined],
      ["close"],
    ]);
  });

  it("answers in one form, whatever the client's", async () => {
    const facade = toClientFacade(fakeClient(answers).client);
    expect(await facade.listTools()).toEqual({
      tools: [{ name: "a", inputSchema: {} }, { name: "a" }],
      nextCursor: "2",
    });
    expect(await facade.listResources()).toEqual({
      resources: [{ uri: "u:1", name: "u:1", size: 3, description: "D" }],
      nextCursor: "2",
    });
    expect(await facade.listPrompts?.()).toEqual({ prompts: [{ name: "p" }], nextCursor: "2" });
    expect((await facade.readResource("u:1")).contents[0]?.text).toBe("hi");
  });

  it.each([
    ["a success", text("a"), { ...text("a"), isError: false }],
    ["a failure, not thrown", { ...text("a"), isError: true }, { ...text("a"), isError: true }],
    [
      "structured content",
      { ...text("a"), structuredContent: { a: 1 } },
      { ...text("a"), isError: false, structuredContent: { a: 1 } },
    ],
  ])("gives %s as the server sent it", async (_, answer, expected) => {
    const facade = toClientFacade(fakeClient({ callTool: () => answer }).client);
    expect(await facade.callTool("t", {})).toEqual(expected);
  });

  it("has only what the client has", async () => {
    const facade = toClientFacade(fakeClient({}).client);
    expect(facade.getPrompt).toBeUndefined();
    expect(facade.listPrompts).toBeUndefined();
    expect(Reflect.get(facade, "getServerCapabilities")).toBeUndefined();
    await expect(facade.close()).rejects.toMatchObject({ code: "invalid_port" });
    await expect(facade.readResource("u:1")).rejects.toMatchObject({ code: "invalid_port" });
  });

  it("throws the client's own errors, and is over with the signal", async () => {
    const refused = Object.assign(new Error("no"), { code: -32_000 });
    const broken = toClientFacade(fakeClient({ callTool: () => Promise.reject(refused) }).client);
    await expect(broken.callTool("t", {})).rejects.toBe(refused);
    const silent = toClientFacade(
      fakeClient({ callTool: () => new Promise(() => undefined) }).client,
    );
    await expect(
      silent.callTool("t", {}, { signal: AbortSignal.timeout(10) }),
    ).rejects.toMatchObject({
      name: "TimeoutError",
    });
  });

  const sdk1 = { getServerCapabilities: answers.getServerCapabilities, request: () => text("a") };
  const sdk2 = { ...sdk1, getNegotiatedProtocolVersion: () => "2025-11-25" };
  const { request: _, ...like2 } = sdk2;
  const requests: readonly [
    method: string,
    ask: (facade: MCPClientAdapter, options: { signal: AbortSignal }) => unknown,
  ][] = [
    ["listTools", (facade, options) => facade.listTools({ cursor: "2" }, options)],
    ["listResources", (facade, options) => facade.listResources(undefined, options)],
    ["readResource", (facade, options) => facade.readResource("u:1", options)],
    ["getPrompt", (facade, options) => facade.getPrompt?.("p", { a: "1" }, options)],
    ["listPrompts", (facade, options) => facade.listPrompts?.(undefined, options)],
    ["callTool", (facade, options) => facade.callTool("t", {}, options)],
  ];

  describe.each([
    ["SDK v1", sdk1],
    ["SDK v2", sdk2],
    ["adapter.client", like2],
  ])("over %s", (_, marks) => {
    it.each(requests)("an abort of %s reaches the client", async (method, ask) => {
      for (const wrap of [toClientFacade, (client: MCPClientLike) => chained(client)]) {
        const never = () => new Promise(() => undefined);
        const { client, log } = fakeClient({ ...answers, ...marks, [method]: never });
        const controller = new AbortController();
        const asked = ask(wrap(client), { signal: controller.signal });
        await vi.waitFor(() => expect(log).toHaveLength(1));
        const { signal } = Object(log[0]?.at(-1));
        expect([log[0]?.[0], signal?.aborted]).toEqual([method, false]);
        const ended = expect(asked).rejects.toThrow("stopped");
        controller.abort(new Error("stopped"));
        await ended;
        expect(signal.reason).toMatchObject({ message: "stopped" });
      }
    });
  });

  it("takes what is no signal for none", async () => {
    const { client, log } = fakeClient({ ...answers, ...like2 });
    const facade = toClientFacade(client);
    await facade.getPrompt?.("p", {}, { signal: "no" });
    await facade.listPrompts?.({}, 5);
    expect(log).toEqual([
      ["getPrompt", { name: "p", arguments: {} }],
      ["listPrompts", undefined],
    ]);
  });

  it("an abort of an agent reaches the client behind it", async () => {
    const { client, log } = fakeClient({
      ...answers,
      ...like2,
      listTools: () => [{ name: "a" }],
      listPrompts: () => [{ name: "p" }],
    });
    const { signal } = new AbortController();
    const equipMCP = createEquipMCP(smallHost({ signal: () => signal }));
    const kit = await equipMCP(toClientFacade(client), { clientId: "c", enableResources: true });
    await kit.resourceToolMap["mcp_list_resources"]?.handler({});
    await kit.resourceToolMap["mcp_read_resource"]?.handler({ uri: "u:1" });
    await kit.prompts.list();
    await kit.prompts.get("p");
    expect(log.map(([method, ...args]) => [method, args.at(-1)])).toEqual(
      ["listTools", "listResources", "readResource", "listPrompts", "getPrompt"].map((method) => [
        method,
        { signal: expect.any(AbortSignal) },
      ]),
    );
  });

  it.each([
    ["itself", <T extends object>(client: T) => client],
    ["behind a proxy", instrumented],
    ["over another facade", toClientFacade],
  ])("equips an agent, %s", async (_, wrap) => {
    let own: AbortSignal | undefined;
    const { client, log } = fakeClient({
      ...answers,
      getNegotiatedProtocolVersion: () => "2025-11-25",
      listTools: () => [{ name: "a" }],
      callTool: (_params, options) => {
        own = Reflect.get(Object(options), "signal");
        return text("done");
      },
    });
    const { signal } = new AbortController();
    const equipMCP = createEquipMCP(smallHost({ signal: () => signal }));
    const options = { clientId: "c", enableResources: true };
    const kit = await equipMCP(wrap(toClientFacade(client)), options);
    expect(await kit.toolMap["a"]?.handler({ x: 1 })).toBe("done");
    expect(await kit.resourceToolMap["mcp_read_resource"]?.handler({ uri: "u:1" })).toBe("hi");
    expect(await kit.prompts.list()).toHaveLength(1);
    expect(own).toBeInstanceOf(AbortSignal);
    expect(log).toContainEqual([
      "callTool",
      { name: "a", arguments: { x: 1 } },
      { signal: expect.any(AbortSignal) },
    ]);
  });
});
