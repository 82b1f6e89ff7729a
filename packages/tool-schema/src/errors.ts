/**
 * - `not_json`: the schema holds what JSON cannot, or itself
 * - `invalid_schema`: the schema breaks the metaschema of its dialect
 * - `unsupported_dialect`: `$schema` names a dialect this package does not know
 * - `unsupported_keyword`: `$dynamicRef` or `$recursiveRef`
 * - `unresolved_ref`: a `$ref` points to nothing inside the schema; nothing is ever fetched
 * - `invalid_pattern`: a pattern is no regular expression of ECMAScript
 * - `too_complex`: the schema, or a value against it, exhausts the stack
 * - `uncompilable`: the engine refuses the schema for another reason, in `cause`
 * - `unreadable`: reading the value threw, the thrown value is the `cause`
 */
export type ToolSchemaErrorCode =
  | "not_json"
  | "invalid_schema"
  | "unsupported_dialect"
  | "unsupported_keyword"
  | "unresolved_ref"
  | "invalid_pattern"
  | "too_complex"
  | "uncompilable"
  | "unreadable";

/** The only error this package throws. Branch on `code`. */
export class ToolSchemaError extends Error {
  override readonly name = "ToolSchemaError";
  readonly code: ToolSchemaErrorCode;
  /** JSON pointer into the schema; `""` is the whole. */
  readonly path: string;

  constructor(
    code: ToolSchemaErrorCode,
    message: string,
    { path = "", cause }: { readonly path?: string; readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.path = path;
  }
}
