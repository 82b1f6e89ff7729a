// Holds the built @x/tool-schema against several releases of Zod: node compat/zod-matrix/run.mjs
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const print = (line) => process.stdout.write(`${line}\n`);
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const run = (command, args) => execFileSync(command, args, { cwd: here("."), encoding: "utf8" });

if (!existsSync(here("node_modules/zod-4.6"))) {
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
}
const entries = ["zod", "zod3"].map(
  (name) => new URL(`../../packages/tool-schema/dist/${name}.js`, import.meta.url).href,
);
for (const entry of entries) {
  if (!existsSync(fileURLToPath(entry))) throw new Error(`${entry} is missing: build tool-schema`);
}

const { dependencies } = JSON.parse(readFileSync(here("package.json"), "utf8"));
const aliases = Object.keys(dependencies).filter(
  (name) => name.startsWith("zod-") && /\d$/.test(name),
);
const columns = aliases.map((alias) => {
  const setup = `import { register } from "node:module"; register(${JSON.stringify(
    new URL("hooks.mjs", import.meta.url).href,
  )}, { data: ${JSON.stringify({ alias, from: new URL("package.json", import.meta.url).href })} });`;
  const flag = `data:text/javascript,${encodeURIComponent(setup)}`;
  const { version } = JSON.parse(readFileSync(here(`node_modules/${alias}/package.json`), "utf8"));
  const result = JSON.parse(run(process.execPath, ["--import", flag, "core.mjs", ...entries]));
  const inside = result["zod/v4 calls itself"];
  const isIt = version.startsWith("4.") ? inside === version : inside.startsWith("4.0.");
  if (!isIt) throw new Error(`zod ${version} was asked for, ${inside} answered`);
  return { version, result };
});

print(`| | ${columns.map(({ version }) => version).join(" | ")} |`);
print(`| --- |${" --- |".repeat(columns.length)}`);
const failures = [];
for (const name of Object.keys(columns[0].result)) {
  const cells = columns.map(({ version, result }) => {
    if (!result[name].startsWith("FAILED")) return result[name];
    failures.push(`${version}: ${name}: ${result[name]}`);
    return "FAILED";
  });
  print(`| ${name} | ${cells.join(" | ")} |`);
}
if (failures.length > 0) {
  process.stderr.write(`\n${failures.join("\n\n")}\n`);
  process.exitCode = 1;
}
