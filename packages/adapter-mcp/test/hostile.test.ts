import { describe, expect, it, vi } from "vitest";
import { equipMCP, fromMCPTool, type MCPClientLike, toClientFacade } from "../src/index.ts";
import type { MessageContent } from "./host/contract.ts";
import { inAgent, runCall } from "./host/run.ts";
import { connectV1 } from "./servers/clients.ts";
import { answering, listed } from "./servers/listed.ts";
import { serve } from "./servers/testkit.ts";

vi.mock("@rejelly/core", async () => (await import("./host/core.ts")).core);

/** What is no client, no tool and no result, all the way into an agent and out of it. */

const answerer = (answer: unknown): MCPClientLike => ({
  listTools: async () => ({ tools: [listed("t")] }),
  callTool: async (_name: string, _args: Record<string, unknown>) => answer,
});

describe.each([
  ["undefined", undefined],
  ["null", null],
  ["a text", "client"],
  ["an empty object", {}],
  ["one without callTool", { listTools: async () => ({ tools: [] }) }],
  ["one whose methods are no functions", { listTools: [], callTool: {} }],
])("%s", (_name, client) => {
  it("is no client: the missing method is named", async () => {
    const expected = {
      code: "invalid_port",
      message: expect.stringMatching(/^@x\/adapter-mcp: .*(listTools|callTool)\(\)/),
    };
    const equipped = inAgent(() => equipMCP(client as never, { clientId: "c" }));
    await expect(equipped).rejects.toMatchObject(expected);
    expect(() => toClientFacade(client as never)).toThrow(expect.objectContaining(expected));
  });
});

it.each([
  [undefined, "invalid_tool_name"],
  [{}, "invalid_tool_name"],
  [{ name: 1 }, "invalid_tool_name"],
  [{ name: "" }, "invalid_tool_name"],
  [{ name: "t", inputSchema: [] }, "invalid_tool_schema"],
])("%j is no tool to make one of", (tool, code) => {
  expect(() => fromMCPTool(tool as never, answerer({}))).toThrow(
    expect.objectContaining({ name: "McpProtocolError", code }),
  );
});

it("texts of a tool that are none do not count", () => {
  const tool = { name: "t", title: 7, description: ["x"], inputSchema: null };
  expect(fromMCPTool(tool as never, answerer({})).description).toBe("MCP tool: t");
});

const circular: Record<string, unknown> = { content: [{ type: "text", text: "shown" }] };
circular["structuredContent"] = circular;
const deep = JSON.parse(`${'{"d":'.repeat(5_000)}1${"}".repeat(5_000)}`);
const trap = new Proxy(
  {},
  {
    get() {
      throw new Error("trapped");
    },
  },
);

it.each<[string, unknown, RegExp]>([
  ["one that holds itself", circular, /shown/],
  ["one that is very deep", { content: [], structuredContent: deep }, /./],
  [
    "values that are no JSON",
    { content: [{ type: "x", f: () => 1, n: 1n, at: new Date(0) }] },
    /x/,
  ],
  ["items that are no blocks", { content: [null, undefined, 1, "text", []] }, /text/],
  [
    "a getter that throws",
    { content: [Object.defineProperty({}, "type", { get: () => trap })] },
    /./,
  ],
  ["one that cannot be read", trap, /"error":true/],
  ["an image that is none", { content: [{ type: "image", data: 5, mimeType: {} }] }, /image/],
  [
    "an image without base64",
    { content: [{ type: "image", data: "?!", mimeType: "image/png" }] },
    /not base64/,
  ],
  ["a resource that is none", { content: [{ type: "resource", resource: null }] }, /resource/],
  ["an error without a reason", { isError: true }, /"error":true.*\\"t\\"/],
  ["half of a character", { content: [{ type: "text", text: "a\ud800" }] }, /^a/],
])("of a result with %s the model gets what can be read", async (_name, result, shown) => {
  const answer: MessageContent = await runCall(answerer(result), "t");
  expect(answer).toMatch(shown);
  expect(answer).not.toContain("InvalidToolOutputError");
});

it.each(['text/html"><script>alert(1)</script>', "application/pdf", "image/", ""])(
  "an image of the type %j is text, not a url",
  async (mimeType) => {
    const image = { type: "image", data: "AAEC/w==", mimeType };
    const resource = { type: "resource", resource: { uri: "x://i", mimeType, blob: "AAEC/w==" } };
    const client = await connectV1(await serve({ tools: [answering([image, resource])] }));
    const answer = await runCall(client, "t");
    expect(answer).toEqual(expect.any(String));
    expect(answer).not.toContain("AAEC/w==");
  },
);
