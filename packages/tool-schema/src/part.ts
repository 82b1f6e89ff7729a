import type { CompiledSchema, CompileOptions } from "./compile.ts";
import type { Dialect } from "./dialect.ts";
import { isObject } from "./json.ts";
import type { PreparedSchema } from "./prepare.ts";
import { hasReference, rebased, type Schema, selfContained } from "./self-contained.ts";

/** How the validator of a Zod schema is made. */
export interface ToZodOptions extends CompileOptions {
  /**
   * Makes the validator, from the schema and these options.
   * @defaultValue `compileSchema` of `@x/tool-schema`
   */
  readonly compileSchema?: (
    schema: unknown,
    options: CompileOptions,
  ) => Pick<CompiledSchema, "validate">;
}

export type Compile = (schema: unknown) => Pick<CompiledSchema, "validate">;
export type Validate = CompiledSchema["validate"];

/** A schema, or one inside it, that can be judged by alone. */
export interface Part {
  /** Without references. */
  readonly schema: Schema;
  readonly dialect: Dialect;
  readonly compile: Compile;
  /** Compiled when first used. */
  readonly validate: Validate;
}

const names: Readonly<Record<Dialect, string>> = {
  "2020-12": "https://json-schema.org/draft/2020-12/schema",
  "2019-09": "https://json-schema.org/draft/2019-09/schema",
  "draft-07": "http://json-schema.org/draft-07/schema#",
};

/** The whole of a schema, judged as given. */
export function wholeOf(prepared: PreparedSchema, compile: Compile, validate: Validate): Part {
  const { schema, dialect } = prepared;
  const plain = selfContained(schema, schema, dialect !== "draft-07");
  return { schema: plain, dialect, compile, validate };
}

export function partOf(schema: Schema, { dialect, compile }: Part): Part {
  return {
    schema,
    dialect,
    compile,
    validate: onFirstUse(() => compile(named(schema, dialect)).validate),
  };
}

function named(schema: Schema, dialect: Dialect): Schema {
  return isObject(schema) ? { $schema: names[dialect], ...schema } : schema;
}

/** A property of the root, judged with its references as they stand, however deep they recur. */
export function propertyOf(
  name: string,
  schema: Schema,
  { schema: root, dialect }: PreparedSchema,
  whole: Part,
): Part {
  const original = isObject(root) && isObject(root["properties"]) ? root["properties"] : {};
  const stands = Object.hasOwn(original, name) ? original[name] : undefined;
  const part = partOf(schema, whole);
  if (!hasReference(stands) || hasReference(schema)) return part;
  const judged = {
    $schema: names[dialect],
    $defs: { root: rebased(root, "/$defs/root") },
    allOf: [rebased(stands, "/$defs/root")],
  };
  return { ...part, validate: onFirstUse(() => whole.compile(judged).validate) };
}

/** No JSON is undefined: taking it would make a required property an optional one. */
const missing: ReturnType<Validate> = {
  ok: false,
  issues: [{ pointer: "", path: [], keyword: "required", message: "the value is missing" }],
};

function onFirstUse(create: () => Validate): Validate {
  let validate: Validate | undefined;
  return (value) => {
    if (value === undefined) return missing;
    validate ??= create();
    return validate(value);
  };
}
