import { areScalar, closest } from "./alternatives.ts";
import { expected } from "./expected.ts";
import type { Alternatives, Fault } from "./fault.ts";
import { pointer } from "./json.ts";
import { messageOf } from "./messages.ts";
import { cut, nameOf, preview } from "./preview.ts";

/** One reason why a value does not fit, in words that a model can act on. */
export interface SchemaIssue {
  /** JSON pointer into the value; `""` is the whole. A missing property has the one it would have. */
  readonly pointer: string;
  /** The same as keys and indexes. */
  readonly path: readonly (string | number)[];
  /** The keyword of JSON Schema that is broken. */
  readonly keyword: string;
  readonly message: string;
}

const MAX_ISSUES = 20;
const MAX_MESSAGE = 500;
/** How many unions inside unions are explained. */
const MAX_DEPTH = 3;
/** Issues of the closest alternative that stand in the message of a union. */
const MAX_INNER = 3;

type Path = readonly (string | number)[];

interface Context {
  /** Where the value judged stands in the whole. */
  readonly base: Path;
  readonly depth: number;
}

/** At most 20 issues, each once, in the order of the schema. */
export function explain(value: unknown, faults: readonly Fault[]): readonly SchemaIssue[] {
  const issues = issuesOf(value, faults, { base: [], depth: 0 });
  return issues.length > 0 ? issues : unexplained;
}

/** What is said where no reason can be given. */
export const unexplained: readonly SchemaIssue[] = [
  { pointer: "", path: [], keyword: "", message: "the value does not fit the schema" },
];

function issuesOf(value: unknown, faults: readonly Fault[], context: Context): SchemaIssue[] {
  const issues = new Map<string, SchemaIssue>();
  for (const fault of faults) {
    if (issues.size >= MAX_ISSUES) break;
    const at = [...context.base, ...pathOf(fault.instancePath, value)];
    const path =
      "missingProperty" in fault.params ? [...at, String(fault.params["missingProperty"])] : at;
    const message =
      fault.alternatives === undefined
        ? messageOf(fault, path)
        : unionMessage(fault, fault.alternatives, path, context);
    const issue = {
      pointer: path.reduce<string>(pointer, ""),
      path,
      keyword: fault.keyword,
      message: cut(message, MAX_MESSAGE),
    };
    issues.set(`${issue.pointer} ${issue.message}`, issue);
  }
  return [...issues.values()];
}

function unionMessage(
  fault: Fault,
  alternatives: Alternatives,
  path: Path,
  context: Context,
): string {
  const name = nameOf(path);
  const fitting = alternatives.flatMap((faults, index) =>
    faults === undefined ? [index + 1] : [],
  );
  if (fitting.length > 0) {
    return `${name} must fit exactly one of ${alternatives.length} alternatives, but fits ${fitting.join(" and ")}`;
  }
  if (areScalar(alternatives)) {
    const kinds = alternatives.map(
      (faults) => expected(faults?.[0]?.parentSchema) ?? "of another type",
    );
    return `${name} must be ${[...new Set(kinds)].join(" or ")}, got ${preview(fault.data)}`;
  }
  const none = `${name} fits none of ${alternatives.length} alternatives`;
  if (context.depth >= MAX_DEPTH) return none;
  const best = closest(alternatives);
  const inner = issuesOf(fault.data, alternatives[best] ?? [], {
    base: path,
    depth: context.depth + 1,
  });
  const reasons = inner.slice(0, MAX_INNER).map(({ message }) => message);
  return `${none}; by the closest (number ${best + 1}): ${reasons.join("; ")}`;
}

/** A JSON pointer as keys and indexes, by what the value has there. */
function pathOf(instancePath: string, value: unknown): Path {
  const path: (string | number)[] = [];
  let current = value;
  for (const token of instancePath.split("/").slice(1)) {
    const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
    path.push(Array.isArray(current) ? Number(key) : key);
    current =
      typeof current === "object" && current !== null ? Reflect.get(current, key) : undefined;
  }
  return path;
}
