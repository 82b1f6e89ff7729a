import { format as formatsOfCfworker, type Schema, validate } from "@cfworker/json-schema";
import { cfworkerSchema } from "./cfworker-schema.ts";
import { type Engine, type Fault, judgingError } from "./engine.ts";
import { ToolSchemaError } from "./errors.ts";
import { findFaults, type Inspection } from "./find-faults.ts";
import { type AssertedFormat, assertedFormats, fitsFormat } from "./formats.ts";
import type { PreparedSchema } from "./prepare.ts";

const drafts = { "2020-12": "2020-12", "2019-09": "2019-09", "draft-07": "7" } as const;

/**
 * Judges without generating code. Values are judged as JSON writes them: what is undefined is left
 * out, NaN is null.
 *
 * @throws ToolSchemaError `invalid_pattern`
 */
export function createCfworkerEngine(prepared: PreparedSchema, formats: boolean): Engine {
  const draft = drafts[prepared.dialect];
  const { forms, lookup } = cfworkerSchema(prepared, formats ? formatName : () => undefined);
  const schemas = new Map([...prepared.pointers].map(([schema, pointer]) => [pointer, schema]));
  const judge = (form: unknown, value: unknown, isShort: boolean) =>
    validate(value, form as Schema, draft, lookup, isShort);
  const inspection: Inspection = {
    targets: prepared.targets,
    formOf: (schema) => forms.get(schema) ?? {},
    fits: (form, value) => judge(form, value, true).valid,
    unevaluated(form, keyword, value) {
      const { errors } = judge(form, value, false);
      return errors.flatMap((unit, index) => {
        if (unit.keywordLocation !== `#/${keyword}`) return [];
        // What is wrong with the item or property itself follows.
        const token = errors[index + 1]?.instanceLocation.split("/")[1] ?? "";
        return [decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~")];
      });
    },
  };
  const faultsOf = (schema: object | boolean, given: unknown): readonly Fault[] | undefined => {
    try {
      const value: unknown = JSON.parse(JSON.stringify(given) ?? "null");
      const form = typeof schema === "boolean" ? schema : forms.get(schema);
      return judge(form, value, true).valid ? undefined : findFaults(schema, value, inspection);
    } catch (cause) {
      throw judgingError(cause);
    }
  };
  return {
    faults: (value) => faultsOf(prepared.schema, value),
    faultsAt(pointer, value) {
      const schema = schemas.get(pointer);
      if (schema !== undefined) return faultsOf(schema, value);
      throw new ToolSchemaError("uncompilable", "the schema is not found", { path: pointer });
    },
  };
}

/**
 * The table of formats is one for all users of cfworker, and other formats are in it: ours are added
 * under names of their own.
 */
function formatName(format: AssertedFormat): string {
  return `tool-schema ${format}`;
}

for (const name of assertedFormats) {
  formatsOfCfworker[formatName(name)] = (text) => fitsFormat(name, text);
}
