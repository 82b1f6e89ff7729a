import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

const windows = process.platform === "win32";

/** The caller's environment without what pnpm tells its scripts: a stranger has none of it. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_(?!config_(cache|registry)$)|NODE_PATH$|NODE_OPTIONS$|INIT_CWD$)/.test(name),
  ),
);

/**
 * Runs a command to its end, with no standard input. Past `timeoutMs` its whole process group is
 * killed.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, timeoutMs?: number, env?: Record<string, string> }} options
 * @returns {Promise<{ ok: boolean, stdout: string, stderr: string, why: string }>}
 */
export function run(command, args, { cwd, timeoutMs = 120_000, env = {} }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...environment, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: !windows,
      shell: windows && command !== process.execPath,
    });
    let stdout = "";
    let stderr = "";
    let late = false;
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      stderr += text;
    });
    const timer = setTimeout(() => {
      late = true;
      if (child.pid !== undefined && !windows) process.kill(-child.pid, "SIGKILL");
      else child.kill("SIGKILL");
    }, timeoutMs);
    child.once("error", reject);
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      const end = late ? `not ended after ${timeoutMs / 1000} s` : `exit ${code ?? signal}`;
      const why = [end, stdout.trim(), stderr.trim()].filter((part) => part !== "").join("\n");
      resolve({ ok: code === 0, stdout, stderr, why });
    });
  });
}

/**
 * Like `run`, for a command that has to succeed.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, timeoutMs?: number, env?: Record<string, string> }} options
 * @returns {Promise<string>} what it printed
 */
export async function mustRun(command, args, options) {
  const { ok, stdout, why } = await run(command, args, options);
  if (!ok) throw new Error(`${basename(command)} ${basename(args[0] ?? "")}: ${why}`);
  return stdout;
}

/**
 * The command line of a tool among the root's devDependencies, to be run by Node itself.
 * @param {string} name
 * @returns {string}
 */
export function toolPath(name, bin = name) {
  const require = createRequire(join(root, "package.json"));
  const manifestPath = require.resolve(`${name}/package.json`);
  const declared = require(manifestPath).bin;
  return join(dirname(manifestPath), typeof declared === "string" ? declared : declared[bin]);
}

/**
 * Does the work of every item, two at a time, and keeps the order.
 * @template Item, Result
 * @param {readonly Item[]} items
 * @param {(item: Item) => Promise<Result>} work
 * @returns {Promise<Result[]>}
 */
export async function inPairs(items, work) {
  /** @type {Result[]} */
  const results = [];
  const queue = [...items.entries()];
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, item] = next;
      results[index] = await work(item);
    }
  };
  await Promise.all([lane(), lane()]);
  return results;
}
