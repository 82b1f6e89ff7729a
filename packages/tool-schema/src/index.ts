export { compileSchema } from "./compile.ts";
export type { Dialect } from "./dialect.ts";
export { ToolSchemaError, type ToolSchemaErrorCode } from "./errors.ts";
export type { SchemaIssue } from "./issues.ts";
export type { SchemaLimits } from "./limits.ts";
export type { SchemaNote, SchemaNoteCode } from "./repairs.ts";
export type { CompiledSchema, CompileOptions } from "./validator.ts";
