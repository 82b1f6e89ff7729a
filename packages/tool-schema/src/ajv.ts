import { Ajv, type FuncKeywordDefinition, type Options, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Dialect } from "./dialect.ts";
import { type Engine, type EngineOptions, judgingError } from "./engine.ts";
import { firstRepeat, memberTest } from "./equality.ts";
import { ToolSchemaError } from "./errors.ts";
import { assertedFormats, fitsFormat } from "./formats.ts";
import { isMultipleOf } from "./multiple-of.ts";
import { patternExpression } from "./patterns.ts";
import type { PreparedSchema } from "./prepare.ts";

const ROOT = "schema";

/**
 * An Ajv instance of its own for each schema: nothing is shared between servers, and everything
 * goes with the schema when that is let go. It only gives the verdict.
 *
 * @throws ToolSchemaError `uncompilable`
 */
export function createAjvEngine(
  { schema, dialect }: PreparedSchema,
  { formats }: Pick<EngineOptions, "formats">,
): Engine {
  const ajv = makerOf(dialect)(formats);
  const validate = compiling(() => {
    ajv.addSchema(schema, ROOT);
    return ajv.getSchema(ROOT);
  });
  return {
    evaluationsInNoTime: 2_000_000,
    fits(value) {
      try {
        // Anything but true is no verdict, as the promise of an asynchronous schema.
        return (validate(value) as unknown) === true;
      } catch (cause) {
        throw judgingError(cause);
      } finally {
        // It holds parts of the value.
        validate.errors = null;
      }
    },
  };
}

type Maker = (formats: boolean) => Ajv;

const makers = new Map<Dialect, Maker>();

/** Reading the keywords of a dialect takes longer than a schema, so it is done once. */
function makerOf(dialect: Dialect): Maker {
  const known = makers.get(dialect) ?? newMaker(dialect);
  makers.set(dialect, known);
  return known;
}

const dialects = { "2020-12": Ajv2020, "2019-09": Ajv2019, "draft-07": Ajv } as const;

function newMaker(dialect: Dialect): Maker {
  const given = options(dialect);
  const Base: new (options: Options) => Ajv = dialects[dialect];
  const model = new Base(given);
  for (const name of assertedFormats) model.addFormat(name, (text) => fitsFormat(name, text));
  for (const definition of exact) {
    model.removeKeyword(String(definition.keyword));
    model.addKeyword(definition);
  }
  const { RULES, formats: table } = model;
  class Instance extends Base {
    override _addVocabularies(): void {
      Object.assign(this, { RULES, formats: table });
    }
  }
  return (formats) => {
    const ajv = new Instance({ ...given, validateFormats: formats });
    // Schemas that ask for it are interpreted.
    ajv.opts.unevaluated = false;
    return ajv;
  };
}

/**
 * In place of Ajv's own, which loses digits (19.99 / 0.01 is no whole number, 1e308 / 0.1 none at
 * all), calls `toString` and `valueOf` of values it compares, and compares all items with all.
 */
const exact: readonly FuncKeywordDefinition[] = [
  {
    keyword: "multipleOf",
    type: "number",
    schemaType: "number",
    compile: (divisor: number) => (value: number) => isMultipleOf(value, divisor),
  },
  {
    keyword: "const",
    before: "not",
    compile: (constant: unknown) => memberTest([constant]),
  },
  {
    keyword: "enum",
    before: "not",
    schemaType: "array",
    compile: (members: readonly unknown[]) => memberTest(members),
  },
  {
    keyword: "uniqueItems",
    before: "contains",
    type: "array",
    schemaType: "boolean",
    compile: (isAsked: boolean) =>
      isAsked ? (items: readonly unknown[]) => firstRepeat(items) === undefined : () => true,
  },
];

function options(dialect: Dialect): Options {
  return {
    strict: false,
    messages: false,
    ownProperties: true,
    strictNumbers: true,
    // Else a schema would be written out wherever it is referred to.
    inlineRefs: false,
    ignoreKeywordsWithRef: dialect === "draft-07",
    // The shape of a schema is checked before.
    meta: false,
    validateSchema: false,
    logger: false,
    code: { optimize: false, regExp },
  };
}

/** Ajv reads `code` only to print standalone validators, which is never done here. */
const regExp: NonNullable<NonNullable<Options["code"]>["regExp"]> = Object.assign(
  (pattern: string) => patternExpression(pattern),
  { code: "patternExpression" },
);

function compiling(compile: () => ValidateFunction | undefined): ValidateFunction {
  try {
    const compiled = compile();
    if (compiled !== undefined) return compiled;
    throw new Error("it is not found");
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `the schema cannot be compiled: ${why.slice(0, 300)}`;
    throw new ToolSchemaError("uncompilable", message, { cause });
  }
}
