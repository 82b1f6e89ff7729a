import { type Assertion, assertionsOf } from "./assertions.ts";
import type { Dialect } from "./dialect.ts";
import { isObject, type JsonObject, own } from "./json.ts";
import { keywords } from "./keywords.ts";
import { patternExpression } from "./patterns.ts";
import type { PreparedSchema } from "./prepare.ts";

/** A schema as it is interpreted. */
export interface Reading {
  /** The keywords that mean something in the dialect. */
  readonly form: JsonObject;
  readonly assertions: ReadonlyMap<string, Assertion>;
  /** The schemas under `patternProperties`. */
  readonly patterns: readonly (readonly [name: RegExp, schema: unknown])[];
}

/** Reads each schema when it is first come to. */
export type Read = (schema: JsonObject) => Reading;

export function reader({ dialect }: PreparedSchema, formats: boolean): Read {
  const known = new Map<JsonObject, Reading>();
  return (schema) => {
    const found = known.get(schema) ?? read(schema, dialect, formats);
    known.set(schema, found);
    return found;
  };
}

function read(schema: JsonObject, dialect: Dialect, formats: boolean): Reading {
  const form = meaningful(schema, dialect);
  if (!formats) delete form["format"];
  const named = own(form, "patternProperties");
  const patterns = Object.entries(isObject(named) ? named : {});
  return {
    form,
    assertions: assertionsOf(form),
    patterns: patterns.map(([name, inner]) => [patternExpression(name), inner]),
  };
}

/** A schema without what means nothing in its dialect; its values are the same ones. */
export function meaningful(schema: JsonObject, dialect: Dialect): JsonObject {
  // Before 2019-09 a `$ref` stands alone.
  if (dialect === "draft-07" && Object.hasOwn(schema, "$ref")) return { $ref: schema["$ref"] };
  const entries = Object.entries(schema).filter(([keyword]) =>
    keywords.get(keyword)?.dialects.includes(dialect),
  );
  return Object.fromEntries(entries);
}
