import { ToolSchemaError } from "./errors.ts";
import type { PreparedSchema } from "./prepare.ts";

/** One schema, ready to judge. */
export interface Engine {
  /** @throws ToolSchemaError `too_complex`, `unreadable`, `invalid_pattern` */
  fits(value: unknown): boolean;
  /**
   * Evaluations, each of one place of a value by one schema, that take no longer than some
   * hundredths of a second.
   */
  readonly evaluationsInNoTime: number;
}

export interface EngineOptions {
  readonly formats: boolean;
  /** How long generating code may take. */
  readonly compileTimeoutMs: number;
}

/** A way to judge by a schema. */
export interface EngineKind {
  /** @throws ToolSchemaError `uncompilable`, `invalid_pattern` */
  create(prepared: PreparedSchema, options: EngineOptions): Engine;
}

/** What it means that judging a value threw. */
export function judgingError(cause: unknown): ToolSchemaError {
  if (cause instanceof ToolSchemaError) return cause;
  if (cause instanceof RangeError) return tooComplex("validating the value", cause);
  if (cause instanceof SyntaxError) {
    // Engines of regular expressions look at the size of one only when it is first used.
    const message = "a pattern of the schema is too large to be run";
    return new ToolSchemaError("invalid_pattern", message, { cause });
  }
  return new ToolSchemaError("unreadable", "the value throws when it is read", { cause });
}

export function tooComplex(doing: string, cause: RangeError): ToolSchemaError {
  return new ToolSchemaError("too_complex", `${doing} exhausts the stack`, { cause });
}
