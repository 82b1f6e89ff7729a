import { isObject, type JsonObject, kindOf, own } from "./json.ts";
import type { Warning } from "./warnings.ts";

interface Kind<T> {
  readonly expected: string;
  is(value: unknown): value is T;
}

export const text: Kind<string> = {
  expected: "a string",
  is: (value): value is string => typeof value === "string",
};
export const size: Kind<number> = {
  expected: "a number",
  is: (value): value is number => typeof value === "number",
};
export const object: Kind<JsonObject> = { expected: "an object", is: isObject };
export const list: Kind<readonly unknown[]> = {
  expected: "an array",
  is: (value): value is readonly unknown[] => Array.isArray(value),
};

type Read<Kinds> = { [Key in keyof Kinds]?: Kinds[Key] extends Kind<infer T> ? T : never };

/**
 * The optional fields of an item that are of the right kind. Null counts as absent; anything else
 * is left out with a warning.
 */
export function optionalFields<Kinds extends Record<string, Kind<unknown>>>(
  item: JsonObject,
  kinds: Kinds,
  { label, path = "", warnings }: { label: string; path?: string; warnings: Warning[] },
): Read<Kinds> {
  const fields: Record<string, unknown> = {};
  for (const [key, kind] of Object.entries(kinds)) {
    const value = own(item, key);
    if (value === undefined || value === null) continue;
    if (kind.is(value)) {
      fields[key] = value;
      continue;
    }
    const message = `${label}: ${key} must be ${kind.expected}, got ${kindOf(value)}; it is left out`;
    warnings.push({ code: "invalid_field", message, path: `${path}/${key}` });
  }
  return fields as Read<Kinds>;
}
