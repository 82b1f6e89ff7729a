import { isObject, type JsonObject, own } from "./json.ts";
import type { Schema } from "./self-contained.ts";

/** A schema read as a plain object: what a list of properties can say about it. */
export interface Outline {
  readonly properties: ReadonlyMap<string, Schema>;
  readonly required: ReadonlySet<string>;
  /** What other properties must fit; true is anything. */
  readonly additional: Schema;
  /** What the schema says besides, as a schema of its own. */
  readonly beyond: JsonObject | undefined;
}

/** Reads a schema without references; branches of a union add their properties as optional ones. */
export function outline(schema: Schema): Outline {
  const properties = new Map<string, Schema>();
  const required = new Set<string>();
  if (!isObject(schema)) {
    return { properties, required, additional: true, beyond: schema ? undefined : { not: {} } };
  }
  for (const each of conjunction(schema)) {
    const { names, needed } = ownProperties(each);
    for (const [name, value] of names) add(properties, name, value, "allOf");
    for (const name of needed) required.add(name);
  }
  addAlternatives(conjunction(schema), properties, required);
  for (const name of required) if (!properties.has(name)) properties.set(name, otherwise(schema));
  return { properties, required, additional: additionalOf(schema), beyond: beyondOf(schema) };
}

/** A schema and all that must hold with it. */
function conjunction(schema: JsonObject): JsonObject[] {
  return [schema, ...schemasIn(schema, "allOf").flatMap(conjunction)];
}

function schemasIn(schema: JsonObject, keyword: string): JsonObject[] {
  const list = own(schema, keyword);
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function ownProperties(schema: JsonObject): {
  readonly names: readonly (readonly [string, Schema])[];
  readonly needed: readonly string[];
} {
  const map = own(schema, "properties");
  const list = own(schema, "required");
  return {
    names: Object.entries(isObject(map) ? map : {}).filter(isNamedSchema),
    needed: Array.isArray(list)
      ? list.filter((each) => typeof each === "string" && isSafe(each))
      : [],
  };
}

function isNamedSchema(entry: [string, unknown]): entry is [string, Schema] {
  return isSafe(entry[0]) && (isObject(entry[1]) || typeof entry[1] === "boolean");
}

/** Zod passes over `__proto__`, and converters assign it. */
function isSafe(name: string): boolean {
  return name !== "__proto__";
}

function add(to: Map<string, Schema>, name: string, schema: Schema, by: "allOf" | "anyOf"): void {
  const known = to.get(name);
  if (known === undefined || JSON.stringify(known) === JSON.stringify(schema)) {
    to.set(name, schema);
    return;
  }
  const joined = isObject(known) && Object.keys(known).join() === by ? own(known, by) : undefined;
  to.set(name, { [by]: [...(Array.isArray(joined) ? joined : [known]), schema] });
}

function addAlternatives(
  schemas: readonly JsonObject[],
  properties: Map<string, Schema>,
  required: Set<string>,
): void {
  const offered = new Map<string, Schema>();
  for (const branches of schemas.flatMap(unions)) {
    for (const each of branches) {
      for (const [name, value] of each.properties) add(offered, name, value, "anyOf");
    }
    for (const name of neededByAll(branches)) required.add(name);
  }
  for (const [name, value] of offered) if (!properties.has(name)) properties.set(name, value);
}

/** The branches of which some hold; one that need not hold is a union with anything. */
function unions(schema: JsonObject): Outline[][] {
  const optional = ["then", "else"].flatMap((key) => {
    const branch = own(schema, key);
    return isObject(branch) ? [[outline(branch), outline(true)]] : [];
  });
  const alternatives = ["anyOf", "oneOf"].map((key) => schemasIn(schema, key).map(outline));
  return [...alternatives, ...optional];
}

function neededByAll(branches: readonly Outline[]): string[] {
  const [first, ...others] = branches.map((each) => each.required);
  return [...(first ?? [])].filter((name) => others.every((each) => each.has(name)));
}

function additionalOf(schema: JsonObject): Schema {
  const additional = otherwise(schema);
  const patterns = own(schema, "patternProperties");
  if (!isObject(patterns) || additional === true) return additional;
  const others = additional === false ? [] : [additional];
  return { anyOf: [...Object.values(patterns), ...others] };
}

function otherwise(schema: JsonObject): Schema {
  const additional = own(schema, "additionalProperties");
  if (isObject(additional)) return Object.keys(additional).length === 0 ? true : additional;
  return additional !== false;
}

const outlined: ReadonlySet<string> = new Set([
  "$comment",
  "$id",
  "$schema",
  "additionalProperties",
  "default",
  "deprecated",
  "description",
  "examples",
  "properties",
  "readOnly",
  "required",
  "title",
  "type",
  "writeOnly",
]);

function beyondOf(schema: JsonObject): JsonObject | undefined {
  const entries = Object.entries(schema).filter(([key, value]) => {
    if (key === "properties") return isObject(value) && !Object.keys(value).every(isSafe);
    if (key === "required") return Array.isArray(value) && !value.every(isSafe);
    return !outlined.has(key) && !(key === "propertyNames" && isAnyName(value));
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Names are strings anyway. */
function isAnyName(schema: unknown): boolean {
  if (!isObject(schema)) return schema === true;
  const keys = Object.keys(schema);
  return keys.length === 0 || (keys.join() === "type" && schema["type"] === "string");
}
