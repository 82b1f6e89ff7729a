// What frameworks make of what @x/tool-schema makes: node compat/consumers/run.mjs
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (path) => new URL(path, import.meta.url);
const cwd = fileURLToPath(here("."));
if (!existsSync(here("node_modules/ai"))) {
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd });
}
const entries = ["zod", "zod3"].map(
  (name) => here(`../../packages/tool-schema/dist/${name}.js`).href,
);
const data = { alias: "zod", from: here("package.json").href };
const hooks = here("../zod-matrix/hooks.mjs").href;
const setup = `import { register } from "node:module";
register(${JSON.stringify(hooks)}, { data: ${JSON.stringify(data)} });`;
const flag = `data:text/javascript,${encodeURIComponent(setup)}`;
execFileSync(process.execPath, ["--import", flag, "core.mjs", ...entries], {
  cwd,
  stdio: "inherit",
});
