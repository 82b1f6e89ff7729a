import type { Dialect } from "./dialect.ts";
import { checkAgainstMetaschema, createEngine, type Engine } from "./engine.ts";
import { ToolSchemaError } from "./errors.ts";
import { explain, type SchemaIssue } from "./issues.ts";
import { prepare } from "./prepare.ts";
import type { SchemaNote } from "./repairs.ts";

export interface CompileOptions {
  /**
   * Whether `date-time`, `date`, `time`, `duration`, `email`, `uri`, `uuid`, `ipv4` and `ipv6` are
   * asserted. All other formats are annotations. @defaultValue true
   */
  readonly formats?: boolean;
}

export interface CompiledSchema {
  /**
   * Judges a value by the schema and nothing else; the value is never changed. Plain JSON Schema:
   * a schema that does not ask for an object takes any value, although MCP arguments are objects.
   *
   * @throws ToolSchemaError if the schema turns out to be unusable at its first use, and then each
   * time (`unresolved_ref`, `too_complex`, `uncompilable`), or if the value exhausts the stack
   * (`too_complex`) or throws when it is read (`unreadable`)
   */
  validate(
    value: unknown,
  ): { readonly ok: true } | { readonly ok: false; readonly issues: readonly SchemaIssue[] };
  readonly dialect: Dialect;
  /** Where the schema was read otherwise than it stands. */
  readonly notes: readonly SchemaNote[];
}

/**
 * Makes a validator of a JSON Schema from an untrusted party. The schema is copied first and never
 * changed; missing or null stands for any object. The validator proper is compiled at its first use.
 *
 * @throws ToolSchemaError `not_json`, `invalid_schema`, `unsupported_dialect`,
 * `unsupported_keyword`, `unresolved_ref`, `invalid_pattern`, `too_complex`
 */
export function compileSchema(schema: unknown, options: CompileOptions = {}): CompiledSchema {
  const prepared = prepare(schema);
  checkAgainstMetaschema(prepared);
  const engine = onFirstUse(() => createEngine(prepared, options.formats ?? true));
  return {
    dialect: prepared.dialect,
    notes: prepared.notes,
    validate(value) {
      const judge = { engine: engine(), pointers: prepared.pointers };
      const faults = judge.engine.faults(value);
      return faults === undefined
        ? { ok: true }
        : { ok: false, issues: explain(value, faults, judge) };
    },
  };
}

/** Makes the engine once; a schema that failed is not compiled again. */
function onFirstUse(create: () => Engine): () => Engine {
  let engine: Engine | undefined;
  let failure: ToolSchemaError | undefined;
  return () => {
    if (failure !== undefined) throw failure;
    try {
      engine ??= create();
      return engine;
    } catch (error) {
      if (error instanceof ToolSchemaError) failure = error;
      throw error;
    }
  };
}
