import type { Dialect } from "./dialect.ts";
import type { Engine, EngineKind } from "./engine.ts";
import { ToolSchemaError, type ToolSchemaErrorCode } from "./errors.ts";
import { type Interpreter, interpreterOf } from "./interpreter.ts";
import { explain, type SchemaIssue, unexplained } from "./issues.ts";
import type { SchemaLimits } from "./limits.ts";
import { type PreparedSchema, prepare } from "./prepare.ts";
import type { SchemaNote } from "./repairs.ts";
import { timeBoxed } from "./time-box.ts";
import { isSmallWork } from "./workload.ts";

export interface CompileOptions {
  /**
   * Whether `date-time`, `date`, `time`, `duration`, `email`, `uri`, `uuid`, `ipv4` and `ipv6` are
   * asserted. All other formats are annotations. @defaultValue true
   */
  readonly formats?: boolean;
  /** What the schema may cost; each limit that is not given keeps its default. */
  readonly limits?: Partial<SchemaLimits>;
  /**
   * How long generating code for a schema of more than 200 keywords may take, at the first
   * `validate`; `Infinity` for ever. Then the schema is interpreted instead, which is slower and
   * judges the same. @defaultValue 250
   */
  readonly compileTimeoutMs?: number;
  /**
   * How long judging one value may take; `Infinity` for ever. Without `node:vm` nothing stops it.
   * Time in which the machine did other things is given again, up to three times as much. A value
   * of usual size is not timed if the schema is cheap. @defaultValue 250
   */
  readonly validateTimeoutMs?: number;
}

export interface CompiledSchema {
  /**
   * Judges a value by the schema and nothing else; the value is never changed. Plain JSON Schema:
   * a schema that does not ask for an object takes any value, although MCP arguments are objects.
   *
   * @throws ToolSchemaError because of the schema, `uncompilable` and `invalid_pattern` (where a
   * pattern is found to be too large to be run only when it is tried); because of the value,
   * `timeout`, `too_complex` and `unreadable`
   */
  validate(
    value: unknown,
  ): { readonly ok: true } | { readonly ok: false; readonly issues: readonly SchemaIssue[] };
  readonly dialect: Dialect;
  /** Where the schema was read otherwise than it stands. */
  readonly notes: readonly SchemaNote[];
  /**
   * The schema has no pattern, no `uniqueItems`, no recursion and leads to few evaluations: judging
   * a value takes a time that the size of the value bounds.
   */
  readonly cheap: boolean;
}

/** @throws ToolSchemaError */
export type CompileSchema = (schema: unknown, options?: CompileOptions) => CompiledSchema;

/** How many evaluations of one place of a value a cheap schema leads to at most. */
const CHEAP_EVALUATIONS = 250;

/** `compileSchema` over engines. */
export function compilerOver(kindFor: (prepared: PreparedSchema) => EngineKind): CompileSchema {
  return (schema, options = {}) => {
    const { formats = true, limits, compileTimeoutMs = 250, validateTimeoutMs = 250 } = options;
    const prepared = prepare(schema, limits);
    const kind = kindFor(prepared);
    const engine = onFirstUse(() => kind.create(prepared, { formats, compileTimeoutMs }));
    let interpreter: Interpreter | undefined;
    const explained = (value: unknown) => {
      interpreter ??= interpreterOf(prepared, formats);
      return explain(value, interpreter.faults(value));
    };
    const timeFor = (value: unknown, { evaluationsInNoTime }: Engine) =>
      isCheap(prepared) && isSmallWork(value, prepared.cost.evaluations, evaluationsInNoTime)
        ? Number.POSITIVE_INFINITY
        : validateTimeoutMs;
    return {
      dialect: prepared.dialect,
      notes: prepared.notes,
      cheap: isCheap(prepared),
      validate(value) {
        const judge = engine();
        const start = performance.now();
        if (timeBoxed(judging, timeFor(value, judge), () => judge.fits(value))) return { ok: true };
        const timeoutMs = validateTimeoutMs - (performance.now() - start);
        const leastMs = validateTimeoutMs * LEAST_SHARE;
        return {
          ok: false,
          issues: reasons(Math.max(timeoutMs, leastMs), () => explained(value)),
        };
      },
    };
  };
}

/** What is left for the explanation of a verdict that took long. */
const LEAST_SHARE = 0.2;

const judging = "validating the value";

function isCheap({ cost }: PreparedSchema): boolean {
  return cost.evaluations <= CHEAP_EVALUATIONS;
}

const late: ReadonlySet<ToolSchemaErrorCode> = new Set(["timeout", "too_complex"]);

/** The verdict stands, even if its explanation takes too long. */
function reasons(timeoutMs: number, explain: () => readonly SchemaIssue[]): readonly SchemaIssue[] {
  try {
    return timeBoxed("explaining the verdict", timeoutMs, explain);
  } catch (error) {
    const isLate = error instanceof ToolSchemaError && late.has(error.code);
    if (isLate || error instanceof RangeError) return unexplained;
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
