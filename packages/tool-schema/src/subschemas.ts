import type { Dialect } from "./dialect.ts";
import { isObject, type JsonObject, own, pointer } from "./json.ts";
import { type Keyword, keywords } from "./keywords.ts";

export interface Place {
  readonly schema: JsonObject;
  /** JSON pointer from the root. */
  readonly pointer: string;
}

export interface Subschema extends Place {
  /** It judges the same value as the schema it stands in. */
  readonly inPlace: boolean;
}

/** The schemas directly inside a schema; booleans, which hold nothing, are left out. */
export function subschemas({ schema, pointer: base }: Place, dialect: Dialect): Subschema[] {
  const found: Subschema[] = [];
  for (const keyword of Object.keys(schema)) {
    const { holds, inPlace, dialects } = keywords.get(keyword) ?? nothing;
    if (holds.length === 0 || !dialects.includes(dialect)) continue;
    const value = own(schema, keyword);
    const at = pointer(base, keyword);
    for (const [token, inner] of entriesOf(value, holds.includes("map"))) {
      if (!isObject(inner)) continue;
      found.push({
        schema: inner,
        pointer: token === undefined ? at : pointer(at, token),
        inPlace,
      });
    }
  }
  return found;
}

const nothing: Pick<Keyword, "holds" | "inPlace" | "dialects"> = {
  holds: [],
  inPlace: false,
  dialects: [],
};

function entriesOf(value: unknown, isMap: boolean): [string | number | undefined, unknown][] {
  if (Array.isArray(value)) return [...value.entries()];
  if (isMap) return isObject(value) ? Object.entries(value) : [];
  return [[undefined, value]];
}
