import { ToolSchemaError } from "./errors.ts";
import { isObject, type JsonObject, own, pointer } from "./json.ts";
import type { SchemaLimits } from "./limits.ts";
import { patternsOf } from "./patterns.ts";
import { tooLarge } from "./plain-copy.ts";
import type { Subschema } from "./subschemas.ts";
import { weigh } from "./weigh.ts";

/** A schema inside the whole, and what it leads to. */
export interface SchemaNode {
  readonly schema: JsonObject;
  /** JSON pointer from the root. */
  readonly pointer: string;
  readonly inner: readonly Subschema[];
  /** What its `$ref` refers to. */
  readonly target?: JsonObject | boolean;
}

type Nodes = ReadonlyMap<JsonObject, SchemaNode>;

/**
 * How many evaluations of one value a cheap schema leads to at most, over all paths through it. With
 * arguments of a megabyte that is still a fraction of a second.
 */
const CHEAP_EVALUATIONS = 250;

/** Entries of `enum`, `required` and the like that take as long as one evaluation. */
const ENTRIES_PER_EVALUATION = 10;

/**
 * Holds the prepared schemas against the limits. Tells whether the schema is cheap: it has no
 * pattern, no `uniqueItems` and no recursion, and leads to few evaluations.
 *
 * @throws ToolSchemaError `too_large`, `cyclic_ref`
 */
export function guard(nodes: Nodes, limits: SchemaLimits): boolean {
  let patterns = 0;
  let isUniform = true;
  let count = 0;
  for (const node of nodes.values()) {
    count += 1;
    if (!(count <= limits.maxSubschemas)) throw tooLarge("maxSubschemas", limits, node.pointer);
    patterns += checkPatternSizes(node, patterns, limits);
    checkSizes(node, limits);
    if (own(node.schema, "uniqueItems") === true) isUniform = false;
  }
  checkEvaluations(nodes, limits);
  return patterns === 0 && isUniform && isSmall(nodes);
}

function checkPatternSizes(
  { schema, pointer: at }: SchemaNode,
  before: number,
  limits: SchemaLimits,
): number {
  const found = patternsOf(schema);
  for (const [index, { pattern, tokens }] of found.entries()) {
    const path = tokens.reduce<string>(pointer, at);
    if (!(before + index < limits.maxPatterns)) throw tooLarge("maxPatterns", limits, path);
    if (!(pattern.length <= limits.maxPatternLength)) {
      throw tooLarge("maxPatternLength", limits, path);
    }
  }
  return found.length;
}

const sizes: readonly (readonly [keyof SchemaLimits, readonly string[]])[] = [
  ["maxBranches", ["allOf", "anyOf", "oneOf", "prefixItems", "items"]],
  ["maxEnumItems", ["enum"]],
  [
    "maxProperties",
    [
      "$defs",
      "definitions",
      "dependencies",
      "dependentRequired",
      "dependentSchemas",
      "patternProperties",
      "properties",
      "required",
    ],
  ],
];

function checkSizes({ schema, pointer: at }: SchemaNode, limits: SchemaLimits): void {
  for (const [limit, keywords] of sizes) {
    for (const keyword of keywords) {
      if (sizeOf(own(schema, keyword), keyword) <= limits[limit]) continue;
      throw tooLarge(limit, limits, pointer(at, keyword));
    }
  }
}

function sizeOf(value: unknown, keyword: string): number {
  if (Array.isArray(value)) return value.length;
  return isObject(value) && keyword !== "items" ? Object.keys(value).length : 0;
}

/** The schemas that judge the same value as this one, or any value at all. */
function reached(nodes: Nodes, { inner, target }: SchemaNode, onlyInPlace: boolean): SchemaNode[] {
  const schemas = inner.flatMap((each) => (each.inPlace || !onlyInPlace ? [each.schema] : []));
  if (isObject(target)) schemas.push(target);
  return schemas.flatMap((schema) => nodes.get(schema) ?? []);
}

function checkEvaluations(nodes: Nodes, limits: SchemaLimits): void {
  const { totals, cycle } = weigh(nodes.values(), {
    weight: () => 1,
    next: (node) => reached(nodes, node, true),
  });
  if (cycle !== undefined) {
    const message = `the schema at ${cycle.pointer.slice(0, 200) || "the root"} stands for itself`;
    throw new ToolSchemaError("cyclic_ref", message, { path: cycle.pointer });
  }
  for (const [node, total] of totals) {
    if (!(total <= limits.maxEvaluations)) throw tooLarge("maxEvaluations", limits, node.pointer);
  }
}

function isSmall(nodes: Nodes): boolean {
  const { totals, cycle } = weigh(nodes.values(), {
    weight: ({ schema }) => 1 + entries(schema) / ENTRIES_PER_EVALUATION,
    next: (node) => reached(nodes, node, false),
  });
  const [root] = nodes.values();
  return cycle === undefined && root !== undefined && (totals.get(root) ?? 0) <= CHEAP_EVALUATIONS;
}

/** What is gone through for a value without another schema being asked. */
function entries(schema: JsonObject): number {
  const lists = [own(schema, "enum"), own(schema, "required"), own(schema, "const")];
  return lists.reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0);
}
