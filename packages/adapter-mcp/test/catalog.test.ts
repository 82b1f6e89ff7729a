import { describe, expect, it } from "vitest";
import {
  type AdapterMCPEvent,
  createEquipMCP,
  type EquipMCPOptions,
  type MCPClientLike,
} from "../src/index.ts";
import { fakeClient } from "./fake-client.ts";
import { type SmallHost, smallHost } from "./small-host.ts";

const tool = (name: unknown, more: object = {}) => ({
  name,
  inputSchema: { type: "object" },
  ...more,
});
const tools = (...names: string[]) => names.map((name) => tool(name));

/** A server of several pages; a page that is an error is thrown. */
function paged(...pages: readonly unknown[]) {
  return fakeClient({
    listTools(params) {
      const at = Number(Reflect.get(Object(params), "cursor") ?? 0);
      const page = pages[at];
      if (page instanceof Error) throw page;
      return {
        tools: page,
        ...(at + 1 < pages.length && { nextCursor: String(at + 1) }),
      };
    },
  });
}

function equip(
  client: MCPClientLike,
  options: Partial<EquipMCPOptions> = {},
  host: SmallHost = smallHost(),
) {
  return createEquipMCP(host)(client, { clientId: "c", ...options });
}

const namesOf = (kit: { tools: readonly { name: string }[] }) => kit.tools.map(({ name }) => name);

describe("which tools are taken", () => {
  const pages = [tools("e", "d"), tools("c", "b"), tools("a")];

  it.each([
    ["all, sorted", {}, ["a", "b", "c", "d", "e"], 3],
    ["the first page without autoPaginate", { autoPaginate: false }, ["d", "e"], 1],
    ["as many as maxItems", { maxItems: 3 }, ["c", "d", "e"], 3],
    ["any number with Infinity", { maxItems: Number.POSITIVE_INFINITY }, [..."abcde"], 3],
    ["those asked for, and no page more", { tools: ["c", "e", "c"] }, ["c", "e"], 2],
    ["those asked for, on a page that goes past maxItems", { tools: ["b"], maxItems: 3 }, ["b"], 2],
    ["none, and nobody is asked", { tools: [] }, [], 0],
  ])("%s", async (_, options, expected, requests) => {
    const { client, log } = paged(...pages);
    expect(namesOf(await equip(client, options))).toEqual(expected);
    expect(log).toHaveLength(requests);
  });

  it.each([
    ["not on the server", { tools: ["e", "x", "y"] }, '"x", "y"'],
    ["past maxItems", { tools: ["a"], maxItems: 3 }, '"a"'],
    ["past the first page without autoPaginate", { tools: ["a"], autoPaginate: false }, '"a"'],
  ])("asking for one that is %s is an error with the names", async (_, options, names) => {
    const { client } = paged(...pages);
    await expect(equip(client, options)).rejects.toMatchObject({
      code: "tools_missing",
      message: expect.stringContaining(names),
    });
  });

  it("asking for one that cannot be used says why", async () => {
    const { client } = paged([
      tool("a", { inputSchema: 3 }),
      tool("b", { inputSchema: { $ref: "#/x" } }),
    ]);
    const errors = await Promise.all(
      ["a", "b"].map((name) => equip(client, { tools: [name] }).catch((error: unknown) => error)),
    );
    expect(errors).toMatchObject([
      { code: "tools_missing", message: expect.stringContaining("inputSchema must be an object") },
      { code: "tools_missing", message: expect.stringMatching(/"b" \(.*#\/x/) },
    ]);
  });

  it("what is left out is named in the kit and in one event", async () => {
    const events: AdapterMCPEvent[] = [];
    const cyclic: Record<string, unknown> = { type: "object" };
    cyclic["self"] = cyclic;
    const { client } = paged([
      tool("a"),
      tool("a"),
      tool(""),
      tool("b", { inputSchema: [] }),
      tool("c", { inputSchema: { properties: { x: { pattern: "(" } } } }),
      tool("d", { inputSchema: cyclic }),
      tool("e"),
      tool("f"),
    ]);
    const kit = await equip(client, { maxItems: 4, onEvent: (event) => events.push(event) });
    expect(namesOf(kit)).toEqual(["a", "e"]);
    expect(kit.omitted.map(({ name, code }) => [name, code])).toEqual([
      ["a", "duplicate_name"],
      [undefined, "invalid_name"],
      ["b", "invalid_schema"],
      ["d", "unreadable"],
      ["f", "max_items"],
      ["c", "unusable_schema"],
    ]);
    expect(kit.omitted.every(({ message }) => message.length > 10)).toBe(true);
    expect(events).toEqual([{ type: "tools.omitted", clientId: "c", omitted: kit.omitted }]);
  });

  it("a list that goes in circles ends, with a warning", async () => {
    const events: AdapterMCPEvent[] = [];
    const { client } = fakeClient({
      listTools: () => ({ tools: tools("a", "b"), nextCursor: "again" }),
    });
    const kit = await equip(client, { onEvent: (event) => events.push(event) });
    expect(namesOf(kit)).toEqual(["a", "b"]);
    expect(events).toMatchObject([
      { type: "warning", method: "tools/list", code: "cursor_cycle", clientId: "c" },
    ]);
  });

  it("a bare array is a list of one page", async () => {
    const { client } = fakeClient({ listTools: () => tools("b", "a") });
    expect(namesOf(await equip(client))).toEqual(["a", "b"]);
  });

  it("an empty cursor is a cursor", async () => {
    const { client, log } = fakeClient({
      listTools: (params) =>
        params ? { tools: tools("b") } : { tools: tools("a"), nextCursor: "" },
    });
    expect(namesOf(await equip(client))).toEqual(["a", "b"]);
    expect(log).toEqual([
      ["listTools", undefined],
      ["listTools", { cursor: "" }],
    ]);
  });
});

describe("a list that fails", () => {
  it.each([0, 1, 2])("on page %i is the server's error, asked for once", async (at) => {
    const pages: unknown[] = [tools("a"), tools("b"), tools("c")];
    pages[at] = new Error("quota exceeded");
    const { client, log } = paged(...pages);
    await expect(equip(client)).rejects.toBe(pages[at]);
    expect(log).toHaveLength(at + 1);
  });

  it.each([
    ["a number for the tools", { tools: 1 }, "invalid_catalog_shape"],
    ["an empty object", {}, "invalid_catalog_shape"],
    ["null", null, "invalid_catalog_shape"],
    ["a number for the cursor", { tools: [], nextCursor: 2 }, "invalid_cursor"],
    [
      "what throws when it is read",
      Object.defineProperty({}, "tools", {
        get: () => {
          throw new Error("no");
        },
      }),
      "invalid_catalog_shape",
    ],
  ])("to be one is a coded error: %s", async (_, answer, code) => {
    const { client } = fakeClient({ listTools: () => answer });
    await expect(equip(client)).rejects.toMatchObject({ name: "McpProtocolError", code });
  });

  it("to end is a coded error", async () => {
    let count = 0;
    const { client, log } = fakeClient({
      listTools: () => ({ tools: tools(`t${count++}`), nextCursor: String(count) }),
    });
    await expect(equip(client)).rejects.toMatchObject({ code: "catalog_limit_exceeded" });
    expect(log).toHaveLength(1_000);
  });

  it.each([
    ["a code", Object.assign(new Error("nope"), { code: -32_601 })],
    ["its message", new Error("MCP error -32601: Method not found")],
    ["a cause", new Error("failed", { cause: Object.assign(new Error("x"), { code: -32_601 }) })],
  ])("because the server has none, told by %s, is empty", async (_, error) => {
    const { client } = paged(error);
    expect(namesOf(await equip(client))).toEqual([]);
  });

  it("so on a later page is an error", async () => {
    const { client } = paged(tools("a"), new Error("MCP error -32601: Method not found"));
    await expect(equip(client)).rejects.toThrow("-32601");
  });

  it("with a cause that is itself is told from one that is not there", async () => {
    const error = new Error("loop");
    error.cause = error;
    await expect(equip(paged(error).client)).rejects.toBe(error);
  });

  it.each([{}, { prompts: {} }])("is not asked for from a server with %j", async (capabilities) => {
    const { client, log } = fakeClient({
      listTools: () => ({ tools: tools("a") }),
      getServerCapabilities: () => capabilities,
    });
    expect(namesOf(await equip(client))).toEqual([]);
    await expect(equip(client, { tools: ["a"] })).rejects.toMatchObject({ code: "tools_missing" });
    expect(log).toEqual([]);
  });
});

describe("what is remembered", () => {
  it("is asked for once for each selection, also side by side", async () => {
    const host = smallHost();
    const { client, log } = paged(tools("a", "b"));
    for (let round = 0; round < 3; round += 1) {
      await equip(client, {}, host);
      await equip(client, { tools: ["a"] }, host);
      await equip(client, { tools: ["b", "a"] }, host);
      await equip(client, { tools: ["a", "b", "a"] }, host);
      await equip(client, { maxItems: 1 }, host);
      await equip(client, { clientId: "other" }, host);
      await equip(client, { maxItems: Number.POSITIVE_INFINITY }, host);
    }
    expect(log).toHaveLength(6);
    await Promise.all([equip(client, { maxItems: 7 }, host), equip(client, { maxItems: 7 }, host)]);
    expect(log).toHaveLength(7);
  });

  it("is asked for again with forceRefresh, by all from then on", async () => {
    const host = smallHost();
    const lists = [tools("old"), tools("new"), tools("newer")];
    const { client, log } = fakeClient({ listTools: () => ({ tools: lists.shift() }) });
    const first = await equip(client, {}, host);
    expect(namesOf(await equip(client, { forceRefresh: true }, host))).toEqual(["new"]);
    expect(namesOf(await equip(client, {}, host))).toEqual(["new"]);
    expect(namesOf(first)).toEqual(["old"]);
    expect(log).toHaveLength(2);
  });

  it("serves a client that cannot be asked, with all that a tool needs", async () => {
    const host = smallHost();
    const listed = tool("t", {
      title: "Title",
      execution: { taskSupport: "required" },
      inputSchema: JSON.parse(
        '{"properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}',
      ),
    });
    await equip(paged([listed, tool("u")]).client, { maxItems: 1 }, host);
    const { client, log } = fakeClient({ listTools: () => Promise.reject(new Error("closed")) });
    const kit = await equip(client, { maxItems: 1 }, host);
    const [made] = kit.tools;
    expect(made?.description).toBe("Title");
    expect(made?.parameters.safeParse({}).success).toBe(false);
    await expect(made?.handler({})).rejects.toMatchObject({ code: "unsupported" });
    expect(kit.omitted).toMatchObject([{ name: "u", code: "max_items" }]);
    expect(log).toEqual([]);
  });

  it("of a failed list is nothing", async () => {
    const host = smallHost();
    const { client: broken } = paged(new Error("down"));
    await expect(equip(broken, {}, host)).rejects.toThrow("down");
    expect(namesOf(await equip(paged(tools("a")).client, {}, host))).toEqual(["a"]);
  });

  it.each([
    undefined,
    null,
    3,
    "",
    "[]",
    "{",
    '{"tools":[]}',
    '{"tools":{},"omitted":[],"cut":[]}',
  ])("and comes back as %j is refused", async (value) => {
    const host = smallHost({ memo: async () => value });
    await expect(equip(paged([]).client, {}, host)).rejects.toMatchObject({
      name: "McpProtocolError",
      code: "invalid_catalog_shape",
    });
  });

  it("and comes back with entries that are none is read without them", async () => {
    const text = JSON.stringify({ tools: [tool("a"), 1], omitted: [2, { name: "x" }], cut: [3] });
    const kit = await equip(paged([]).client, {}, smallHost({ memo: async () => text }));
    expect(namesOf(kit)).toEqual(["a"]);
    expect(kit.omitted).toEqual([]);
  });

  it("holds no undefined, in keys, values or dependencies", async () => {
    const seen: unknown[] = [];
    const host = smallHost({
      async memo(key, make, deps) {
        const value = await make();
        seen.push(key, value, ...deps);
        return value;
      },
    });
    await equip(paged([tool("a"), tool(3)]).client, {}, host);
    expect(seen).toHaveLength(3);
    expect(seen.every((each) => ["string", "number"].includes(typeof each))).toBe(true);
  });

  it("is not waited for once the agent is stopped", async () => {
    const controller = new AbortController();
    let own: AbortSignal | undefined;
    const { client } = fakeClient({
      getNegotiatedProtocolVersion: () => "2025-11-25",
      listTools(_, options) {
        own = Reflect.get(Object(options), "signal");
        return new Promise(() => undefined);
      },
    });
    const kit = equip(client, {}, smallHost({ signal: () => controller.signal }));
    await new Promise((resolve) => setTimeout(resolve));
    controller.abort(new Error("stopped"));
    await expect(kit).rejects.toThrow("stopped");
    expect(own?.aborted).toBe(true);
  });
});
