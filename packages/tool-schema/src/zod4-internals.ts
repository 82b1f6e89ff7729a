/**
 * All that is known here of the insides of Zod 4: `$constructor`, `_zod.parse`, the two hooks of
 * `toJSONSchema`, and `_def`. `compat/zod-matrix` holds it against the releases.
 */
import * as z from "zod/v4";
import { ZodObject, ZodUnknown } from "zod/v4";
import { detailsOf } from "./fault-details.ts";
import { isObject, type JsonObject, put } from "./json.ts";
import { outline } from "./outline.ts";
import { type Part, partOf } from "./part.ts";
import type { Schema } from "./self-contained.ts";

/** Its keys are only known at run time, unless `Args` says them: then it is taken at its word. */
export type Zod4Object<Args extends object = Record<string, unknown>> = z.ZodObject<
  Zod4Shape<Args>,
  z.core.$loose
>;

type Zod4Shape<Args extends object> = string extends keyof Args
  ? Record<string, z.ZodType>
  : {
      -readonly [Key in keyof Args]-?: Record<string, never> extends Pick<Args, Key>
        ? z.ZodOptional<z.ZodType<Exclude<Args[Key], undefined>>>
        : z.ZodType<Args[Key]>;
    };

/** What a Zod schema stands for. */
export interface Exact {
  readonly part: Part;
  /** What `toJSONSchema` makes of it, a fresh copy each time. */
  readonly json: (isRoot: boolean) => JsonObject;
  readonly property: (name: string, schema: Schema) => Part;
  /** The `_def` of the Zod 3 schema for a JSON Schema. */
  readonly zod3Def: (schema: unknown) => object;
}

/** Where a def keeps what it stands for, so that each clone has it too. */
const exactKey: unique symbol = Symbol("exact");

interface ExactObjectDef extends z.core.$ZodObjectDef<Record<string, z.ZodType>> {
  readonly [exactKey]: Exact & { readonly shape: () => Record<string, z.ZodType> };
}

interface ExactValueDef extends z.core.$ZodUnknownDef {
  readonly [exactKey]: Exact;
}

const ExactObject: z.core.$constructor<Zod4Object, ExactObjectDef> = z.core.$constructor(
  "ToolObject",
  (inst, def) => {
    const exact = def[exactKey];
    // `extend`, `pick`, `partial`, `strict` and their like clone with another shape or catchall:
    // what they make is no longer the schema, but a Zod object of properties that are exact.
    const isWhole = hasShape(def, exact.shape) && def.catchall === catchallOf(exact);
    declareDef(inst);
    ZodObject.init(inst, def);
    replaceDef(inst, exact);
    if (isWhole) override(inst, exact);
  },
);

const ExactValue: z.core.$constructor<z.ZodUnknown, ExactValueDef> = z.core.$constructor(
  "ToolValue",
  (inst, def) => {
    declareDef(inst);
    ZodUnknown.init(inst, def);
    replaceDef(inst, def[exactKey]);
    override(inst, def[exactKey]);
  },
);

/** Zod 4.0 copies a def by spreading it, later releases by its descriptors. */
function hasShape(def: object, shape: () => unknown): boolean {
  const { get, value } = Object.getOwnPropertyDescriptor(def, "shape") ?? {};
  return get === shape || (value !== undefined && value === shape());
}

const catchalls = new WeakMap<Part, z.ZodType>();

function catchallOf({ part, zod3Def }: Exact): z.ZodType {
  const known = catchalls.get(part);
  if (known !== undefined) return known;
  const { additional } = outline(part.schema);
  const made =
    typeof additional === "boolean"
      ? additional
        ? z.unknown()
        : z.never()
      : zod4TypeFor(partOf(additional, part), zod3Def);
  catchalls.set(part, made);
  return made;
}

/** Judges by the schema, hands the very input on, and says the schema to `toJSONSchema`. */
function override(inst: z.ZodType, { part, json }: Exact): void {
  inst._zod.parse = (payload) => {
    const { value } = payload;
    const verdict = part.validate(value);
    if (verdict.ok) return payload;
    for (const issue of verdict.issues) {
      const details = detailsOf(issue, value, part.schema);
      const input = value;
      // A raw issue of Zod is what its code asks for; the codes and fields are those of Zod.
      payload.issues.push({
        input,
        inst,
        ...details,
        ...extras(details.code),
        ...told(issue),
      } as z.core.$ZodRawIssue);
    }
    return payload;
  };
  if (inst._zod.processJSONSchema === undefined) {
    inst._zod.toJSONSchema = () => json(true);
    return;
  }
  // Unlike `toJSONSchema` this hook lets Zod see to what a clone was cloned from.
  inst._zod.processJSONSchema = (_context, target, { path }) => {
    for (const [key, value] of Object.entries(json(path.length === 0))) put(target, key, value);
  };
}

function told({
  path,
  message,
  keyword,
}: {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly keyword: string;
}) {
  return { path: [...path], message, params: { keyword } };
}

function extras(code: string): object {
  return code === "invalid_union" ? { errors: [] } : {};
}

/** Some releases define `_def` themselves, for good unless it is there and configurable. */
function declareDef(inst: object): void {
  Object.defineProperty(inst, "_def", { value: undefined, configurable: true, writable: true });
}

/** zod-to-json-schema reads nothing but `_def`, and only that of Zod 3. */
function replaceDef(inst: z.ZodType, { zod3Def }: Exact): void {
  let known: { readonly meta: unknown; readonly def: object } | undefined;
  Object.defineProperty(inst, "_def", {
    configurable: true,
    get: () => {
      const meta = z.globalRegistry.get(inst);
      if (known === undefined || known.meta !== meta) {
        const options = { io: "input", unrepresentable: "any" } as const;
        known = { meta, def: zod3Def(z.toJSONSchema(inst, options)) };
      }
      return known.def;
    },
  });
}

export function zod4ObjectOf(exact: Exact): Zod4Object {
  let made: Record<string, z.ZodType> | undefined;
  const shape = () => {
    made ??= shapeOf(exact);
    return made;
  };
  const def: ExactObjectDef = {
    type: "object",
    shape: {},
    catchall: catchallOf(exact),
    [exactKey]: { ...exact, shape },
  };
  Object.defineProperty(def, "shape", { get: shape, enumerable: true, configurable: true });
  return new ExactObject(def);
}

function shapeOf({ part, property, zod3Def }: Exact): Record<string, z.ZodType> {
  const { properties, required } = outline(part.schema);
  const entries = [...properties].map(([name, schema]): [string, z.ZodType] => {
    const value = zod4TypeFor(property(name, schema), zod3Def);
    return [name, required.has(name) ? value : z.optional(value)];
  });
  return Object.fromEntries(entries);
}

function zod4TypeFor(part: Part, zod3Def: Exact["zod3Def"]): z.ZodType {
  const { schema } = part;
  const json = () => jsonOf(schema);
  const exact = {
    part,
    json,
    property: (_: string, inner: Schema) => partOf(inner, part),
    zod3Def,
  };
  if (isObject(schema) && schema["type"] === "object") return zod4ObjectOf(exact);
  return new ExactValue({ type: "unknown", [exactKey]: exact });
}

/** A copy; Zod wants an object also where the schema is a boolean. */
export function jsonOf(schema: unknown): JsonObject {
  if (isObject(schema)) return structuredClone(schema);
  return schema === false ? { not: {} } : {};
}
