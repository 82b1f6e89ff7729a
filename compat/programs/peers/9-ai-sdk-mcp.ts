import assert from "node:assert/strict";
import { test } from "node:test";
import { createMCPClient } from "@ai-sdk/mcp";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { needsUmbrella } from "../umbrella.ts";

test("an umbrella is taken if it rains, and nothing is made up if nobody knows", async () => {
  const server = new McpServer({ name: "weather", version: "1.0.0" });
  let delayMs = 0;
  server.registerTool("get_weather", {}, async () => {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    return { content: [{ type: "text", text: "rain" }] };
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = await createMCPClient({ transport: near });
  assert.equal(await needsUmbrella(client, "Rome"), true);
  delayMs = 2_000;
  assert.equal(await needsUmbrella(client, "Oslo"), null);
  await client.close();
});
