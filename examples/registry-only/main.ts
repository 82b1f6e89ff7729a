import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { modelTools, requireApproval, resultText, ToolRegistry } from "@x/tool-registry";
import { readOverrides } from "@x/tool-registry/yaml";
import { type Message, scriptedModel } from "./model.ts";
import { noteTools } from "./tools.ts";

const notes = ["Buy milk"];
const registry = new ToolRegistry();
for (const tool of noteTools(notes)) registry.register("notes", tool);

const file = new URL("overrides.yaml", import.meta.url);
const document = readOverrides({ path: "overrides.yaml", text: readFileSync(file, "utf8") });
const { applied, unmatched } = registry.applyOverrides(document, { origin: "team" });
assert.deepEqual([...applied].sort(), ["notes/count", "notes/remove"]);
assert.deepEqual(unmatched, []);

const asked: string[] = [];
registry.use(
  requireApproval(({ tool, capability }) => {
    asked.push(tool.id);
    return { approved: capability.destructive !== true, reason: "the user says no" };
  }),
);

console.log("the registry:\n");
for (const { id, capability, description, overrides } of registry) {
  const changed = overrides.length > 0 ? "  (overridden)" : "";
  console.log(`  ${id.padEnd(14)}${capability.effect.padEnd(9)}${description}${changed}`);
}
assert.equal(registry.get("notes/count")?.capability.effect, "read", "the override says so");
assert.equal(registry.get("notes/remove")?.capability.destructive, true);
assert.match(registry.get("notes/remove")?.description ?? "", /for good/);

console.log("\na model at work:\n");
const tools = modelTools(registry);
const messages: Message[] = [{ role: "user", text: "Swap my milk note for oat milk." }];
const outcomes: string[] = [];
let answer: string | undefined;
while (answer === undefined && messages.length < 10) {
  const turn = scriptedModel(messages);
  if ("answer" in turn) {
    answer = turn.answer;
    continue;
  }
  for (const call of turn.calls) {
    const result = await tools.call(call.name, call.arguments, { timeoutMs: 1_000 });
    outcomes.push(result.errorCode ?? "success");
    const text = result.success ? resultText(result) : result.error;
    console.log(`  ${call.name}(${call.arguments})\n    ${text}`);
    messages.push({ role: "tool", text });
  }
}
console.log(`\nthe answer: ${answer}`);

assert.deepEqual(outcomes, ["validation", "success", "success", "denied", "success"]);
assert.deepEqual(asked, ["notes/add", "notes/remove"], "nobody is asked about reading");
assert.deepEqual(notes, ["Buy milk", "Buy oat milk"]);
assert.match(answer ?? "", /2/);

const missing = await tools.call("notes__clear", {});
assert(!missing.success && missing.errorCode === "not_found");
