import { ToolSchemaError } from "./errors.ts";
import type { PreparedSchema } from "./prepare.ts";

/** What an engine found wrong with a value, in the terms of Ajv. */
export interface Fault {
  readonly keyword: string;
  /** JSON pointer into the value. */
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The property whose name is at fault. */
  readonly propertyName?: string;
  readonly message?: string;
  /** What stands under the keyword. */
  readonly schema?: unknown;
  readonly parentSchema?: unknown;
  readonly data?: unknown;
}

/** One compiled schema. */
export interface Engine {
  /**
   * Nothing at all if the value fits. What a keyword tried inside itself comes before its own fault.
   *
   * @throws ToolSchemaError `too_complex`, `unreadable`, `invalid_pattern`
   */
  faults(value: unknown): readonly Fault[] | undefined;
  /** The same for a schema inside this one, by its JSON pointer. */
  faultsAt(pointer: string, value: unknown): readonly Fault[] | undefined;
}

/** @throws ToolSchemaError `too_complex`, `uncompilable` */
export type CreateEngine = (prepared: PreparedSchema, formats: boolean) => Engine;

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
