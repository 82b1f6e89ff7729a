import { isObject, type JsonObject, put } from "./json.ts";
import { keywords } from "./keywords.ts";

type Replace = (schema: unknown) => unknown;

/** The value of a keyword, copied, with each schema directly inside it replaced. */
export function mapKeyword(key: string, value: unknown, replace: Replace): unknown {
  const holds = keywords.get(key)?.holds ?? [];
  if (holds.includes("list") && Array.isArray(value)) return value.map(replace);
  if (holds.includes("map") && isObject(value)) return mapNamed(value, replace);
  return holds.includes("schema") ? replace(value) : structuredClone(value);
}

/** The same for schemas by name; a list of names among them, as in `dependencies`, stays. */
export function mapNamed(map: JsonObject, replace: Replace): JsonObject {
  const made: JsonObject = {};
  for (const [name, each] of Object.entries(map)) {
    put(made, name, Array.isArray(each) ? [...each] : replace(each));
  }
  return made;
}
