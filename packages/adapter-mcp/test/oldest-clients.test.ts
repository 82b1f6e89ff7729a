import { everything } from "@x/test-servers";
import { describe, expect, it, vi } from "vitest";
import { createEquipMCP, fromMCPTool, type MCPClientLike, toClientFacade } from "../src/index.ts";
import { instrumented } from "./fake-client.ts";
import { sdks } from "./servers/clients.ts";
import { listed } from "./servers/listed.ts";
import { connectOldest } from "./servers/oldest-clients.ts";
import { serve } from "./servers/testkit.ts";
import { smallHost } from "./small-host.ts";

const wraps: readonly [string, (client: MCPClientLike) => MCPClientLike][] = [
  ["bare", (client) => client],
  ["behind a proxy", instrumented],
];

const features = "demo://resource/static/document/features.md";

describe.each(sdks)("the oldest client of SDK %s", (sdk) => {
  it.each(wraps)("has tools, resources and prompts: %s", async (_, wrap) => {
    const client = wrap(await connectOldest(sdk, everything()));
    const kit = await createEquipMCP(smallHost())(client, { clientId: "c", enableResources: true });
    const call = (name: string, args: object) =>
      (kit.toolMap[name] ?? kit.resourceToolMap[name])?.handler(args);
    expect(kit.omitted).toEqual([]);
    expect(await call("get-sum", { a: 19, b: 23 })).toBe("The sum of 19 and 23 is 42.");
    expect(await call("get-structured-content", { location: "Chicago" })).toContain("temperature");
    // A kind of block that is younger than SDK v1 1.10.0.
    expect(await call("get-resource-links", { count: 1 })).toContain("[resource link: demo://");
    const image = { url: expect.stringMatching(/^data:image\/png;base64,/) };
    expect(await call("get-tiny-image", {})).toMatchObject({
      $rejellyContent: [{ type: "text" }, { type: "image", image }, { type: "text" }],
    });
    expect(await call("mcp_list_resources", {})).toContain(features);
    expect(await call("mcp_read_resource", { uri: features })).toContain("# Everything Server");
    expect(await kit.prompts.list()).toHaveLength(4);
    const city = await kit.prompts.get("args-prompt", { city: "Oslo" });
    expect(city.asInstruction()).toContain("Oslo");
  });

  it.each(wraps)("is told of an abort, and tells the server: %s", async (_, wrap) => {
    const server = await serve({
      tools: [
        {
          listed: listed("t"),
          run: async (_args, { signal }) => {
            await new Promise((resolve) => {
              signal.addEventListener("abort", resolve);
            });
            return { content: [] };
          },
        },
      ],
    });
    const controller = new AbortController();
    const host = smallHost({ signal: () => controller.signal });
    const client = wrap(await connectOldest(sdk, server));
    const { toolMap } = await createEquipMCP(host)(client, { clientId: "c" });
    const call = toolMap["t"]?.handler({});
    const ended = expect(call).rejects.toThrow("enough");
    await vi.waitFor(() => expect(server.calls).toHaveLength(1));
    controller.abort(new Error("enough"));
    await ended;
    await vi.waitFor(() => expect(server.cancelled).toMatchObject([{ running: true }]));
  });

  it("becomes a facade", async () => {
    const facade = toClientFacade(await connectOldest(sdk, everything()));
    expect(await facade.callTool("echo", { message: "hi" })).toMatchObject({
      content: [{ type: "text", text: "Echo: hi" }],
    });
  });

  it("refuses a tool that runs only as a task, and says which clients do not", async () => {
    const client = await connectOldest(sdk, everything());
    const tool = { name: "simulate-research-query", execution: { taskSupport: "required" } };
    await expect(fromMCPTool(tool, client).handler({ topic: "tides" })).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringContaining("SDK v1 clients from 1.24.0 on"),
    });
  });
});
