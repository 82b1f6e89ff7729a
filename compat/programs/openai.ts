import { connectServers } from "@x/mcp-adapter";
import { modelTools, ToolRegistry } from "@x/tool-registry";
import { answerOpenAI, openAITools } from "@x/tool-registry/providers";
import OpenAI from "openai";
import { everything } from "./servers.ts";

const { responses } = new OpenAI();
const registry = new ToolRegistry();
const hub = await connectServers([{ name: "demo", ...everything }], { registry });
const tools = modelTools(registry);
const request = { model: "gpt-5", tools: openAITools(tools) };
const question = "What is 19 + 23? Then show me the logo and the weather in Chicago.";
let reply = await responses.create({ ...request, input: question });
for (;;) {
  const input = await answerOpenAI(tools, reply);
  if (input.length === 0) break;
  reply = await responses.create({ ...request, previous_response_id: reply.id, input });
}
console.log(reply.output_text);
await hub.close();
