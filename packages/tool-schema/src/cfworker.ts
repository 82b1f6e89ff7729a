import { format as formatsOfCfworker, type Schema, validate } from "@cfworker/json-schema";
import { cfworkerSchema } from "./cfworker-schema.ts";
import { type EngineKind, judgingError } from "./engine.ts";
import { type AssertedFormat, assertedFormats, fitsFormat } from "./formats.ts";
import { interpreterOf } from "./interpreter.ts";
import { isObject } from "./json.ts";

const drafts = { "2020-12": "2020-12", "2019-09": "2019-09", "draft-07": "7" } as const;

/** cfworker, which judges without generating code. */
export const cfworker: EngineKind = {
  create(prepared, { formats }) {
    const { schema } = prepared;
    const draft = drafts[prepared.dialect];
    const { forms, lookup } = cfworkerSchema(prepared, formats ? formatName : () => undefined);
    const form = isObject(schema) ? (forms.get(schema) ?? {}) : schema;
    const interpreter = interpreterOf(prepared, formats);
    return {
      evaluationsInNoTime: 50_000,
      fits(value) {
        try {
          // Of what is no JSON, such as NaN, bigints and dates, cfworker has no notion.
          return isJson(value)
            ? validate(value, form as Schema, draft, lookup, true).valid
            : interpreter.faults(value, 1).length === 0;
        } catch (cause) {
          throw judgingError(cause);
        }
      },
    };
  },
};

function isJson(value: unknown): boolean {
  try {
    return holdsJson(value);
  } catch {
    return false;
  }
}

function holdsJson(value: unknown): boolean {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return [...value].every(holdsJson);
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return isPlain && Object.values(value).every(holdsJson);
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
