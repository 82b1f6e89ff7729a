import { isObject, type JsonObject, own, pointer, put } from "./json.ts";
import type { SchemaLimits } from "./limits.ts";
import { tooLarge } from "./plain-copy.ts";
import { tokensOfPointer, valueUnder } from "./refs.ts";

/**
 * Copies of what only a `$ref` makes a schema, such as a member of `enum` or the map under
 * `properties`: it is repaired as a schema, and must stay as it is where it is something else.
 */
export interface Copies {
  /** Undefined if there is no schema at that place. */
  of(
    pointer: string,
  ): { readonly value: JsonObject | boolean; readonly location: string } | undefined;
}

/** Puts them under the root's `$defs`. `original` gives the schema as it was given. */
export function copiesInto(
  root: JsonObject,
  original: () => unknown,
  limits: SchemaLimits,
): Copies {
  const made = new Map<string, ReturnType<Copies["of"]>>();
  let source: unknown;
  let nodes = 0;
  const copy = (from: string): ReturnType<Copies["of"]> => {
    source ??= original();
    const value = structuredClone(valueUnder(source, tokensOfPointer(from)));
    if (!isObject(value) && typeof value !== "boolean") return undefined;
    nodes += sizeOf(value);
    if (!(nodes <= limits.maxNodes)) throw tooLarge("maxNodes", limits, from);
    return { value, location: pointer("/$defs", addTo(root, from, value)) };
  };
  return {
    of(from) {
      if (!made.has(from)) made.set(from, copy(from));
      return made.get(from);
    },
  };
}

function addTo(root: JsonObject, from: string, value: unknown): string {
  const present = own(root, "$defs");
  const definitions: JsonObject = isObject(present) ? present : {};
  root["$defs"] = definitions;
  let name = `#${from}`;
  while (Object.hasOwn(definitions, name)) name += "'";
  put(definitions, name, value);
  return name;
}

function sizeOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + sizeOf(inner), 1);
}
