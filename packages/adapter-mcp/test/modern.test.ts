import * as current from "@modelcontextprotocol/client";
import * as oldest from "client-oldest";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { callMcpTool, createEquipMCP, type EquipMCPOptions, toClientFacade } from "../src/index.ts";
import { instrumented } from "./fake-client.ts";
import { type ModernServer, serveModern } from "./servers/modern.ts";
import { smallHost } from "./small-host.ts";

type ClientModule = Pick<typeof current, "Client" | "StreamableHTTPClientTransport">;

const modules: readonly [string, ClientModule][] = [
  ["the current client", current],
  // Private members part the two classes; what is called here they have in common.
  ["the oldest client", oldest as unknown as ClientModule],
];
const wraps: readonly [string, <T extends object>(client: T) => T][] = [
  ["bare", (client) => client],
  ["behind a proxy", instrumented],
];

const cases = modules.flatMap(([which, module]) =>
  wraps.map(([how, wrap]) => ({ name: `${which} of SDK v2, ${how}`, module, wrap })),
);

async function connectModern(
  { Client, StreamableHTTPClientTransport }: ClientModule,
  { url }: ModernServer,
) {
  const client = new Client(
    { name: "suite", version: "1.0.0" },
    {
      capabilities: { elicitation: {} },
      versionNegotiation: { mode: { pin: "2026-07-28" } },
    },
  );
  client.setRequestHandler("elicitation/create", () => ({
    action: "accept",
    content: { name: "Ada" },
  }));
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  onTestFinished(() => client.close());
  expect(client.getProtocolEra()).toBe("modern");
  return client;
}

describe.each(cases)("in the era of 2026-07-28, over $name", ({ module, wrap }) => {
  async function kitOver(signal?: AbortSignal, options: Partial<EquipMCPOptions> = {}) {
    const server = await serveModern();
    const client = wrap(await connectModern(module, server));
    const host = smallHost({ signal: () => signal });
    const kit = await createEquipMCP(host)(client, { clientId: "c", ...options });
    const calls = () => server.requests.filter(({ method }) => method === "tools/call");
    return { server, kit, calls };
  }

  it("a call is one request, with the headers of the era", async () => {
    const { server, kit, calls } = await kitOver();
    expect(kit.tools.map(({ name }) => name)).toEqual(["echo", "greet", "sales", "wait"]);
    expect(kit.omitted).toEqual([]);
    expect(await kit.toolMap["echo"]?.handler({ said: "hi" })).toBe("hi");
    expect(calls()).toHaveLength(1);
    expect(calls()[0]?.headers).toMatchObject({
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "echo",
    });
    expect(server.requests.filter(({ method }) => method === "tools/list")).toHaveLength(1);
  });

  it("an argument that its schema wants in a header is there too", async () => {
    const { kit, calls } = await kitOver();
    expect(await kit.toolMap["sales"]?.handler({ region: "west" })).toBe("west");
    expect(await kit.toolMap["sales"]?.handler({ region: "øst" })).toBe("øst");
    expect(calls().map(({ headers }) => headers["mcp-param-region"])).toEqual([
      "west",
      `=?base64?${Buffer.from("øst").toString("base64")}?=`,
    ]);
  });

  it("also where only the SDK knows the tool: by callMcpTool and through a facade", async () => {
    const server = await serveModern();
    const client = wrap(await connectModern(module, server));
    await client.listTools();
    const { content } = await callMcpTool(client, "sales", { region: "west" });
    expect(content).toEqual([{ type: "text", text: "west" }]);
    expect(await toClientFacade(client).callTool("sales", { region: "east" })).toMatchObject({
      content: [{ type: "text", text: "east" }],
      isError: false,
    });
    const calls = server.requests.filter(({ method }) => method === "tools/call");
    expect(calls.map(({ headers }) => headers["mcp-param-region"])).toEqual(["west", "east"]);
  });

  it("the application answers what a tool asks for on the way", async () => {
    const { kit, calls } = await kitOver();
    const answer = await kit.toolMap["greet"]?.handler({});
    expect(JSON.parse(String(answer))).toEqual({ action: "accept", content: { name: "Ada" } });
    expect(calls()).toHaveLength(2);
  });

  it("an abort reaches the server", async () => {
    const controller = new AbortController();
    const { server, kit } = await kitOver(controller.signal);
    const ended = expect(kit.toolMap["wait"]?.handler({})).rejects.toThrow("enough");
    await vi.waitFor(() => expect(server.waits).toEqual(["began"]));
    controller.abort(new Error("enough"));
    await ended;
    await vi.waitFor(() => expect(server.waits).toEqual(["began", "aborted"]));
  });

  it("resources and prompts are there", async () => {
    const { kit } = await kitOver(undefined, { enableResources: true });
    const read = kit.resourceToolMap["mcp_read_resource"];
    expect(await read?.handler({ uri: "note://1" })).toBe("remember");
    expect((await kit.prompts.list()).map(({ name }) => name)).toEqual(["plain"]);
    expect((await kit.prompts.get("plain")).asInstruction()).toBe("Say something.");
  });
});
