// Runs every example, one after another, the main job first. Needs `dist`, so build first.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../examples", import.meta.url));
const first = "main-job";
const names = readdirSync(folder)
  .filter((name) => existsSync(join(folder, name, "main.ts")))
  .sort((a, b) => Number(b === first) - Number(a === first) || a.localeCompare(b));

const { NO_COLOR } = process.env;
const coloured = process.stdout.isTTY === true && !NO_COLOR;
const bold = (/** @type {string} */ text) => (coloured ? `\x1b[1m${text}\x1b[22m` : text);
const dim = (/** @type {string} */ text) => (coloured ? `\x1b[2m${text}\x1b[22m` : text);
const seconds = (/** @type {number} */ since) =>
  `${((performance.now() - since) / 1000).toFixed(1)} s`;

if (names.length === 0) {
  console.error("no example has a main.ts");
  process.exit(1);
}
const started = performance.now();
for (const [index, name] of names.entries()) {
  console.log(bold(`\n=== ${name} (${index + 1} of ${names.length}) ===`));
  const begun = performance.now();
  const { status, signal } = spawnSync(
    process.execPath,
    ["--import", import.meta.resolve("tsx"), "main.ts"],
    { cwd: join(folder, name), stdio: "inherit" },
  );
  if (status !== 0) {
    console.error(`\nexample ${name} failed: ${signal ?? `exit ${status}`}`);
    process.exit(1);
  }
  console.log(dim(`--- ${name} ended well after ${seconds(begun)}`));
}
console.log(bold(`\n${names.length} examples passed in ${seconds(started)}`));
