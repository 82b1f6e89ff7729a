import { cfworker } from "./cfworker.ts";
import { interpreted } from "./interpreter.ts";
import { type CompiledSchema, type CompileOptions, compilerOver } from "./validator.ts";

export type { Dialect } from "./dialect.ts";
export { ToolSchemaError, type ToolSchemaErrorCode } from "./errors.ts";
export type { SchemaIssue } from "./issues.ts";
export type { SchemaLimits } from "./limits.ts";
export type { SchemaNote, SchemaNoteCode } from "./repairs.ts";
export type { CompiledSchema, CompileOptions } from "./validator.ts";

// cfworker lets `contains` count for `unevaluatedItems` also where it does not yet, in 2019-09.
const compile = compilerOver(({ cost }) => (cost.looksBack ? interpreted : cfworker));

/**
 * `compileSchema` of the root entry for places where code must not be generated. Same limits,
 * repairs, formats, verdicts and issues. A pattern that cannot be said with the flag `u` is
 * `invalid_pattern` at the first `validate`.
 *
 * @throws ToolSchemaError as that of the root entry
 */
export function compileSchema(schema: unknown, options: CompileOptions = {}): CompiledSchema {
  return compile(schema, options);
}
