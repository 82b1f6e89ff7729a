import { mapKeyword } from "./applicators.ts";
import { valueAt } from "./fault-details.ts";
import { isObject, type JsonObject, own, put } from "./json.ts";

export type Schema = JsonObject | boolean;

/** How often a reference is followed inside itself. */
const MAX_NESTING = 3;
/** Schemas that references may add to one that is made self-contained. */
const MAX_SCHEMAS = 500;

interface Walk {
  readonly root: Schema;
  /** References that are being followed, with repetition. */
  readonly open: readonly string[];
  readonly budget: { left: number };
  readonly siblingsCount: boolean;
}

/**
 * A copy without references: each local one is replaced by its target. A recursion ends after three
 * rounds, and growth after 500 schemas, with the type of the target and a note in words, so the
 * copy is never stricter than the original.
 */
export function selfContained(schema: Schema, root: Schema, siblingsCount: boolean): Schema {
  return copy(schema, { root, open: [], budget: { left: MAX_SCHEMAS }, siblingsCount });
}

function copy(schema: unknown, walk: Walk): Schema {
  if (!isObject(schema)) return schema !== false;
  const ref = own(schema, "$ref");
  if (typeof ref !== "string") return copyKeywords(schema, walk);
  const target = targetOf(ref, walk.root);
  const rounds = walk.open.filter((each) => each === ref).length;
  if (target === undefined) return rest(schema, walk, { description: `See ${ref}.` });
  if (rounds >= MAX_NESTING || walk.budget.left <= 0) return rest(schema, walk, stub(target));
  return rest(schema, walk, copy(target, { ...walk, open: [...walk.open, ref] }));
}

/** What a reference stands for, with what the schema says beside it. */
function rest(schema: JsonObject, walk: Walk, target: Schema): Schema {
  if (!walk.siblingsCount) return target;
  const { $ref: _, $defs: __, definitions: ___, ...siblings } = schema;
  const keys = Object.keys(siblings);
  if (keys.length === 0) return target;
  const beside = copyKeywords(siblings, walk);
  const isPlain = isObject(target) && keys.every((key) => !Object.hasOwn(target, key));
  return isPlain && keys.every((key) => annotations.has(key))
    ? { ...target, ...beside }
    : { allOf: [target], ...beside };
}

const annotations: ReadonlySet<string> = new Set(["title", "description", "default", "examples"]);

/** As much of a target as can be said without going further. */
function stub(target: Schema): Schema {
  if (!isObject(target)) return target;
  const said: JsonObject = { description: "Nested further in the same way." };
  for (const keyword of ["type", "enum", "const"]) {
    if (Object.hasOwn(target, keyword)) said[keyword] = own(target, keyword);
  }
  return said;
}

function copyKeywords(schema: JsonObject, walk: Walk): JsonObject {
  walk.budget.left -= 1;
  const made: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === "$defs" || key === "definitions") continue;
    put(
      made,
      key,
      mapKeyword(key, value, (each) => copy(each, walk)),
    );
  }
  return made;
}

function targetOf(ref: string, root: Schema): Schema | undefined {
  if (ref !== "#" && !ref.startsWith("#/")) return undefined;
  const tokens = decodeURIComponent(ref.slice(1)).split("/").slice(1);
  const keys = tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
  const value = valueAt(root, keys);
  return isObject(value) || typeof value === "boolean" ? value : undefined;
}

/** Whether a reference stands anywhere in a schema. */
export function hasReference(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(hasReference);
  if (!isObject(schema)) return false;
  return typeof own(schema, "$ref") === "string" || Object.values(schema).some(hasReference);
}

/** The same with every local reference made to start at `base`, a JSON pointer after `#`. */
export function rebased(schema: unknown, base: string): unknown {
  if (!isObject(schema)) return schema;
  const made: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    const isRef = key === "$ref" && isPointer(value);
    const moved = isRef
      ? `#${base}${value.slice(1)}`
      : mapKeyword(key, value, (each) => rebased(each, base));
    put(made, key, moved);
  }
  return made;
}

function isPointer(value: unknown): value is string {
  return typeof value === "string" && /^#(?:\/|$)/.test(value);
}
