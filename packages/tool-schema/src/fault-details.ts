import type { SchemaIssue } from "./issues.ts";
import { isObject, type JsonObject, own } from "./json.ts";
import type { Schema } from "./self-contained.ts";

/** What Zod 4 tells about an issue besides its path and message. */
export type FaultDetails =
  | { readonly code: "invalid_type"; readonly expected: string }
  | { readonly code: "invalid_value"; readonly values: readonly unknown[] }
  | { readonly code: "invalid_format"; readonly format: string; readonly pattern?: string }
  | {
      readonly code: "too_small";
      readonly minimum: number;
      readonly inclusive: boolean;
      readonly origin: Origin;
    }
  | {
      readonly code: "too_big";
      readonly maximum: number;
      readonly inclusive: boolean;
      readonly origin: Origin;
    }
  | { readonly code: "not_multiple_of"; readonly divisor: number }
  | { readonly code: "unrecognized_keys"; readonly keys: readonly string[] }
  | { readonly code: "invalid_union" }
  | { readonly code: "custom" };

export type Origin = "number" | "string" | "array" | "object";

const custom: FaultDetails = { code: "custom" };

const lower: ReadonlyMap<string, Origin> = new Map([
  ["minimum", "number"],
  ["exclusiveMinimum", "number"],
  ["minLength", "string"],
  ["minItems", "array"],
  ["minProperties", "object"],
]);
const upper: ReadonlyMap<string, Origin> = new Map([
  ["maximum", "number"],
  ["exclusiveMaximum", "number"],
  ["maxLength", "string"],
  ["maxItems", "array"],
  ["maxProperties", "object"],
]);

/** `custom` where the keyword has no code of its own or cannot be found outside a union. */
export function detailsOf(issue: SchemaIssue, value: unknown, root: Schema): FaultDetails {
  const { keyword, path } = issue;
  if (keyword === "anyOf" || keyword === "oneOf") return { code: "invalid_union" };
  if (keyword === "required") {
    return { code: "invalid_type", expected: typeOf(schemaAt(root, path)) ?? "nonoptional" };
  }
  const schema = schemaAt(root, path);
  if (!isObject(schema) || !Object.hasOwn(schema, keyword)) return custom;
  if (keyword === "additionalProperties") return unrecognized(schema, valueAt(value, path));
  return limit(keyword, schema) ?? plain(keyword, schema);
}

function limit(keyword: string, schema: JsonObject): FaultDetails | undefined {
  const bound = schema[keyword];
  if (typeof bound !== "number") return undefined;
  const inclusive = !keyword.startsWith("exclusive");
  const low = lower.get(keyword);
  if (low !== undefined) return { code: "too_small", minimum: bound, inclusive, origin: low };
  const high = upper.get(keyword);
  if (high !== undefined) return { code: "too_big", maximum: bound, inclusive, origin: high };
  return keyword === "multipleOf" ? { code: "not_multiple_of", divisor: bound } : undefined;
}

function plain(keyword: string, schema: JsonObject): FaultDetails {
  const said = schema[keyword];
  switch (keyword) {
    case "type":
      return { code: "invalid_type", expected: typeOf(schema) ?? "unknown" };
    case "enum":
      return { code: "invalid_value", values: Array.isArray(said) ? said : [] };
    case "const":
      return { code: "invalid_value", values: [said] };
    case "pattern":
      return { code: "invalid_format", format: "regex", pattern: String(said) };
    case "format":
      return { code: "invalid_format", format: String(said) };
    default:
      return custom;
  }
}

function unrecognized(schema: JsonObject, value: unknown): FaultDetails {
  const isClosed = schema["additionalProperties"] === false;
  if (!isClosed || !isObject(value) || isObject(own(schema, "patternProperties"))) return custom;
  const known = own(schema, "properties");
  const keys = Object.keys(value).filter((key) => !isObject(known) || !Object.hasOwn(known, key));
  return { code: "unrecognized_keys", keys };
}

function typeOf(schema: unknown): string | undefined {
  const type = isObject(schema) ? own(schema, "type") : undefined;
  const types = (Array.isArray(type) ? type : [type]).filter((each) => typeof each === "string");
  if (types.length === 0) return undefined;
  return types.map((each) => (each === "integer" ? "int" : each)).join("|");
}

/** The schema that alone says what stands at a path, found by `properties` and `items`. */
function schemaAt(root: Schema, path: SchemaIssue["path"]): unknown {
  let schema: unknown = root;
  for (const key of path) {
    if (!isObject(schema)) return undefined;
    schema = typeof key === "number" ? itemAt(schema, key) : propertyAt(schema, key);
  }
  return schema;
}

function propertyAt(schema: JsonObject, key: string): unknown {
  const named = own(schema, "properties");
  return isObject(named) && Object.hasOwn(named, key)
    ? named[key]
    : own(schema, "additionalProperties");
}

function itemAt(schema: JsonObject, index: number): unknown {
  const items = own(schema, "items");
  const tuple = Array.isArray(items) ? items : own(schema, "prefixItems");
  if (Array.isArray(tuple) && index < tuple.length) return tuple[index];
  return Array.isArray(items) ? own(schema, "additionalItems") : items;
}

export function valueAt(value: unknown, path: SchemaIssue["path"]): unknown {
  let current = value;
  for (const key of path) {
    current =
      typeof current === "object" && current !== null && Object.hasOwn(current, key)
        ? Reflect.get(current, key)
        : undefined;
  }
  return current;
}
