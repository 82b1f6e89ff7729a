import assert from "node:assert/strict";
import { inferCapabilities } from "@x/capability-infer";

const column = (text: string, width: number) => text.padEnd(width);

console.log("by name alone:\n");
for (const name of [
  "list_issues",
  "getUserProfile",
  "read-file",
  "create_issue",
  "delete_file",
  "get_or_create_tag",
  "stop_search",
  "settings",
]) {
  const { effect, because } = inferCapabilities(name);
  console.log(`  ${column(name, 20)}${column(effect, 9)}${because[0]?.detail ?? "no word tells"}`);
}

assert.equal(inferCapabilities("list_issues").effect, "read");
assert.equal(inferCapabilities("create_issue").effect, "write");
assert.equal(inferCapabilities("get_or_create_tag").effect, "write", "the stricter word wins");
assert.equal(inferCapabilities("stop_search").readOnly, false, "a search is stopped, not made");
assert.equal(inferCapabilities("settings").effect, "unknown", "whole words only: no `set`");

console.log("\nwith the server's own hints:\n");
const claimed = { name: "delete_file", annotations: { readOnlyHint: true } };
const careful = inferCapabilities(claimed);
console.log(`  delete_file, said to be read-only: ${careful.effect}`);
for (const { detail } of careful.conflicts) console.log(`    ${detail}`);
assert.equal(careful.effect, "write", "a hint cannot make a verdict milder");
assert.equal(careful.conflicts[0]?.about, "readOnly");

const stricter = inferCapabilities({
  name: "list_issues",
  annotations: { readOnlyHint: false },
});
console.log(`  list_issues, said to write: ${stricter.effect}`);
assert.equal(stricter.readOnly, false, "a hint can make it stricter");

const polish = { name: "polish", annotations: { readOnlyHint: true } };
const untrusted = inferCapabilities(polish);
const trusted = inferCapabilities(polish, { trust: "annotations" });
console.log(
  `  polish, said to be read-only: ${untrusted.effect}; if we trust the server: ${trusted.effect}`,
);
assert.equal(untrusted.readOnly, false);
assert.equal(trusted.effect, "read");

const asking = ["list_issues", "create_issue", "settings"].filter(
  (name) => inferCapabilities(name).effect !== "read",
);
console.log(`\nso a user would be asked before: ${asking.join(", ")}`);
assert.deepEqual(asking, ["create_issue", "settings"]);
