import assert from "node:assert/strict";
import { test } from "node:test";
import { MCPToolAdapter } from "@x/mcp-adapter";
import { MockTransport, mockServer } from "@x/mcp-transport/testing";
import { needsUmbrella } from "./agent.ts";

test("an umbrella is taken if it rains, and nothing is made up if nobody knows", async () => {
  const tool = {
    name: "get_weather",
    inputSchema: { type: "object" },
    call: () => ({ content: [{ type: "text", text: "rain" }] }),
  };
  const server = mockServer({ tools: [tool] });
  const adapter = new MCPToolAdapter({ name: "weather" }, { transport: new MockTransport(server) });
  await adapter.connect();
  assert.equal(await needsUmbrella(adapter, "Rome"), true);
  server.handle("tools/call", () => ({ isError: true, content: [] }));
  assert.equal(await needsUmbrella(adapter, "Oslo"), null);
  await adapter.disconnect();
});
