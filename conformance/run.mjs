// Runs the official conformance suite against MCPToolAdapter, over both engines. `node conformance/run.mjs`
import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleDriver } from "./bundle.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const minimumsFile = join(here, "minimums.json");
const updating = process.argv.includes("--update-minimums");

/** The window of this scenario is too narrow for a machine that does anything else. */
const alone = "sse-retry";

const runs = [
  { name: "0.1.16 core, v1", suite: "conformance-stable", args: ["--suite", "core"], engine: "v1" },
  { name: "0.1.16 core, v2", suite: "conformance-stable", args: ["--suite", "core"], engine: "v2" },
  {
    name: "2025-11-25, v1",
    suite: "conformance",
    args: ["--requirements", "2025-11-25"],
    engine: "v1",
  },
  {
    name: "2025-11-25, v2",
    suite: "conformance",
    args: ["--requirements", "2025-11-25"],
    engine: "v2",
  },
  {
    name: "2026-07-28, v2",
    suite: "conformance",
    args: ["--requirements", "2026-07-28"],
    engine: "v2",
    protocol: "auto",
  },
];

function install() {
  if (existsSync(join(here, "node_modules/@modelcontextprotocol/conformance-stable"))) return;
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const args = ["ci", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  const { status } = spawnSync(npm, args, { cwd: here, stdio: "inherit" });
  if (status !== 0) throw new Error(`npm ci ended with ${status}`);
}

const work = mkdtempSync(join(tmpdir(), "conformance-"));
let counted = 0;

/** @returns the standard output of the suite */
async function suite({ suite: name, engine, protocol = "legacy" }, args, driver) {
  counted += 1;
  const slots = join(work, `slots-${counted}`);
  mkdirSync(slots);
  const command = `"${process.execPath}" "${join(here, "client.mjs")}"`;
  const child = spawn(
    process.execPath,
    [
      "--import",
      "./hook.mjs",
      `node_modules/@modelcontextprotocol/${name}/dist/index.js`,
      "client",
      ...["--command", command, ...args, "--timeout", "300000", "-o", join(work, `out-${counted}`)],
    ],
    {
      cwd: here,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        MCP_ENGINE: engine,
        MCP_PROTOCOL: protocol,
        CONFORMANCE_SLOTS: slots,
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
  const code = await new Promise((resolve) => child.on("close", resolve));
  return { output, code };
}

/** What the client of a failed scenario wrote. */
function printClient(scenario) {
  const [name = ""] = scenario.split("/").slice(-1);
  const out = join(work, `out-${counted}`, scenario.includes("/") ? "auth" : "");
  for (const folder of existsSync(out) ? readdirSync(out) : []) {
    if (!folder.startsWith(`${name}-20`)) continue;
    for (const file of ["stdout.txt", "stderr.txt"]) {
      const path = join(out, folder, file);
      if (existsSync(path)) console.error(readFileSync(path, "utf8").slice(0, 4_000));
    }
  }
}

/** The rows of the summary, by scenario. */
function readSummary(output) {
  const rows = [...output.matchAll(/^([✓✗]) (\S+): (\d+) passed, (\d+) failed/gm)];
  const unscored = new Set(
    [...output.matchAll(/^ {2}[✓✗] (\S+) \((?:extension|added-after-release)/gm)].map(
      (row) => row[1],
    ),
  );
  return new Map(
    rows.map(([, mark, scenario, passed, failed]) => [
      scenario,
      {
        ok: mark === "✓",
        passed: Number(passed),
        failed: Number(failed),
        scored: !unscored.has(scenario),
      },
    ]),
  );
}

async function runAlone(run, driver) {
  for (let attempt = 1; ; attempt += 1) {
    const { output, code } = await suite(run, ["--scenario", alone], driver);
    const [, passed = 0, all = 0] = /^Passed: (\d+)\/(\d+)/m.exec(output) ?? [];
    const failed = Number(all) - Number(passed);
    if (code === 0 || attempt === 2)
      return { ok: code === 0, passed: Number(passed), failed, scored: true };
  }
}

function print(results) {
  const scenarios = [...new Set(results.flatMap(({ rows }) => [...rows.keys()]))];
  const width = Math.max(...scenarios.map((name) => name.length));
  const cell = (row) =>
    row === undefined
      ? ""
      : `${row.passed}${row.failed > 0 ? `-${row.failed}` : ""}${row.ok ? "" : " FAIL"}${row.scored ? "" : " *"}`;
  console.log(
    `${"successful checks".padEnd(width)} | ${results.map(({ name }) => name).join(" | ")}`,
  );
  for (const scenario of scenarios) {
    const cells = results.map(({ name, rows }) => cell(rows.get(scenario)).padEnd(name.length));
    console.log(`${scenario.padEnd(width)} | ${cells.join(" | ")}`);
  }
  const totals = results.map(({ name, rows }) => {
    const scored = [...rows.values()].filter((row) => row.scored);
    return `${scored.filter(({ ok }) => ok).length}/${scored.length}`.padEnd(name.length);
  });
  console.log(`${"scored scenarios passed".padEnd(width)} | ${totals.join(" | ")}`);
  console.log("* not scored by the suite: extensions, and what came after the release");
}

/** The suite counts a request for the event stream if it comes before the scenario ends. */
function leastOf(passed) {
  return passed < 10 ? passed : passed - 2;
}

function faults({ name, rows }, minimums) {
  const wanted = minimums[name] ?? {};
  const missing = Object.keys(wanted).filter((scenario) => !rows.has(scenario));
  return [
    ...(rows.size === 0 ? [`${name}: nothing ran`] : []),
    ...missing.map((scenario) => `${name}: ${scenario} did not run`),
    ...[...rows].flatMap(([scenario, { ok, passed, scored }]) => {
      if (!scored) return [];
      if (!ok) return [`${name}: ${scenario} failed`];
      const least = wanted[scenario];
      if (least === undefined) return [`${name}: ${scenario} has no minimum in minimums.json`];
      return passed < least ? [`${name}: ${scenario} made ${passed} checks, not ${least}`] : [];
    }),
  ];
}

install();
const driver = await bundleDriver();
const results = [];
for (const run of runs) {
  const { output } = await suite(run, run.args, driver);
  const rows = readSummary(output);
  for (const [scenario, { ok, scored }] of rows) if (!ok && scored) printClient(scenario);
  if (rows.has(alone)) rows.set(alone, await runAlone(run, driver));
  if (process.env.CONFORMANCE_VERBOSE) console.log(output);
  results.push({ name: run.name, rows });
}
print(results);
if (updating) {
  const entries = results.map(({ name, rows }) => [
    name,
    Object.fromEntries(
      [...rows]
        .filter(([, { ok, scored }]) => ok && scored)
        .map(([scenario, { passed }]) => [scenario, leastOf(passed)]),
    ),
  ]);
  writeFileSync(minimumsFile, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
}
const minimums = JSON.parse(readFileSync(minimumsFile, "utf8"));
const found = results.flatMap((result) => faults(result, minimums));
for (const fault of found) console.error(fault);
rmSync(work, { recursive: true, force: true });
process.exitCode = found.length > 0 ? 1 : 0;
