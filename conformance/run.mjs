// Runs the official conformance suite against MCPToolAdapter, over both engines.
// `node conformance/run.mjs [--update-minimums] [name of a run]...`
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleDriver } from "./bundle.mjs";
import { install, runSuite } from "./suite.mjs";

const minimumsFile = fileURLToPath(new URL("minimums.json", import.meta.url));
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const updating = process.argv.includes("--update-minimums");

/** The window of this scenario is too narrow for a machine that does anything else. */
const alone = "sse-retry";

const core = { release: "conformance-stable", args: ["--suite", "core"] };
const release2025 = { release: "conformance", args: ["--requirements", "2025-11-25"] };
const release2026 = { release: "conformance", args: ["--requirements", "2026-07-28"] };
const all = [
  { name: "0.1.16 core, v1", engine: "v1", ...core },
  { name: "0.1.16 core, v2", engine: "v2", ...core },
  { name: "2025-11-25, v1", engine: "v1", ...release2025 },
  { name: "2025-11-25, v2", engine: "v2", ...release2025 },
  { name: "2026-07-28, v2", engine: "v2", protocol: "auto", ...release2026 },
];

const runs = all.filter(({ name }) => wanted.length === 0 || wanted.includes(name));

/** Where a client that does as it should ends with an error. */
const refusals = [
  "auth/iss-normalized",
  "auth/iss-supported-missing",
  "auth/iss-unexpected",
  "auth/iss-wrong-issuer",
  "auth/metadata-issuer-mismatch",
  "auth/resource-mismatch",
  "auth/scope-retry-limit",
];

/** Scopes add up only since 2026-07-28: with engine v1 the token to call with cannot list. */
const dropsScopes = { run: "2025-11-25, v1", scenario: "auth/scope-step-up" };

function mayEndInError(run, scenario) {
  const drops = run === dropsScopes.run && scenario === dropsScopes.scenario;
  return drops || refusals.includes(scenario);
}

function isGood({ name }, scenario, { failed, exitCode }) {
  return failed.length === 0 && (exitCode === 0 || mayEndInError(name, scenario));
}

/** Once more if it fails, since its window is one of time. */
async function runAlone(run, driver, folder) {
  const suite = { ...run, args: ["--scenario", alone] };
  const first = (await runSuite(suite, driver, join(folder, "alone"))).get(alone);
  if (first !== undefined && isGood(run, alone, first)) return first;
  return (await runSuite(suite, driver, join(folder, "again"))).get(alone) ?? first;
}

function print(results) {
  const scenarios = [...new Set(results.flatMap(({ rows }) => [...rows.keys()]))].sort();
  const width = Math.max(...scenarios.map((scenario) => scenario.length));
  const line = (title, cells) =>
    console.log(
      [title.padEnd(width), ...cells.map((text, at) => text.padEnd(results[at].run.name.length))]
        .join(" | ")
        .trimEnd(),
    );
  const cell = ({ run, rows }, scenario) => {
    const row = rows.get(scenario);
    if (row === undefined) return "";
    const verdict = isGood(run, scenario, row) ? "" : ` FAIL (${row.failed.length})`;
    return `${row.passed}${verdict}${row.scored ? "" : " *"}`;
  };
  line(
    "successful checks",
    results.map(({ run }) => run.name),
  );
  for (const scenario of scenarios) {
    line(
      scenario,
      results.map((result) => cell(result, scenario)),
    );
  }
  line("scored scenarios passed", results.map(totals));
  line(
    "seconds",
    results.map(({ seconds }) => String(seconds)),
  );
  console.log("* not scored by the suite: extensions, and what came after the release");
}

function totals({ run, rows }) {
  const scored = [...rows].filter(([, row]) => row.scored);
  const good = scored.filter(([scenario, row]) => isGood(run, scenario, row));
  return `${good.length}/${scored.length}`;
}

function faultsOf({ run, rows }, minimums) {
  const { [run.name]: least = {} } = minimums;
  const missing = Object.keys(least).filter((scenario) => !rows.has(scenario));
  return [
    ...(rows.size === 0 ? ["nothing ran"] : []),
    ...missing.map((scenario) => `${scenario} did not run`),
    ...[...rows].flatMap(([scenario, row]) =>
      row.scored ? rowFaults(run, scenario, row, least[scenario]) : [],
    ),
  ].map((fault) => `${run.name}: ${fault}`);
}

function rowFaults(run, scenario, row, least) {
  if (!isGood(run, scenario, row)) {
    const why = row.failed.map(({ id, status, errorMessage = "" }) =>
      `${status} ${id} ${errorMessage}`.trimEnd(),
    );
    const ended = `the client ended with ${row.exitCode}`;
    return [[`${scenario} failed`, ended, ...why, ...row.said].join("\n")];
  }
  if (least === undefined) return [`${scenario} has no minimum in minimums.json`];
  return row.passed < least ? [`${scenario} made ${row.passed} checks, not ${least}`] : [];
}

/** Of the runs in which everything passed; what failed has no count to keep to. */
function updateMinimums(results) {
  const minimums = new Map(Object.entries(readMinimums()));
  for (const { run, rows } of results) {
    const scored = [...rows].filter(([, row]) => row.scored);
    if (!scored.every(([scenario, row]) => isGood(run, scenario, row))) continue;
    const passed = scored.map(([scenario, row]) => [scenario, row.passed]);
    minimums.set(run.name, Object.fromEntries(passed.sort()));
  }
  writeFileSync(minimumsFile, `${JSON.stringify(Object.fromEntries(minimums), null, 2)}\n`);
}

function readMinimums() {
  return JSON.parse(readFileSync(minimumsFile, "utf8"));
}

install();
if (runs.length === 0) throw new Error(`no such run; there are ${all.map(({ name }) => name)}`);
const work = mkdtempSync(join(tmpdir(), "conformance-"));
try {
  const driver = await bundleDriver(join(work, "driver"));
  const results = [];
  for (const run of runs) {
    const start = performance.now();
    const folder = join(work, String(results.length));
    const rows = await runSuite(run, driver, folder);
    if (rows.has(alone)) rows.set(alone, await runAlone(run, driver, folder));
    const result = { run, rows, seconds: Math.round((performance.now() - start) / 1_000) };
    results.push(result);
    console.log(`${run.name}: ${totals(result)} in ${result.seconds} s`);
  }
  print(results);
  if (updating) updateMinimums(results);
  const minimums = readMinimums();
  const found = results.flatMap((result) => faultsOf(result, minimums));
  for (const fault of found) console.error(fault);
  process.exitCode = found.length > 0 ? 1 : 0;
} finally {
  rmSync(work, { recursive: true, force: true });
}
