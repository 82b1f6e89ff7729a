import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { mustRun, run, toolPath } from "./command.mjs";
import { writeJson } from "./stranger.mjs";

/** @typedef {import("./tarballs.mjs").Packed} Packed */

/**
 * What a consumer may import of a package: its root and its subpaths, but for plain files.
 * @param {Pick<Packed, "name" | "manifest">} packed
 * @returns {string[]}
 */
export function entriesOf({ name, manifest }) {
  return Object.keys(manifest.exports)
    .filter((path) => !path.endsWith(".json"))
    .map((path) => {
      if (path.includes("*")) throw new Error(`${name} exports a pattern: ${path}`);
      return `${name}${path.slice(1)}`;
    });
}

/**
 * Imports and requires entries in one fresh process, which then has to end by itself, silent.
 * @param {string} folder whose node_modules has them
 * @param {readonly string[]} entries
 */
export async function load(folder, entries) {
  writeFileSync(
    join(folder, "load.mjs"),
    `import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
for (const entry of ${JSON.stringify(entries)}) {
  const imported = Object.keys(await import(entry)).sort().join();
  const required = Object.keys(require(entry)).sort().join();
  if (imported !== required) throw new Error(entry + ": require gives " + required + ", import " + imported);
}
`,
  );
  const { ok, stdout, stderr, why } = await run(process.execPath, ["load.mjs"], {
    cwd: folder,
    timeoutMs: 20_000,
  });
  if (!ok) throw new Error(why);
  if (stdout + stderr !== "") throw new Error(`printed while it was loaded: ${stdout}${stderr}`);
}

const strict = {
  target: "ES2022",
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
};
const worlds = {
  node: { lib: ["ES2022"], types: ["node"] },
  web: { lib: ["ES2022", "DOM", "ESNext.Disposable"], types: [] },
};
const resolutions = {
  nodenext: { module: "NodeNext" },
  bundler: { module: "ESNext", moduleResolution: "Bundler" },
};

/**
 * Type-checks the declarations of entries, and all that they lead to, as a consumer's compiler does.
 * @param {string} folder whose node_modules has them
 * @param {readonly string[]} entries
 * @param {keyof typeof worlds} world
 * @param {keyof typeof resolutions} resolution
 */
export async function typeCheck(folder, entries, world, resolution = "nodenext") {
  const names = entries.map((_, index) => `entry${index}`);
  const use = `\nexport const all: readonly object[] = [${names.join(", ")}];\n`;
  const esm = entries.map((entry, index) => `import * as entry${index} from "${entry}";`);
  const cjs = entries.map((entry, index) => `import entry${index} = require("${entry}");`);
  writeFileSync(join(folder, "entries.mts"), esm.join("\n") + use);
  writeFileSync(join(folder, "entries.cts"), cjs.join("\n") + use);
  const files = resolution === "nodenext" ? ["entries.mts", "entries.cts"] : ["entries.mts"];
  const config = `tsconfig.${world}.${resolution}.json`;
  writeJson(join(folder, config), {
    compilerOptions: { ...strict, ...worlds[world], ...resolutions[resolution] },
    files,
  });
  await mustRun(process.execPath, [toolPath("typescript", "tsc"), "-p", config], { cwd: folder });
}
