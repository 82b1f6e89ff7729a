import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mustRun, run, toolPath } from "./command.mjs";
import { brokenPromise, promisedLines } from "./fences.mjs";
import { writeJson } from "./stranger.mjs";

/** @typedef {import("./documents.mjs").Snippet} Snippet */

/**
 * Lays every `ts` snippet into a folder of its own below the stranger's. A line of a program has
 * the number that it has in its document.
 * @param {string} stranger
 * @param {readonly Snippet[]} snippets
 * @returns {{ title: string, folder: string, program: string }[]}
 */
export function layPrograms(stranger, snippets) {
  return snippets.map(({ document, line, text }) => {
    const folder = join(stranger, "snippets", `${document.replaceAll("/", "-")}-${line}`);
    mkdirSync(folder, { recursive: true });
    symlinkSync(join(stranger, "node_modules"), join(folder, "node_modules"), "junction");
    const program = "\n".repeat(line) + text;
    writeFileSync(join(folder, "main.ts"), program);
    return { title: `${document}:${line}`, folder, program };
  });
}

/**
 * @param {string} stranger
 * @param {readonly { folder: string }[]} programs
 */
export async function typeCheckPrograms(stranger, programs) {
  writeJson(join(stranger, "tsconfig.snippets.json"), {
    compilerOptions: {
      target: "ES2022",
      lib: ["ES2022"],
      types: ["node"],
      module: "NodeNext",
      moduleDetection: "force",
      strict: true,
      noEmit: true,
      skipLibCheck: true,
    },
    files: programs.map(({ folder }) => join(folder, "main.ts")),
  });
  const tsc = toolPath("typescript", "tsc");
  await mustRun(process.execPath, [tsc, "-p", "tsconfig.snippets.json"], { cwd: stranger });
}

/**
 * Runs a program as printed: it has to end with 0 within 30 s and print what it promises.
 * @param {{ folder: string, program: string }} program
 */
export async function runProgram({ folder, program }) {
  const { ok, stdout, why } = await run(
    process.execPath,
    ["--import", import.meta.resolve("tsx"), "main.ts"],
    { cwd: folder, timeoutMs: 30_000, env: { TMPDIR: folder } },
  );
  if (!ok) throw new Error(why);
  const broken = brokenPromise(promisedLines(program), stdout);
  if (broken !== undefined) throw new Error(`does not print: ${broken}\nbut\n${stdout}`);
}
