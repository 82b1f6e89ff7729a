import {
  _,
  Ajv,
  type ErrorObject,
  type FuncKeywordDefinition,
  type Options,
  type ValidateFunction,
} from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Dialect } from "./dialect.ts";
import { type Engine, type Fault, judgingError, tooComplex } from "./engine.ts";
import { firstRepeat, memberTest } from "./equality.ts";
import { ToolSchemaError } from "./errors.ts";
import { assertedFormats, fitsFormat } from "./formats.ts";
import { isMultipleOf } from "./multiple-of.ts";
import { patternExpression } from "./patterns.ts";
import type { PreparedSchema } from "./prepare.ts";

const engines = { "2020-12": Ajv2020, "2019-09": Ajv2019, "draft-07": Ajv } as const;

const ROOT = "schema";

/**
 * An Ajv instance of its own for each schema: nothing is shared between servers, and everything
 * goes with the schema when that is let go.
 *
 * @throws ToolSchemaError `too_complex`, `uncompilable`
 */
export function createAjvEngine(prepared: PreparedSchema, formats: boolean): Engine {
  const ajv = new engines[prepared.dialect](options(prepared.dialect));
  for (const name of formats ? assertedFormats : []) {
    ajv.addFormat(name, (text: string) => fitsFormat(name, text));
  }
  // Ajv notes what was evaluated even if nothing asks for it, and can stumble over that.
  ajv.opts.unevaluated = asksForUnevaluated(prepared);
  for (const definition of exact) {
    ajv.removeKeyword(String(definition.keyword));
    ajv.addKeyword(definition);
  }
  const compiled = compiling(() => {
    ajv.addSchema(prepared.schema, ROOT);
    return ajv.getSchema(ROOT);
  });
  return {
    faults: (value) => run(compiled, value),
    faultsAt: (pointer, value) => {
      const fragment = pointer.split("/").map(encodeURIComponent).join("/");
      return run(
        compiling(() => ajv.getSchema(`${ROOT}#${fragment}`)),
        value,
      );
    },
  };
}

function hasNoRepeat(items: readonly unknown[]): boolean {
  const repeat = firstRepeat(items);
  // Where Ajv looks for the reason.
  hasNoRepeat.errors = [{ keyword: "uniqueItems", params: repeat ?? {} }];
  return repeat === undefined;
}
hasNoRepeat.errors = [] as Partial<ErrorObject>[];

/**
 * In place of Ajv's own, which loses digits (19.99 / 0.01 is no whole number, 1e308 / 0.1 none at
 * all), calls `toString` and `valueOf` of values it compares, and compares all items with all.
 */
const exact: readonly FuncKeywordDefinition[] = [
  {
    keyword: "multipleOf",
    type: "number",
    schemaType: "number",
    error: { params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}`, message: "" },
    compile: (divisor: number) => (value: number) => isMultipleOf(value, divisor),
  },
  {
    keyword: "const",
    before: "not",
    error: { params: ({ schemaCode }) => _`{allowedValue: ${schemaCode}}`, message: "" },
    compile: (constant: unknown) => memberTest([constant]),
  },
  {
    keyword: "enum",
    before: "not",
    schemaType: "array",
    error: { params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}`, message: "" },
    compile: (members: readonly unknown[]) => memberTest(members),
  },
  {
    keyword: "uniqueItems",
    before: "contains",
    type: "array",
    schemaType: "boolean",
    errors: true,
    compile: (isAsked: boolean) => (isAsked ? hasNoRepeat : () => true),
  },
];

function asksForUnevaluated({ pointers }: PreparedSchema): boolean {
  return [...pointers.keys()].some(
    (schema) => "unevaluatedProperties" in schema || "unevaluatedItems" in schema,
  );
}

function options(dialect: Dialect): Options {
  return {
    strict: false,
    allErrors: true,
    verbose: true,
    ownProperties: true,
    strictNumbers: true,
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
  let compiled: ValidateFunction | undefined;
  try {
    compiled = compile();
  } catch (cause) {
    throw compileError(cause);
  }
  if (compiled === undefined) throw new ToolSchemaError("uncompilable", "the schema is not found");
  return compiled;
}

function compileError(cause: unknown): ToolSchemaError {
  if (cause instanceof RangeError) return tooComplex("compiling the schema", cause);
  const why = cause instanceof Error ? cause.message : String(cause);
  const message = `the schema cannot be compiled: ${why.slice(0, 300)}`;
  return new ToolSchemaError("uncompilable", message, { cause });
}

function run(validate: ValidateFunction, value: unknown): readonly Fault[] | undefined {
  let verdict: unknown;
  try {
    verdict = validate(value);
  } catch (cause) {
    throw judgingError(cause);
  }
  // Anything but true is none, as the promise of an asynchronous schema.
  if (verdict === true) return undefined;
  return validate.errors ?? [];
}
