import { type EngineKind, judgingError } from "./engine.ts";
import type { Fault } from "./fault.ts";
import { findFaults } from "./find-faults.ts";
import type { PreparedSchema } from "./prepare.ts";
import { reader } from "./reading.ts";

/** Faults that are looked for; nobody reads more. */
const MAX_FAULTS = 100;

/** Judges by reading the schema again for each value: exact, and nothing has to be compiled. */
export interface Interpreter {
  /** @throws ToolSchemaError `too_complex`, `unreadable`, `invalid_pattern` */
  faults(value: unknown, most?: number): readonly Fault[];
}

export function interpreterOf(prepared: PreparedSchema, formats: boolean): Interpreter {
  const { schema, targets, dialect, cost } = prepared;
  const by = {
    read: reader(prepared, formats),
    targets,
    looksBack: cost.looksBack,
    containsCounts: dialect === "2020-12",
  };
  return {
    faults(value, most = MAX_FAULTS) {
      try {
        return findFaults(schema, value, { ...by, most });
      } catch (cause) {
        throw judgingError(cause);
      }
    },
  };
}

/** The interpreter alone, for schemas that are large, or have what Ajv is not exact with. */
export const interpreted: EngineKind = {
  create(prepared, { formats }) {
    const { faults } = interpreterOf(prepared, formats);
    return {
      evaluationsInNoTime: 100_000,
      fits: (value) => faults(value, 1).length === 0,
    };
  },
};
