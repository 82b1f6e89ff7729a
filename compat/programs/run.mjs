// What users write with the frameworks they have, run against a scripted model on loopback, beside
// the same with peers. Needs `dist`, so build first: node compat/programs/run.mjs
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inPairs, mustRun, run, toolPath } from "../../scripts/packed/command.mjs";
import { packAll } from "../../scripts/packed/tarballs.mjs";
import { answer, startModel } from "./harness/model.mjs";
import { ours, ownPrograms, peers, table } from "./harness/programs.mjs";

/** @typedef {import("../../scripts/packed/tarballs.mjs").Packed} Packed */
/** @typedef {import("./harness/programs.mjs").Program} Program */

const cwd = fileURLToPath(new URL(".", import.meta.url));
const started = performance.now();
const flags = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"];

/** The packages that the programs import, and ours behind them. @param {readonly Packed[]} packs */
function needed(packs) {
  const found = new Set(["@x/mcp-adapter", "@x/tool-registry"]);
  for (const name of found) {
    const { manifest } = packs.find((pack) => pack.name === name) ?? {};
    for (const each of Object.keys(manifest?.dependencies ?? {})) {
      if (packs.some((pack) => pack.name === each)) found.add(each);
    }
  }
  return packs.filter(({ name }) => found.has(name));
}

async function install() {
  if (!existsSync(join(cwd, "node_modules/ai"))) {
    await mustRun("npm", ["ci", ...flags], { cwd, timeoutMs: 300_000 });
  }
  const work = mkdtempSync(join(tmpdir(), "programs-"));
  try {
    const tarballs = needed(await packAll(work)).map(({ tarball }) => tarball);
    rmSync(join(cwd, "node_modules/@x"), { recursive: true, force: true });
    const unsaved = ["install", "--no-save", "--no-package-lock", ...flags, ...tarballs];
    await mustRun("npm", unsaved, { cwd, timeoutMs: 180_000 });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** @param {Pick<Program, "file" | "kind">} program @param {Record<string, string>} env */
async function execute({ file, kind }, env) {
  const loader = ["--import", "./harness/loopback.mjs", "--import", import.meta.resolve("tsx")];
  const args = [...loader, ...(kind === "test" ? ["--test-reporter=tap"] : []), file];
  const { ok, stdout, why } = await run(process.execPath, args, {
    cwd,
    timeoutMs: 90_000,
    env: { ...env, OPENAI_AGENTS_DISABLE_TRACING: "1" },
  });
  if (!ok) throw new Error(why);
  return stdout;
}

/** @template T @param {string} file @param {(seen: import("./harness/facts.mjs").Seen) => T} judge */
async function withModel(file, judge) {
  const model = await startModel();
  try {
    const stdout = await execute({ file, kind: "model" }, model.env);
    if (!stdout.includes(answer)) throw new Error(`does not print the answer but\n${stdout}`);
    return judge(model.seen());
  } finally {
    await model.stop();
  }
}

/** Processes that a program has left behind; known on Linux only. */
function leftBehind() {
  if (!existsSync("/proc")) return [];
  return readdirSync("/proc").flatMap((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      return command.includes(join(cwd, "node_modules")) ? [`${pid} ${command}`] : [];
    } catch {
      return [];
    }
  });
}

let failed = 0;

/** @template T @param {string} title @param {() => Promise<T>} body @returns {Promise<T | undefined>} */
async function check(title, body) {
  try {
    const result = await body();
    console.log(`ok      ${title}`);
    return result;
  } catch (error) {
    failed += 1;
    const reason = error instanceof Error ? error.message : String(error);
    console.log(`FAILED  ${title}\n        ${reason.replaceAll("\n", "\n        ")}`);
    return undefined;
  }
}

await install();
await check("every program type-checks under strict", () =>
  mustRun(process.execPath, [toolPath("typescript", "tsc"), "-p", "."], { cwd }),
);
await check("every program of ours has at most 15 lines", async () => {
  const long = ownPrograms().filter(({ count }) => count > 15);
  if (long.length > 0) throw new Error(long.map((at) => `${at.name}: ${at.count}`).join("\n"));
});
await check("the README has the table of lines", async () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const missing = table().filter((line) => !readme.includes(`${line}\n`));
  if (missing.length > 0) throw new Error(`it has not\n${missing.join("\n")}`);
});

const { askServer, checkOurs, factColumns, factsOf } = await import("./harness/facts.mjs");
const bin = "node_modules/@modelcontextprotocol/server-everything/dist/index.js";
const server = { command: process.execPath, args: [join(cwd, bin), "stdio"] };
const reference = await askServer(server);
/** @type {Map<string, string[]>} */
const facts = new Map();

await inPairs(ours, (file) =>
  check(`${file} runs: the model gets what the server gave`, () =>
    withModel(file, (seen) => {
      facts.set(file, factsOf(seen, reference));
      checkOurs(seen, reference, { flagged: file === "anthropic.ts" });
    }),
  ),
);
await inPairs(peers, (program) =>
  check(`${program.file} runs`, async () => {
    if (program.kind !== "model") return void (await execute(program, {}));
    const found = await withModel(program.file, (seen) => factsOf(seen, reference));
    facts.set(program.file, found);
  }),
);
const left = leftBehind();
await check("no program has left a process behind", async () => {
  if (left.length > 0) throw new Error(left.join("\n"));
});

const row = (/** @type {readonly string[]} */ cells) => `| ${cells.join(" | ")} |`;
console.log(`\nWhat reaches the model\n\n${row(["", ...factColumns])}`);
console.log(row(["---", ...factColumns.map(() => "---")]));
for (const file of [...ours, ...peers.map((program) => program.file)]) {
  const cells = facts.get(file);
  if (cells !== undefined) console.log(row([file, ...cells]));
}
console.log(
  `\nLines of a program: no blank ones, imports, comments, nor asserts that await nothing\n`,
);
for (const line of table()) console.log(line);
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(
  `\nprograms: ${failed === 0 ? "all checks passed" : `${failed} failed`} in ${seconds} s`,
);
process.exitCode = failed === 0 ? 0 : 1;
