import { getEventListeners } from "node:events";
import type { Client as ClientV2 } from "@modelcontextprotocol/client";
import type { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { describe, expect, it, vi } from "vitest";
import { createEquipMCP, type EquipMCPOptions, type MCPClientLike } from "../src/index.ts";
import { instrumented } from "./fake-client.ts";
import { connect, sdks } from "./servers/clients.ts";
import { count, serve } from "./servers/testkit.ts";
import { smallHost } from "./small-host.ts";

const equip = (client: MCPClientLike, options: Partial<EquipMCPOptions> = {}, host = smallHost()) =>
  createEquipMCP(host)(client, { clientId: "c", ...options });

const outputSchema = {
  type: "object",
  properties: { rows: { type: "array" } },
  required: ["rows"],
};

function listed(name: string, more: object = {}) {
  return { name, inputSchema: { type: "object" }, ...more };
}

describe.each(sdks)("over the client of SDK %s", (sdk) => {
  const wraps: readonly [string, (client: ClientV1 | ClientV2) => ClientV1 | ClientV2][] = [
    ["bare", (client) => client],
    ["behind a proxy", instrumented],
  ];

  it.each(wraps)("a result against the output schema is a result: %s", async (_, wrap) => {
    const server = await serve({
      tools: [
        {
          listed: listed("t", { outputSchema }),
          result: { content: [{ type: "text", text: "2 rows" }], structuredContent: { rows: 2 } },
        },
      ],
    });
    const client = wrap(await connect(sdk, server));
    await client.listTools();
    const { toolMap } = await equip(client);
    expect(await toolMap["t"]?.handler({})).toBe("2 rows");
    expect(count(server, "tools/call")).toBe(1);
  });

  it.each([
    [
      "a block of an unknown type",
      { content: [{ type: "chart", points: [1] }] },
      '{"type":"chart","points":[1]}',
    ],
    ["content that is no list", { content: "hi" }, "hi"],
    ["the old wrapper", { toolResult: "hi" }, "hi"],
    [
      "keys that a type does not know",
      { content: [{ type: "poll", more: { deep: 1 } }] },
      '{"type":"poll","more":{"deep":1}}',
    ],
  ])("nothing is lost of %s", async (_, result, expected) => {
    const server = await serve({ tools: [{ listed: listed("t"), result }] });
    const { toolMap } = await equip(await connect(sdk, server));
    expect(await toolMap["t"]?.handler({})).toBe(expected);
    expect(count(server, "tools/call")).toBe(1);
  });

  it("one bad tool costs the others nothing", async () => {
    const server = await serve({
      tools: [
        { listed: listed("a") },
        { listed: { name: "b", inputSchema: 3 } },
        { listed: { name: "c" } },
        { listed: listed("d", { outputSchema: { $ref: "https://example.org/none.json" } }) },
        { listed: listed("e", { outputSchema: { type: "array" } }) },
      ],
    });
    const kit = await equip(await connect(sdk, server));
    expect(kit.tools.map(({ name }) => name)).toEqual(["a", "c", "d", "e"]);
    expect(kit.omitted).toMatchObject([{ name: "b", code: "invalid_schema" }]);
  });

  it("autoPaginate decides how many pages are asked for", async () => {
    const tools = ["a", "b", "c"].map((name) => ({ listed: listed(name) }));
    const server = await serve({ tools, pageSize: 1 });
    const client = await connect(sdk, server);
    expect((await equip(client, { autoPaginate: false })).tools).toHaveLength(1);
    expect(count(server, "tools/list")).toBe(1);
    expect((await equip(client)).tools).toHaveLength(3);
    expect(count(server, "tools/list")).toBe(4);
  });

  it("calls leave no listener on the agent's signal", async () => {
    const server = await serve({ tools: [{ listed: listed("t") }] });
    const { signal } = new AbortController();
    const host = smallHost({ signal: () => signal });
    const { toolMap } = await equip(await connect(sdk, server), {}, host);
    const warned = vi.spyOn(process, "emitWarning");
    const calls = Array.from({ length: 20 }, () => toolMap["t"]?.handler({}));
    expect(getEventListeners(signal, "abort").length).toBeLessThanOrEqual(1);
    await Promise.all(calls);
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
    expect(server.cancelled).toHaveLength(0);
  });

  it("an error of the server is thrown as the client has it", async () => {
    const server = await serve({
      tools: [{ listed: listed("t"), result: {} }],
      faults: [
        { fault: "rpc-error", code: -32_000, message: "quota of 7 exceeded", method: "tools/call" },
      ],
    });
    const { toolMap } = await equip(await connect(sdk, server));
    await expect(toolMap["t"]?.handler({})).rejects.toMatchObject({
      code: -32_000,
      message: expect.stringContaining("quota of 7 exceeded"),
    });
    expect(count(server, "tools/call")).toBe(1);
  });
});
