/**
 * How far the validators agree with the official JSON Schema Test Suite, whose folder is the
 * argument: `npm run suite -- <folder>`. Exits 1 unless every self-contained required test, also with
 * `unevaluated*` and `format`, is judged as it should be and nothing is thrown but coded refusals.
 */
import { readdirSync, readFileSync } from "node:fs";
import { compileSchema as evalFree } from "../src/eval-free.ts";
import { compileSchema, ToolSchemaError } from "../src/index.ts";
import { interpreted } from "../src/interpreter.ts";
import { compilerOver } from "../src/validator.ts";

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly { description: string; data: unknown; valid: boolean }[];
}

const drafts = {
  "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
  "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
  draft7: "http://json-schema.org/draft-07/schema#",
};

/** The last one stands in for Ajv where a schema is large, or has what Ajv is not exact with. */
const engines = {
  ajv: compileSchema,
  "eval-free": evalFree,
  interpreter: compilerOver(() => interpreted),
};

/** Keywords that lead out of a schema, or that the package refuses by design. */
const leading =
  /"(\$id|\$anchor|\$dynamicRef|\$dynamicAnchor|\$recursiveRef|\$recursiveAnchor|\$vocabulary|vocabulary|content\w+)":|"\$ref":"[^#]/;
const asserted: ReadonlySet<string> = new Set([
  "date-time.json",
  "date.json",
  "time.json",
  "duration.json",
  "email.json",
  "uri.json",
  "uuid.json",
  "ipv4.json",
  "ipv6.json",
]);

/** The parts of which each test has to be judged as it should be. */
const required: ReadonlySet<string> = new Set(["self-contained", "unevaluated", "format"]);

type Part = "self-contained" | "unevaluated" | "format" | "not self-contained";

function partOf(file: string, schema: unknown): Part {
  const text = JSON.stringify(schema);
  if (/^(anchor|content|defs|dynamicRef|id|recursiveRef|refRemote|vocabulary)/.test(file)) {
    return "not self-contained";
  }
  if (leading.test(text)) return "not self-contained";
  if (text.includes('"unevaluated')) return "unevaluated";
  return text.includes('"format":') ? "format" : "self-contained";
}

type Outcome = "right" | "accepts invalid" | "rejects valid" | "refused" | "thrown";

function outcomeOf(
  judge: () => boolean,
  valid: boolean,
): { readonly outcome: Outcome; readonly why?: string } {
  try {
    const judged = judge();
    if (judged === valid) return { outcome: "right" };
    return { outcome: judged ? "accepts invalid" : "rejects valid" };
  } catch (error) {
    const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { outcome: error instanceof ToolSchemaError ? "refused" : "thrown", why };
  }
}

function groupsOf(directory: string): { file: string; group: Group }[] {
  const files = readdirSync(directory).filter((name) => name.endsWith(".json"));
  return files.flatMap((file) => {
    const groups = JSON.parse(readFileSync(`${directory}/${file}`, "utf8")) as readonly Group[];
    return groups.map((group) => ({ file, group }));
  });
}

interface Place {
  readonly file: string;
  readonly group: Group;
  readonly $schema: string;
}

/** Counts by part; the names of what is wrong. */
interface Report {
  readonly counts: Map<string, Map<Outcome, number>>;
  readonly wrong: string[];
}

function add(report: Report, part: string, outcome: Outcome): void {
  const counts = report.counts.get(part) ?? new Map<Outcome, number>();
  report.counts.set(part, counts.set(outcome, (counts.get(outcome) ?? 0) + 1));
}

function judgeGroup(compile: typeof compileSchema, report: Report, place: Place): void {
  const { file, group, $schema } = place;
  const named = typeof group.schema === "object" ? { $schema, ...group.schema } : group.schema;
  const part = partOf(file, group.schema);
  for (const test of group.tests) {
    const judge = () => compile(named, { formats: false }).validate(test.data).ok;
    const { outcome, why = "" } = outcomeOf(judge, test.valid);
    add(report, part, outcome);
    const isWrong = required.has(part) ? outcome !== "right" : outcome === "thrown";
    if (!isWrong) continue;
    report.wrong.push(`${outcome}: ${file}: ${group.description}: ${test.description} ${why}`);
  }
}

function judgeFormats(compile: typeof compileSchema, report: Report, place: Place): void {
  const { group, $schema } = place;
  const { validate } = compile({ $schema, ...(group.schema as object) });
  for (const { data, valid } of group.tests) {
    add(report, "optional/format", outcomeOf(() => validate(data).ok, valid).outcome);
  }
}

function judgeDraft(compile: typeof compileSchema, $schema: string, directory: string): Report {
  const report: Report = { counts: new Map(), wrong: [] };
  for (const place of groupsOf(directory)) judgeGroup(compile, report, { ...place, $schema });
  for (const place of groupsOf(`${directory}/optional/format`)) {
    if (asserted.has(place.file)) judgeFormats(compile, report, { ...place, $schema });
  }
  return report;
}

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.log("usage: npm run suite -- <folder of JSON-Schema-Test-Suite>");
} else {
  for (const [draft, $schema] of Object.entries(drafts)) {
    for (const [engine, compile] of Object.entries(engines)) {
      const { counts, wrong } = judgeDraft(compile, $schema, `${folder}/tests/${draft}`);
      for (const [part, outcomes] of [...counts].sort()) {
        const total = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
        const right = outcomes.get("right") ?? 0;
        const share = ((100 * right) / total).toFixed(1);
        const others = [...outcomes].filter(([outcome]) => outcome !== "right");
        const rest = others.map(([outcome, count]) => `, ${count} ${outcome}`).join("");
        console.log(`${draft} ${engine} ${part}: ${right} of ${total} (${share} %)${rest}`);
      }
      for (const line of wrong) console.log(`  ${line}`);
      if (wrong.length > 0) process.exitCode = 1;
    }
  }
}
