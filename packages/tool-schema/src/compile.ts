import { createAjvEngine } from "./ajv.ts";
import type { Engine, EngineKind, EngineOptions } from "./engine.ts";
import { ToolSchemaError } from "./errors.ts";
import { interpreted } from "./interpreter.ts";
import type { PreparedSchema } from "./prepare.ts";
import { timeBoxed } from "./time-box.ts";
import { type CompiledSchema, type CompileOptions, compilerOver } from "./validator.ts";

export type { CompiledSchema, CompileOptions } from "./validator.ts";

/** Keywords up to which code is generated in some hundredths of a second; no real tool has more. */
const SMALL = 200;
/** Keywords above which generating code takes longer than it is worth. */
const LARGE = 800;

/** Ajv, in a time box where the schema is not small; what is too much for that is interpreted. */
const compiled: EngineKind = {
  create(prepared, options) {
    try {
      return prepared.cost.keywords <= SMALL
        ? createAjvEngine(prepared, options)
        : compiledInTime(prepared, options);
    } catch (error) {
      if (!isTooMuch(error)) throw error;
      return interpreted.create(prepared, options);
    }
  },
};

function compiledInTime(prepared: PreparedSchema, options: EngineOptions): Engine {
  return timeBoxed("compiling the schema", options.compileTimeoutMs, () =>
    createAjvEngine(prepared, options),
  );
}

/** Generating code took too long or more stack than there is, which says nothing of the schema. */
function isTooMuch(error: unknown): boolean {
  if (!(error instanceof ToolSchemaError)) return false;
  return error.code === "timeout" || error.cause instanceof RangeError;
}

const compile = compilerOver(({ cost }) =>
  cost.isIntricate || cost.keywords > LARGE ? interpreted : compiled,
);

/**
 * Makes a validator of a JSON Schema from an untrusted party. The schema is copied first and never
 * changed; missing or null stands for any object. The validator proper is made at its first use.
 *
 * @throws ToolSchemaError `not_json`, `too_large`, `invalid_schema`, `unsupported_dialect`,
 * `unsupported_keyword`, `unresolved_ref`, `cyclic_ref`, `invalid_pattern`
 */
export function compileSchema(schema: unknown, options: CompileOptions = {}): CompiledSchema {
  return compile(schema, options);
}
