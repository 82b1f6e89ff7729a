export { type CompiledSchema, type CompileOptions, compileSchema } from "./compile.ts";
export type { Dialect } from "./dialect.ts";
export { ToolSchemaError, type ToolSchemaErrorCode } from "./errors.ts";
export type { SchemaIssue } from "./issues.ts";
export type { SchemaNote, SchemaNoteCode } from "./repairs.ts";
