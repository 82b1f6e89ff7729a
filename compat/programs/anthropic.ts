import Anthropic from "@anthropic-ai/sdk";
import { connectServers } from "@x/mcp-adapter";
import { modelTools, ToolRegistry } from "@x/tool-registry";
import { answerAnthropic, anthropicTools } from "@x/tool-registry/providers";
import { everything } from "./servers.ts";

const { messages } = new Anthropic();
const registry = new ToolRegistry();
const hub = await connectServers([{ name: "demo", ...everything }], { registry });
const tools = modelTools(registry);
const request = { model: "claude-sonnet-5", max_tokens: 9_999, tools: anthropicTools(tools) };
const content = "What is 19 + 23? Then show me the logo and the weather in Chicago.";
let turn = messages.stream({ ...request, messages: [{ role: "user", content }] });
while ((await turn.finalMessage()).stop_reason === "tool_use") {
  const answer = await answerAnthropic(tools, await turn.finalMessage());
  turn = messages.stream({ ...request, messages: [...turn.messages, answer] });
}
console.log(await turn.finalText());
await hub.close();
