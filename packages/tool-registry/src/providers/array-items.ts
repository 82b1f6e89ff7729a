import { type Container, copyData, isRecord, setOwn } from "../data.ts";
import type { JsonSchema } from "../tool.ts";

/** Keywords that hold values, and keywords that hold schemas by name. */
const VALUES = new Set(["const", "default", "enum", "examples"]);
const NAMED = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);

/**
 * A copy that shares nothing with the schema, where every array without `items` has `items: {}`.
 * Values and names are not mistaken for schemas. As deep, or cyclic, as the schema is.
 */
export function withItems(
  schema: JsonSchema,
  refOf: (ref: string) => string = (ref) => ref,
): Record<string, unknown> {
  const copies = new Map<unknown, Container>();
  const pending: Container[] = [];
  const copyOf = (value: unknown): unknown => {
    if (!Array.isArray(value) && !isRecord(value)) return value;
    const known = copies.get(value);
    if (known !== undefined) return known;
    const copy: Container = Array.isArray(value) ? [] : {};
    copies.set(value, copy);
    pending.push(value);
    return copy;
  };
  const root = {};
  copies.set(schema, root);
  pending.push(schema);
  for (let from = pending.pop(); from !== undefined; from = pending.pop()) {
    const to = copies.get(from) ?? {};
    for (const [key, value] of Object.entries(from))
      setOwn(
        to,
        key,
        key === "$ref" && typeof value === "string" ? refOf(value) : memberOf(key, value, copyOf),
      );
    if (isArraySchema(from) && !Object.hasOwn(from, "items")) setOwn(to, "items", {});
  }
  return root;
}

function memberOf(key: string, value: unknown, copyOf: (schema: unknown) => unknown): unknown {
  if (VALUES.has(key)) return copyData(value);
  if (!NAMED.has(key) || !isRecord(value)) return copyOf(value);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copyOf(each)]));
}

function isArraySchema(schema: Container): boolean {
  if (Array.isArray(schema)) return false;
  const { type } = schema;
  return type === "array" || (Array.isArray(type) && type.includes("array"));
}
