import { mapKeyword, mapNamed } from "./applicators.ts";
import { isObject, type JsonObject, put } from "./json.ts";
import type { Schema } from "./self-contained.ts";

/** A schema without references, said in the words of draft-07, as far as that has words for it. */
export function asDraft07(schema: Schema): Schema {
  return rewrite(schema);
}

function rewrite(schema: unknown): Schema {
  if (!isObject(schema)) return schema !== false;
  const { prefixItems, items, dependentRequired, dependentSchemas, ...others } = schema;
  const made: JsonObject = {};
  for (const [key, value] of Object.entries(others))
    put(made, key, mapKeyword(key, value, rewrite));
  if (Array.isArray(prefixItems)) {
    made["items"] = prefixItems.map(rewrite);
    if (items !== undefined) made["additionalItems"] = rewrite(items);
  } else if (items !== undefined) {
    made["items"] = mapKeyword("items", items, rewrite);
  }
  for (const map of [dependentRequired, dependentSchemas]) {
    if (!isObject(map)) continue;
    const known = isObject(made["dependencies"]) ? made["dependencies"] : {};
    made["dependencies"] = { ...known, ...mapNamed(map, rewrite) };
  }
  return made;
}
