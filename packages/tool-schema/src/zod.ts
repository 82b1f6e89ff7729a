import { compileSchema } from "./compile.ts";
import type { JsonObject } from "./json.ts";
import { limitsOf } from "./limits.ts";
import { type Compile, propertyOf, type ToZodOptions, wholeOf } from "./part.ts";
import { copyPlain } from "./plain-copy.ts";
import { prepare } from "./prepare.ts";
import { objectOf } from "./zod3-internals.ts";
import { jsonOf, type Zod4Object, zod4ObjectOf } from "./zod4-internals.ts";

export type { ToZodOptions } from "./part.ts";
export type { Zod4Object } from "./zod4-internals.ts";

/**
 * A `ZodObject` of Zod 4 that takes what the schema takes, hands the input on as it came, and is the
 * schema again for `z.toJSONSchema`. Its properties are exact too; what `extend`, `pick`, `partial`
 * and their like make of it is a Zod object of those, without what only the whole said.
 *
 * @typeParam Args - what the arguments are known to be; it is believed, not checked
 * @throws ToolSchemaError as `compileSchema` does; so does parsing, as `validate` does
 */
export function toZod<Args extends object = Record<string, unknown>>(
  schema: unknown,
  options: ToZodOptions = {},
): Zod4Object<Args> {
  const { compileSchema: make = compileSchema, ...rest } = options;
  const compile = (each: unknown) => make(each, rest);
  const { validate } = compile(schema);
  const given = copyPlain(schema ?? { type: "object" }, limitsOf(rest.limits));
  const prepared = prepare(given, rest.limits);
  const part = wholeOf(prepared, compile, validate);
  const original = jsonOf(given);
  const made = zod4ObjectOf({
    part,
    json: (isRoot) => {
      // Inside another schema its references would point into that.
      if (!isRoot) return jsonOf(part.schema);
      const copy = structuredClone(original);
      return needsShelter(copy) ? sheltered(copy) : copy;
    },
    property: (name, inner) => propertyOf(name, inner, prepared, part),
    zod3Def: (json) => zod3DefOf(json, compile, rest.limits),
  });
  // What the schema takes is the caller's word: no type can know it.
  return made as Zod4Object<Args>;
}

function zod3DefOf(json: unknown, compile: Compile, limits: ToZodOptions["limits"]): object {
  const prepared = prepare(json, limits);
  const whole = wholeOf(prepared, compile, (value) => compile(json).validate(value));
  return objectOf(whole, (name, inner) => propertyOf(name, inner, prepared, whole))._def;
}

/** Zod drops, moves or rewrites these keywords where they stand at the root. */
function needsShelter(schema: JsonObject): boolean {
  return ["$ref", "id", "anyOf", "allOf"].some((key) => Object.hasOwn(schema, key));
}

/** Shows Zod nothing until its very last step, a pass through JSON. */
function sheltered(schema: JsonObject): JsonObject {
  return {
    toJSON(this: JsonObject) {
      const { toJSON: _, $schema, ...added } = this;
      return { ...($schema === undefined ? {} : { $schema }), ...schema, ...added };
    },
  };
}
