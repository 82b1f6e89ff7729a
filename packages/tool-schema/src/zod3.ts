import { compileSchema } from "./compile.ts";
import { propertyOf, type ToZodOptions, wholeOf } from "./part.ts";
import { prepare } from "./prepare.ts";
import { objectOf, type Zod3Object } from "./zod3-internals.ts";

export type { ToZodOptions } from "./part.ts";
export type { Zod3Object } from "./zod3-internals.ts";

/**
 * A `ZodObject` of `zod/v3` that takes what the schema takes and hands the input on as it came. Its
 * `_def` says the schema to zod-to-json-schema; what a plain object cannot say about the root is in
 * its description.
 *
 * @typeParam Args - what the arguments are known to be; it is believed, not checked
 * @throws ToolSchemaError as `compileSchema` does
 */
export function toZod3<Args extends object = Record<string, unknown>>(
  schema: unknown,
  options: ToZodOptions = {},
): Zod3Object<Args> {
  const { compileSchema: make = compileSchema, ...rest } = options;
  const compile = (each: unknown) => make(each, rest);
  const { validate } = compile(schema);
  const prepared = prepare(schema, rest.limits);
  const whole = wholeOf(prepared, compile, validate);
  const made = objectOf(whole, (name, inner) => propertyOf(name, inner, prepared, whole));
  // What the schema takes is the caller's word: no type can know it.
  return made as unknown as Zod3Object<Args>;
}
