/**
 * How far the validator agrees with the official JSON Schema Test Suite, whose folder is the
 * argument: `npm run suite -- <folder>`. What the package refuses by design (remote and dynamic
 * references, custom vocabularies) is counted apart.
 */
import { readdirSync, readFileSync } from "node:fs";
import { compileSchema, ToolSchemaError } from "../src/index.ts";

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

const refusals = new Set(["unresolved_ref", "unsupported_keyword", "unsupported_dialect"]);

/** The verdict, or the code of the error. */
function verdict(schema: unknown, data: unknown): boolean | string {
  try {
    return compileSchema(schema, { formats: false }).validate(data).ok;
  } catch (error) {
    return error instanceof ToolSchemaError ? error.code : String(error);
  }
}

type Outcome = "agrees" | "refused" | "accepts invalid" | "rejects valid" | "fails";

function outcomeOf(schema: unknown, { data, valid }: Group["tests"][number]): Outcome {
  const judged = verdict(schema, data);
  if (judged === valid) return "agrees";
  if (typeof judged === "string") return refusals.has(judged) ? "refused" : "fails";
  return judged ? "accepts invalid" : "rejects valid";
}

function* outcomes(directory: string, $schema: string): Iterable<[Outcome, string]> {
  for (const file of readdirSync(directory).filter((name) => name.endsWith(".json"))) {
    const groups = JSON.parse(readFileSync(`${directory}/${file}`, "utf8")) as readonly Group[];
    for (const { description, schema, tests } of groups) {
      const named = typeof schema === "object" ? { $schema, ...schema } : schema;
      for (const test of tests) {
        yield [outcomeOf(named, test), `${file}: ${description}: ${test.description}`];
      }
    }
  }
}

function judge(draft: string, $schema: string, folder: string): void {
  const counts = new Map<Outcome, number>();
  for (const [outcome, test] of outcomes(`${folder}/tests/${draft}`, $schema)) {
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    if (outcome !== "agrees" && outcome !== "refused") console.log(`  ${outcome}: ${test}`);
  }
  const refused = counts.get("refused") ?? 0;
  const agreed = counts.get("agrees") ?? 0;
  const judged = [...counts.values()].reduce((sum, count) => sum + count, 0) - refused;
  const share = ((100 * agreed) / judged).toFixed(1);
  console.log(`${draft}: ${agreed} of ${judged} judged alike (${share} %), ${refused} refused`);
}

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.log("usage: npm run suite -- <folder of JSON-Schema-Test-Suite>");
} else {
  for (const [draft, $schema] of Object.entries(drafts)) judge(draft, $schema, folder);
}
