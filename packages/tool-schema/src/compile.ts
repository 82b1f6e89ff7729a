import { createAjvEngine } from "./ajv.ts";
import { type CompiledSchema, type CompileOptions, compilerOver } from "./validator.ts";

export type { CompiledSchema, CompileOptions } from "./validator.ts";

const compile = compilerOver(createAjvEngine);

/**
 * Makes a validator of a JSON Schema from an untrusted party. The schema is copied first and never
 * changed; missing or null stands for any object. The validator proper is compiled at its first use.
 *
 * @throws ToolSchemaError `not_json`, `too_large`, `invalid_schema`, `unsupported_dialect`,
 * `unsupported_keyword`, `unresolved_ref`, `cyclic_ref`, `invalid_pattern`
 */
export function compileSchema(schema: unknown, options: CompileOptions = {}): CompiledSchema {
  return compile(schema, options);
}
