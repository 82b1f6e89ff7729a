import { Agent, MCPServerStdio, run } from "@openai/agents";
import { everything } from "../servers.ts";

const server = new MCPServerStdio({ name: "demo", ...everything });
await server.connect();
const agent = new Agent({ name: "agent", model: "gpt-5", mcpServers: [server] });
const question = "What is 19 + 23? Then show me the logo and the weather in Chicago.";
const { finalOutput } = await run(agent, question);
console.log(finalOutput);
await server.close();
