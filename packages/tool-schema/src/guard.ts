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
  /** Where it stood in the schema as given, as a JSON pointer. */
  readonly pointer: string;
  /** Where it stands in the prepared schema. */
  readonly location: string;
  readonly inner: readonly Subschema[];
  /** What its `$ref` refers to. */
  readonly target?: JsonObject | boolean;
}

type Nodes = ReadonlyMap<JsonObject, SchemaNode>;

/** What it takes to make an engine of a schema and to judge by it. */
export interface Cost {
  /**
   * Evaluations of one place of a value, over all paths through the schema. Infinite if its patterns,
   * `uniqueItems` or recursion make more of a value than its size says.
   */
  readonly evaluations: number;
  /** Keywords, names that are required, and booleans that stand for schemas. */
  readonly keywords: number;
  /** It has `unevaluatedProperties` or `unevaluatedItems`. */
  readonly looksBack: boolean;
  /** It has keywords that Ajv is not exact with. */
  readonly isIntricate: boolean;
}

/** Entries of `enum`, `required`, `properties` and the like that take as long as one evaluation. */
const ENTRIES_PER_EVALUATION = 10;

/**
 * Holds the prepared schemas against the limits.
 *
 * @throws ToolSchemaError `too_large`, `cyclic_ref`
 */
export function guard(nodes: Nodes, limits: SchemaLimits): Cost {
  let patterns = 0;
  let isUniform = true;
  let looksBack = false;
  let isIntricate = false;
  let keywords = 0;
  let count = 0;
  for (const node of nodes.values()) {
    count += 1;
    if (!(count <= limits.maxSubschemas)) throw tooLarge("maxSubschemas", limits, node.pointer);
    patterns += checkPatternSizes(node, patterns, limits);
    checkSizes(node, limits);
    keywords += keywordsOf(node.schema);
    if (own(node.schema, "uniqueItems") === true) isUniform = false;
    if (hasAny(node.schema, unevaluated)) looksBack = true;
    if (hasAny(node.schema, intricate) || Array.isArray(own(node.schema, "items"))) {
      isIntricate = true;
    }
  }
  checkEvaluations(nodes, limits);
  const isBounded = patterns === 0 && isUniform;
  return {
    evaluations: isBounded ? evaluationsOf(nodes) : Number.POSITIVE_INFINITY,
    keywords,
    looksBack,
    isIntricate: isIntricate || looksBack,
  };
}

const unevaluated = ["unevaluatedItems", "unevaluatedProperties"];

/**
 * Ajv 8.20 takes an empty list for one that `contains` something if the list before it in the same
 * array did, and judges no further where a tuple is empty.
 */
const intricate = ["contains", "prefixItems"];

function hasAny(schema: JsonObject, keywords: readonly string[]): boolean {
  return keywords.some((keyword) => Object.hasOwn(schema, keyword));
}

function keywordsOf(schema: JsonObject): number {
  const { booleans, lists, names } = heldBy(schema);
  return Object.keys(schema).length + lengthOf(schema, "required") + booleans + lists + names;
}

const branches = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];
const maps = ["dependencies", "dependentRequired", "dependentSchemas", "properties"];

/** What the lists and maps of a schema hold. */
interface Held {
  readonly members: number;
  /** Members that are schemas, but are no nodes. */
  readonly booleans: number;
  /** Members that are lists of names, and the names in them. */
  readonly lists: number;
  readonly names: number;
}

function heldBy(schema: JsonObject): Held {
  const members = [
    ...branches.flatMap((keyword) => own(schema, keyword) ?? []),
    ...maps.flatMap((keyword) => Object.values(own(schema, keyword) ?? {})),
  ];
  const lists = members.filter(Array.isArray);
  return {
    members: members.length,
    booleans: members.filter((member) => typeof member === "boolean").length,
    lists: lists.length,
    names: lists.reduce((sum, list) => sum + list.length, 0),
  };
}

function lengthOf(schema: JsonObject, keyword: string): number {
  const list = own(schema, keyword);
  return Array.isArray(list) ? list.length : 0;
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
  ["maxBranches", branches],
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

function evaluationsOf(nodes: Nodes): number {
  const { totals, cycle } = weigh(nodes.values(), {
    weight: ({ schema }) => weightOf(schema),
    next: (node) => reached(nodes, node, false),
  });
  const [root] = nodes.values();
  const total = root === undefined ? undefined : totals.get(root);
  return cycle === undefined && total !== undefined ? total : Number.POSITIVE_INFINITY;
}

/** A schema without the schema objects in it: itself, the booleans in it and what it goes through. */
function weightOf(schema: JsonObject): number {
  const { members, booleans, names } = heldBy(schema);
  const listed = ["enum", "required", "const"].map((keyword) => lengthOf(schema, keyword));
  const entries = listed.reduce((sum, length) => sum + length, members + names);
  return 1 + booleans + entries / ENTRIES_PER_EVALUATION;
}
