import { openai } from "@ai-sdk/openai";
import { connectServers } from "@x/mcp-adapter";
import { modelTools, ToolRegistry } from "@x/tool-registry";
import { aiSDKTools } from "@x/tool-registry/providers";
import { generateText, jsonSchema, stepCountIs } from "ai";
import { everything } from "./servers.ts";

const registry = new ToolRegistry();
const hub = await connectServers([{ name: "demo", ...everything }], { registry });
const { text } = await generateText({
  model: openai("gpt-5"),
  prompt: "What is 19 + 23? Then show me the logo and the weather in Chicago.",
  tools: aiSDKTools(modelTools(registry), jsonSchema),
  stopWhen: stepCountIs(9),
});
console.log(text);
await hub.close();
