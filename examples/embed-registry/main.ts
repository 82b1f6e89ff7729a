import assert from "node:assert/strict";
import { modelTools, requireApproval, resultText, ToolRegistry } from "@x/tool-registry";
import { scriptedModel } from "./model.ts";
import { ownTools, prices } from "./tools.ts";

const registry = new ToolRegistry().use(requireApproval(() => false));
registry.replaceNamespace("shop", ownTools);

const tools = modelTools(registry, { maxTools: 128 });
const messages = ["What does tea cost? Then clear the shop."];
for (const call of scriptedModel(tools.tools.map(({ name }) => name))) {
  const result = await tools.call(call.name, call.arguments, { timeoutMs: 1_000 });
  messages.push(resultText(result));
}
console.log(messages.join("\n"));
assert.match(messages[1] ?? "", /no valid JSON/);
assert.equal(messages[2], '{"item":"tea","cents":350}');
assert(messages[3]?.includes("denied") && prices.size === 1);
