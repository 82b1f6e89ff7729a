import Anthropic from "@anthropic-ai/sdk";
import { type MCPClientLike, mcpTools } from "@anthropic-ai/sdk/helpers/beta/mcp";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { everything } from "../servers.ts";

const client = new Client({ name: "agent", version: "1.0.0" });
await client.connect(new StdioClientTransport(everything));
const { tools } = await client.listTools();
const message = await new Anthropic().beta.messages.toolRunner({
  model: "claude-sonnet-5",
  max_tokens: 9_999,
  tools: mcpTools(tools, client as MCPClientLike),
  messages: [
    {
      role: "user",
      content: "What is 19 + 23? Then show me the logo and the weather in Chicago.",
    },
  ],
});
console.log(message.content.flatMap((block) => (block.type === "text" ? block.text : [])).join(""));
await client.close();
