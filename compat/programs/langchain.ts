import { ChatOpenAI } from "@langchain/openai";
import { connectServers } from "@x/mcp-adapter";
import { modelTools, ToolRegistry } from "@x/tool-registry";
import { langChainSchema, openAIParts } from "@x/tool-registry/providers";
import { createAgent, tool } from "langchain";
import { everything } from "./servers.ts";

const registry = new ToolRegistry();
const hub = await connectServers([{ name: "demo", ...everything }], { registry });
const offered = modelTools(registry);
const tools = offered.tools.map(({ name, description, inputSchema }) => {
  const fields = { name, description, schema: langChainSchema(inputSchema) };
  return tool(async (args) => openAIParts(await offered.call(name, args)), fields);
});
const model = new ChatOpenAI({ model: "gpt-5", useResponsesApi: true });
const agent = createAgent({ model, tools });
const content = "What is 19 + 23? Then show me the logo and the weather in Chicago.";
const { messages } = await agent.invoke({ messages: [{ role: "user", content }] });
console.log(messages.at(-1)?.text);
await hub.close();
