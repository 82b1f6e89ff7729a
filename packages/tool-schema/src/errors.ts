/**
 * - `not_json`: the schema holds what JSON cannot, or itself
 * - `too_large`: the schema exceeds one of the limits, which the message names
 * - `invalid_schema`: the schema breaks the metaschema of its dialect
 * - `unsupported_dialect`: `$schema` names a dialect this package does not know
 * - `unsupported_keyword`: `$dynamicRef` or `$recursiveRef`
 * - `unresolved_ref`: a `$ref` points to nothing inside the schema; nothing is ever fetched
 * - `cyclic_ref`: to judge a value by the schema, the same value has to be judged by it first
 * - `invalid_pattern`: a pattern is no regular expression of ECMAScript, or too large to be run
 * - `uncompilable`: the engine refuses the schema for another reason, in `cause`
 * - `timeout`: judging the value takes too long
 * - `too_complex`: the value exhausts the stack
 * - `unreadable`: reading the value threw, the thrown value is the `cause`
 *
 * The last three are about a value; all others are about the schema, which cannot be used.
 */
export type ToolSchemaErrorCode =
  | "not_json"
  | "too_large"
  | "invalid_schema"
  | "unsupported_dialect"
  | "unsupported_keyword"
  | "unresolved_ref"
  | "cyclic_ref"
  | "invalid_pattern"
  | "uncompilable"
  | "timeout"
  | "too_complex"
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
