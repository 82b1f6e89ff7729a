import { asDraft07 } from "./draft07.ts";
import { isObject, type JsonObject } from "./json.ts";
import type { Schema } from "./self-contained.ts";

/** The `_def` of a Zod 3 schema, as converters read it. */
export interface Zod3Def {
  readonly typeName: string;
  readonly description?: string;
  readonly [field: string]: unknown;
}

/** Makes the Zod schema of a schema inside. */
export type Make = (schema: Schema) => { readonly _def: unknown };

type Kind = (schema: JsonObject, make: Make) => Zod3Def | undefined;
type Scalar = (schema: JsonObject) => Zod3Def | undefined;

/**
 * What converters read as the same schema: the native form where Zod 3 has words for every keyword,
 * else the schema itself, as the only branch of a union.
 */
export function defOf(schema: Schema, make: Make): Zod3Def {
  if (!isObject(schema)) return { typeName: schema ? "ZodUnknown" : "ZodNever" };
  const { description, default: fallback, ...rest } = schema;
  const def = nativeDef(rest, make) ?? rawDef(rest);
  const told = typeof description === "string" ? { ...def, description } : def;
  if (fallback === undefined) return told;
  const { description: _, ...inner } = told;
  const outer = {
    typeName: "ZodDefault",
    innerType: { _def: inner },
    defaultValue: copyOf(fallback),
  };
  return typeof description === "string" ? { ...outer, description } : outer;
}

function copyOf<Value>(value: Value): () => Value {
  return () => structuredClone(value);
}

function nativeDef(schema: JsonObject, make: Make): Zod3Def | undefined {
  if (Object.keys(schema).length === 0) return { typeName: "ZodUnknown" };
  if (Object.hasOwn(schema, "const")) return literal(schema);
  if (Object.hasOwn(schema, "enum")) return enumeration(schema);
  const kind = typeof schema["type"] === "string" ? kinds.get(schema["type"]) : undefined;
  return kind?.(schema, make);
}

/** Whether a schema has no keyword but these. */
function has(schema: JsonObject, only: readonly string[]): boolean {
  return Object.keys(schema).every((key) => key === "type" || only.includes(key));
}

const literal: Scalar = (schema) => {
  const { const: value, type } = schema;
  const kind = typeof value;
  if (!has(schema, ["const"]) || !["string", "number", "boolean"].includes(kind)) return undefined;
  return type === undefined || type === kind ? { typeName: "ZodLiteral", value } : undefined;
};

const enumeration: Scalar = (schema) => {
  const { enum: values, type } = schema;
  if (!has(schema, ["enum"]) || !Array.isArray(values)) return undefined;
  const areStrings = values.every((each) => typeof each === "string");
  if (!areStrings || (type !== undefined && type !== "string")) return undefined;
  return { typeName: "ZodEnum", values };
};

const formatChecks: ReadonlyMap<unknown, JsonObject> = new Map([
  ["email", { kind: "email" }],
  ["uri", { kind: "url" }],
  ["uuid", { kind: "uuid" }],
  ["date-time", { kind: "datetime" }],
  ["date", { kind: "date" }],
  ["time", { kind: "time" }],
  ["duration", { kind: "duration" }],
  ["ipv4", { kind: "ip", version: "v4" }],
  ["ipv6", { kind: "ip", version: "v6" }],
]);

const text: Kind = (schema) => {
  const { format, minLength, maxLength, pattern } = schema;
  if (!has(schema, ["format", "minLength", "maxLength", "pattern"])) return undefined;
  const check = formatChecks.get(format);
  if (format !== undefined && check === undefined) return undefined;
  const checks: JsonObject[] = [];
  if (minLength !== undefined) checks.push({ kind: "min", value: minLength });
  if (maxLength !== undefined) checks.push({ kind: "max", value: maxLength });
  // A RegExp would escape slashes of its own.
  if (pattern !== undefined) checks.push({ kind: "regex", regex: { source: pattern, flags: "" } });
  if (check !== undefined) checks.push(check);
  return { typeName: "ZodString", checks, coerce: false };
};

const numeric: Kind = (schema) => {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = schema;
  const bounds = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"];
  if (!has(schema, bounds)) return undefined;
  const given: readonly (readonly [unknown, JsonObject])[] = [
    [schema["type"] === "integer" ? true : undefined, { kind: "int" }],
    [minimum, { kind: "min", value: minimum, inclusive: true }],
    [exclusiveMinimum, { kind: "min", value: exclusiveMinimum, inclusive: false }],
    [maximum, { kind: "max", value: maximum, inclusive: true }],
    [exclusiveMaximum, { kind: "max", value: exclusiveMaximum, inclusive: false }],
    [multipleOf, { kind: "multipleOf", value: multipleOf }],
  ];
  const checks = given.flatMap(([bound, check]) => (bound === undefined ? [] : [check]));
  return { typeName: "ZodNumber", checks, coerce: false };
};

const list: Kind = (schema, make) => {
  const { items = true, minItems, maxItems } = schema;
  if (!has(schema, ["items", "minItems", "maxItems"])) return undefined;
  if (!isObject(items) && typeof items !== "boolean") return undefined;
  const type = items === true ? { _def: { typeName: "ZodAny" } } : make(items);
  const length = (value: unknown) => (value === undefined ? null : { value });
  return {
    typeName: "ZodArray",
    type,
    minLength: length(minItems),
    maxLength: length(maxItems),
    exactLength: null,
  };
};

const objectKeywords: readonly string[] = ["properties", "required", "additionalProperties"];

const structure: Kind = (schema, make) => {
  if (!has(schema, objectKeywords)) return undefined;
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const isKnown = (name: unknown) => Object.hasOwn(properties, String(name));
  // A required name without a schema would have to be invented, and then be allowed; `__proto__`
  // would be assigned.
  if (!required.every(isKnown) || isKnown("__proto__")) return undefined;
  const made = make(schema)._def;
  return isDef(made) ? made : undefined;
};

function isDef(def: unknown): def is Zod3Def {
  return isObject(def) && typeof def["typeName"] === "string";
}

const kinds: ReadonlyMap<string, Kind> = new Map([
  ["string", text],
  ["number", numeric],
  ["integer", numeric],
  [
    "boolean",
    (schema) => (has(schema, []) ? { typeName: "ZodBoolean", coerce: false } : undefined),
  ],
  ["null", (schema) => (has(schema, []) ? { typeName: "ZodNull" } : undefined)],
  ["array", list],
  ["object", structure],
]);

/** Whether a schema is an object that Zod 3 has words for. */
export function isPlainObject(schema: Schema): schema is JsonObject {
  if (!isObject(schema) || schema["type"] !== "object") return false;
  const { description: _, default: __, ...rest } = schema;
  return structure(rest, () => ({ _def: { typeName: "ZodObject" } })) !== undefined;
}

/**
 * zod-to-json-schema and its descendants ask the options of a union with `every` what they are and
 * convert them with `map`. These answer with the schema itself, so that it arrives as it stands, as
 * `{ anyOf: [schema] }`; of a schema that is nothing but `anyOf`, each branch does.
 */
function rawDef(schema: JsonObject): Zod3Def {
  const stands = asDraft07(schema);
  const isUnion = isObject(stands) && Object.keys(stands).join() === "anyOf";
  const branches = isUnion && Array.isArray(stands["anyOf"]) ? stands["anyOf"] : [stands];
  const options = Object.assign([], { every: () => false, map: () => structuredClone(branches) });
  return { typeName: "ZodUnion", options };
}
