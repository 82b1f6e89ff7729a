import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";
import { everything } from "../servers.ts";

const client = new MultiServerMCPClient({ mcpServers: { demo: everything } });
const model = new ChatOpenAI({ model: "gpt-5", useResponsesApi: true });
const agent = createAgent({ model, tools: await client.getTools() });
const content = "What is 19 + 23? Then show me the logo and the weather in Chicago.";
const { messages } = await agent.invoke({ messages: [{ role: "user", content }] });
console.log(messages.at(-1)?.text);
await client.close();
