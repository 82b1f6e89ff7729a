import { Ajv, type ErrorObject, type Options, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import type { Dialect } from "./dialect.ts";
import { ToolSchemaError } from "./errors.ts";
import { patternExpression } from "./patterns.ts";
import type { PreparedSchema } from "./prepare.ts";

/** The formats that are asserted; all others are annotations. */
const assertedFormats = [
  "date-time",
  "date",
  "time",
  "duration",
  "email",
  "uri",
  "uuid",
  "ipv4",
  "ipv6",
] as const;

const engines = { "2020-12": Ajv2020, "2019-09": Ajv2019, "draft-07": Ajv } as const;

/** What an engine found wrong with a value. */
export type Fault = ErrorObject<string, Record<string, unknown>, unknown>;

/** One compiled schema. */
export interface Engine {
  /** Nothing at all if the value fits. */
  faults(value: unknown): readonly Fault[] | undefined;
  /** The same for a schema inside this one, by its JSON pointer. */
  faultsAt(pointer: string, value: unknown): readonly Fault[] | undefined;
}

const ROOT = "schema";

/**
 * An Ajv instance of its own for each schema: nothing is shared between servers, and everything
 * goes with the schema when that is let go.
 *
 * @throws ToolSchemaError `too_complex`, `unresolved_ref`, `uncompilable`
 */
export function createEngine(prepared: PreparedSchema, formats: boolean): Engine {
  const ajv = new engines[prepared.dialect](options(prepared.dialect));
  for (const name of formats ? assertedFormats : []) ajv.addFormat(name, fullFormats[name]);
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

function options(dialect: Dialect): Options {
  return {
    strict: false,
    allErrors: true,
    verbose: true,
    ownProperties: true,
    strictNumbers: true,
    multipleOfPrecision: 10,
    ignoreKeywordsWithRef: dialect === "draft-07",
    // Schemas are checked against their metaschema before, by a checker that all share.
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
  if (cause instanceof Ajv.MissingRefError) {
    return new ToolSchemaError("unresolved_ref", why, { cause });
  }
  const message = `the schema cannot be compiled: ${why.slice(0, 300)}`;
  return new ToolSchemaError("uncompilable", message, { cause });
}

function tooComplex(doing: string, cause: RangeError): ToolSchemaError {
  return new ToolSchemaError("too_complex", `${doing} exhausts the stack`, { cause });
}

function run(validate: ValidateFunction, value: unknown): readonly Fault[] | undefined {
  let verdict: unknown;
  try {
    verdict = validate(value);
  } catch (cause) {
    if (cause instanceof RangeError) throw tooComplex("validating the value", cause);
    throw new ToolSchemaError("unreadable", "the value throws when it is read", { cause });
  }
  if (verdict === true) return undefined;
  return validate.errors ?? [];
}

/** One per dialect, made when first used. They hold nothing of any schema. */
const metaschemas = new Map<Dialect, ValidateFunction>();

const metaschemaIds = {
  "2020-12": "https://json-schema.org/draft/2020-12/schema",
  "2019-09": "https://json-schema.org/draft/2019-09/schema",
  "draft-07": "http://json-schema.org/draft-07/schema",
} as const;

/** @throws ToolSchemaError `invalid_schema`, `too_complex` */
export function checkAgainstMetaschema({ schema, dialect }: PreparedSchema): void {
  const check = metaschemas.get(dialect) ?? metaschemaOf(dialect);
  const fault = run(check, schema)?.[0];
  if (fault === undefined) return;
  const { instancePath: path, message = "is invalid" } = fault;
  throw new ToolSchemaError("invalid_schema", `the schema at ${path || "the root"} ${message}`, {
    path,
  });
}

function metaschemaOf(dialect: Dialect): ValidateFunction {
  const ajv = new engines[dialect]({ strict: false, validateFormats: false, logger: false });
  const check = compiling(() => ajv.getSchema(metaschemaIds[dialect]));
  metaschemas.set(dialect, check);
  return check;
}
