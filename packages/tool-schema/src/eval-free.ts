import { createCfworkerEngine } from "./cfworker.ts";
import { type CompiledSchema, type CompileOptions, compilerOver } from "./validator.ts";

export type { Dialect } from "./dialect.ts";
export { ToolSchemaError, type ToolSchemaErrorCode } from "./errors.ts";
export type { SchemaIssue } from "./issues.ts";
export type { SchemaLimits } from "./limits.ts";
export type { SchemaNote, SchemaNoteCode } from "./repairs.ts";
export type { CompiledSchema, CompileOptions } from "./validator.ts";

const compile = compilerOver(createCfworkerEngine);

/**
 * `compileSchema` of the root entry for places where code must not be generated. Same limits,
 * repairs, formats and issues; values are judged as JSON writes them. A pattern that cannot be said
 * with the flag `u` is `invalid_pattern` at the first `validate`.
 *
 * @throws ToolSchemaError as that of the root entry
 */
export function compileSchema(schema: unknown, options: CompileOptions = {}): CompiledSchema {
  return compile(schema, options);
}
