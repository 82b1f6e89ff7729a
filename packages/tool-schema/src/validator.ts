import type { Dialect } from "./dialect.ts";
import type { CreateEngine, Engine, Fault } from "./engine.ts";
import { ToolSchemaError } from "./errors.ts";
import { explain, type SchemaIssue, unexplained } from "./issues.ts";
import type { SchemaLimits } from "./limits.ts";
import { type PreparedSchema, prepare } from "./prepare.ts";
import type { SchemaNote } from "./repairs.ts";
import { timeBoxed } from "./time-box.ts";

export interface CompileOptions {
  /**
   * Whether `date-time`, `date`, `time`, `duration`, `email`, `uri`, `uuid`, `ipv4` and `ipv6` are
   * asserted. All other formats are annotations. @defaultValue true
   */
  readonly formats?: boolean;
  /** What the schema may cost; each limit that is not given keeps its default. */
  readonly limits?: Partial<SchemaLimits>;
  /**
   * How long compiling may take, at the first `validate`; `Infinity` for ever. Without `node:vm`
   * nothing stops it. @defaultValue 250
   */
  readonly compileTimeoutMs?: number;
  /**
   * How long judging one value may take; `Infinity` for ever. Without `node:vm` nothing stops it.
   * A verdict by a cheap schema is not timed. @defaultValue 250
   */
  readonly validateTimeoutMs?: number;
}

export interface CompiledSchema {
  /**
   * Judges a value by the schema and nothing else; the value is never changed. Plain JSON Schema:
   * a schema that does not ask for an object takes any value, although MCP arguments are objects.
   *
   * @throws ToolSchemaError if the schema turns out to be unusable at its first use, and then each
   * time (`timeout`, `too_complex`, `uncompilable`), or if the value takes too long (`timeout`),
   * exhausts the stack (`too_complex`), throws when it is read (`unreadable`) or is the first that a
   * pattern is tried on, which is then found to be too large (`invalid_pattern`)
   */
  validate(
    value: unknown,
  ): { readonly ok: true } | { readonly ok: false; readonly issues: readonly SchemaIssue[] };
  readonly dialect: Dialect;
  /** Where the schema was read otherwise than it stands. */
  readonly notes: readonly SchemaNote[];
  /**
   * The schema has no pattern, no `uniqueItems`, no recursion and leads to few evaluations: judging
   * a value takes a time that the size of the value bounds, so it is not timed.
   */
  readonly cheap: boolean;
}

/** @throws ToolSchemaError */
export type CompileSchema = (schema: unknown, options?: CompileOptions) => CompiledSchema;

/** `compileSchema` over an engine. */
export function compilerOver(createEngine: CreateEngine): CompileSchema {
  return (schema, options = {}) => {
    const { formats = true, limits, compileTimeoutMs = 250, validateTimeoutMs = 250 } = options;
    const prepared = prepare(schema, limits);
    const engine = onFirstUse(() =>
      timeBoxed("compiling the schema", compileTimeoutMs, () => createEngine(prepared, formats)),
    );
    return {
      dialect: prepared.dialect,
      notes: prepared.notes,
      cheap: prepared.isCheap,
      validate: (value) => judge(value, { engine: engine(), prepared, validateTimeoutMs }),
    };
  };
}

interface Judgement {
  readonly engine: Engine;
  readonly prepared: PreparedSchema;
  readonly validateTimeoutMs: number;
}

function judge(
  value: unknown,
  { engine, prepared, validateTimeoutMs }: Judgement,
): ReturnType<CompiledSchema["validate"]> {
  const start = performance.now();
  const timeoutMs = prepared.isCheap ? Number.POSITIVE_INFINITY : validateTimeoutMs;
  const faults = timeBoxed("validating the value", timeoutMs, () => engine.faults(value));
  if (faults === undefined) return { ok: true };
  const judge = { engine, pointers: prepared.pointers };
  const leftMs = validateTimeoutMs - (performance.now() - start);
  return { ok: false, issues: explained(value, faults, { judge, leftMs }) };
}

/** The verdict stands, whatever becomes of its explanation. */
function explained(
  value: unknown,
  faults: readonly Fault[],
  { judge, leftMs }: { readonly judge: Parameters<typeof explain>[2]; readonly leftMs: number },
): readonly SchemaIssue[] {
  try {
    return timeBoxed("explaining the verdict", leftMs, () => explain(value, faults, judge));
  } catch (error) {
    if (error instanceof ToolSchemaError || error instanceof RangeError) return unexplained;
    throw error;
  }
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
