import { isObject, type JsonObject, own, pointer } from "./json.ts";

const single: readonly string[] = [
  "additionalItems",
  "additionalProperties",
  "contains",
  "contentSchema",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
];
const lists: readonly string[] = ["allOf", "anyOf", "items", "oneOf", "prefixItems"];
const maps: readonly string[] = [
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
  "patternProperties",
  "properties",
];

export interface Place {
  readonly schema: JsonObject;
  /** JSON pointer from the root. */
  readonly pointer: string;
}

/** The schemas directly inside a schema; booleans, which hold nothing, are left out. */
export function subschemas({ schema, pointer: base }: Place): Place[] {
  const found: Place[] = [];
  const add = (value: unknown, at: string): void => {
    if (isObject(value)) found.push({ schema: value, pointer: at });
  };
  for (const key of single) add(own(schema, key), pointer(base, key));
  for (const key of lists) {
    const list = own(schema, key);
    if (!Array.isArray(list)) continue;
    for (const [index, value] of list.entries()) add(value, pointer(pointer(base, key), index));
  }
  for (const key of maps) {
    const map = own(schema, key);
    if (!isObject(map)) continue;
    for (const [name, value] of Object.entries(map)) add(value, pointer(pointer(base, key), name));
  }
  return found;
}
