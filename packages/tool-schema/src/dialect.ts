import { ToolSchemaError } from "./errors.ts";
import { isObject, kindOf, own } from "./json.ts";

export type Dialect = "2020-12" | "2019-09" | "draft-07";

/** Draft-06 and draft-04 are read as draft-07; what draft-04 writes otherwise is repaired. */
const dialects: ReadonlyMap<string, Dialect> = new Map([
  ["json-schema.org/draft/2020-12/schema", "2020-12"],
  ["json-schema.org/schema", "2020-12"],
  ["json-schema.org/draft/2019-09/schema", "2019-09"],
  ["json-schema.org/draft-07/schema", "draft-07"],
  ["json-schema.org/draft-06/schema", "draft-07"],
  ["json-schema.org/draft-04/schema", "draft-07"],
]);

/**
 * The dialect a schema names with `$schema`; without one it is 2020-12, as MCP prescribes.
 *
 * @throws ToolSchemaError `unsupported_dialect`, or `invalid_schema` if `$schema` is no string
 */
export function dialectOf(schema: unknown): Dialect {
  const named = isObject(schema) ? own(schema, "$schema") : undefined;
  if (named === undefined || named === null) return "2020-12";
  if (typeof named !== "string") {
    const message = `$schema must be a string, got ${kindOf(named)}`;
    throw new ToolSchemaError("invalid_schema", message, { path: "/$schema" });
  }
  const bare = named
    .trim()
    .replace(/^https?:\/\//i, "")
    .replace(/[#/]+$/, "");
  const dialect = dialects.get(bare);
  if (dialect !== undefined) return dialect;
  const message = `the dialect ${JSON.stringify(named.slice(0, 100))} is not supported`;
  throw new ToolSchemaError("unsupported_dialect", message, { path: "/$schema" });
}
