import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio";
import { openai } from "@ai-sdk/openai";
import { generateText, stepCountIs } from "ai";
import { everything } from "../servers.ts";

const client = await createMCPClient({ transport: new Experimental_StdioMCPTransport(everything) });
const { text } = await generateText({
  model: openai("gpt-5"),
  prompt: "What is 19 + 23? Then show me the logo and the weather in Chicago.",
  tools: await client.tools(),
  stopWhen: stepCountIs(9),
});
console.log(text);
await client.close();
