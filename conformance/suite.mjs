// One run of the official suite: its clients are ours, its verdicts are read from what it writes.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));

/**
 * What the suite finds in every request that bears a token, the one for the event stream included,
 * which may come too late to be counted.
 */
const countedOnce = "valid-bearer-token";

export function install() {
  if (existsSync(join(here, "node_modules/@modelcontextprotocol/conformance-stable"))) return;
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const args = ["ci", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  const { status } = spawnSync(npm, args, { cwd: here, stdio: "inherit" });
  if (status !== 0) throw new Error(`npm ci ended with ${status}`);
}

/**
 * @param folder an empty one, for what the suite and its clients write
 * @returns what became of each scenario, by its name
 */
export async function runSuite({ release, engine, protocol = "legacy", args }, driver, folder) {
  mkdirSync(folder, { recursive: true });
  const command = `"${process.execPath}" "${join(here, "client.mjs")}"`;
  const child = spawn(
    process.execPath,
    [
      "--import",
      "./hook.mjs",
      `node_modules/@modelcontextprotocol/${release}/dist/index.js`,
      "client",
      ...["--command", command, ...args, "--timeout", "300000", "-o", join(folder, "out")],
    ],
    {
      cwd: here,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        MCP_ENGINE: engine,
        MCP_PROTOCOL: protocol,
        CONFORMANCE_FOLDER: folder,
        CONFORMANCE_DRIVER: driver,
      },
    },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text) => {
      output += text;
    });
  }
  await new Promise((resolve) => child.on("close", resolve));
  const unscored = new Set(
    [...output.matchAll(/^ {2}[✓✗] (\S+) \((?:extension|added-after-release)/gm)].map(
      ([, scenario]) => scenario,
    ),
  );
  const rows = readRows(folder, unscored);
  if (rows.size === 0) console.error(output);
  return rows;
}

function readRows(folder, unscored) {
  const out = join(folder, "out");
  const rows = new Map();
  for (const file of existsSync(out) ? readdirSync(out, { recursive: true }) : []) {
    const [, scenario] =
      /^(.+)-\d{4}-\d\d-\d\dT[\d-]+Z[/\\]checks\.json$/
        .exec(file)
        ?.map((part) => part.replaceAll("\\", "/")) ?? [];
    if (scenario === undefined) continue;
    const checks = JSON.parse(readFileSync(join(out, file), "utf8"));
    const exit = readFileSync(join(folder, `exit-${scenario.replaceAll("/", "-")}`), "utf8");
    rows.set(scenario, {
      passed: countPassed(checks),
      failed: checks.filter(({ status }) => status === "FAILURE" || status === "WARNING"),
      exitCode: Number(exit),
      scored: !unscored.has(scenario),
      said: ["stdout.txt", "stderr.txt"].map((name) =>
        readFileSync(join(out, file, "..", name), "utf8"),
      ),
    });
  }
  return rows;
}

function countPassed(checks) {
  const passed = checks.filter(({ status }) => status === "SUCCESS");
  const repeated = passed.filter(({ id }) => id === countedOnce).length;
  return passed.length - Math.max(0, repeated - 1);
}
