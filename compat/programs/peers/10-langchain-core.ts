import assert from "node:assert/strict";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { calls, ownTools, prices } from "../own-tools.ts";

const byName = new Map(ownTools.map((tool) => [tool.name, tool]));
const offered = ownTools.map((tool) => convertToOpenAITool(tool));
assert.equal(offered.length, 2);
const messages = ["What does tea cost? Then clear the shop."];
for (const call of calls) {
  try {
    const tool = byName.get(call.name);
    if (tool === undefined) throw new Error(`tool ${call.name} not found`);
    const args = JSON.parse(call.arguments || "{}");
    if (tool.metadata?.["destructive"] === true) throw new Error("denied: not approved");
    messages.push(String(await tool.invoke(args, { signal: AbortSignal.timeout(1_000) })));
  } catch (error) {
    messages.push(`Error: ${error instanceof Error ? error.message : error}`);
  }
}
console.log(messages.join("\n"));
assert.match(messages[1] ?? "", /JSON/);
assert.equal(messages[2], '{"item":"tea","cents":350}');
assert(messages[3]?.includes("denied") && prices.size === 1);
