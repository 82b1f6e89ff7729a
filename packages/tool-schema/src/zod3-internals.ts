/** All that is known here of the insides of Zod 3: `_def`, `_parse` and the fields of an object. */
import {
  addIssueToContext,
  getParsedType,
  INVALID,
  type IssueData,
  ZodFirstPartyTypeKind as Kind,
  OK,
  type ParseContext,
  type ParseInput,
  type ParseReturnType,
  type UnknownKeysParam,
  ZodNever,
  ZodObject,
  type ZodObjectDef,
  ZodOptional,
  ZodParsedType,
  ZodType,
  type ZodTypeAny,
  type ZodTypeDef,
} from "zod/v3";
import { detailsOf, type Origin, valueAt } from "./fault-details.ts";
import type { SchemaIssue } from "./issues.ts";
import { outline } from "./outline.ts";
import { type Part, partOf } from "./part.ts";
import type { Schema } from "./self-contained.ts";
import { defOf, isPlainObject } from "./zod3-defs.ts";

/** Its keys are only known at run time, unless `Args` says them: then it is taken at its word. */
export type Zod3Object<Args extends object = Record<string, unknown>> = ZodObject<
  Zod3Shape<Args>,
  UnknownKeysParam
>;

type Zod3Shape<Args extends object> = string extends keyof Args
  ? Record<string, ZodTypeAny>
  : {
      -readonly [Key in keyof Args]-?: Record<string, never> extends Pick<Args, Key>
        ? ZodOptional<ZodType<Exclude<Args[Key], undefined>>>
        : ZodType<Args[Key]>;
    };

/** Where a def keeps the part it stands for, so that a clone by `describe` has it too. */
const partKey: unique symbol = Symbol("part");

interface ExactDef extends ZodTypeDef {
  readonly [partKey]: Part;
}

interface ExactObjectDef extends ZodObjectDef<Record<string, ZodTypeAny>, UnknownKeysParam> {
  readonly [partKey]: Part;
}

/** Judges by the schema and hands the very input on. */
function judge(input: ParseInput, context: ParseContext, part: Part) {
  const { data } = input;
  const verdict = part.validate(data);
  if (verdict.ok) return OK(data);
  for (const issue of verdict.issues) addIssueToContext(context, issueData(issue, data, part));
  return INVALID;
}

class ExactValue extends ZodType<unknown, ExactDef> {
  override _parse(input: ParseInput): ParseReturnType<unknown> {
    return judge(input, this._getOrReturnCtx(input), this._def[partKey]);
  }
}

class ExactObject extends ZodObject<Record<string, ZodTypeAny>, UnknownKeysParam> {
  override _parse(input: ParseInput): ParseReturnType<this["_output"]> {
    // The constructor is only ever given an `ExactObjectDef`, or by `describe` a copy of one.
    const part: Part = Reflect.get(this._def, partKey);
    return judge(input, this._getOrReturnCtx(input), part);
  }
}

export function objectOf(
  part: Part,
  properties: (name: string, schema: Schema) => Part,
): Zod3Object {
  const { additional, beyond, description } = about(part.schema);
  let shape: Record<string, ZodTypeAny> | undefined;
  const def: ExactObjectDef = {
    typeName: Kind.ZodObject,
    shape: () => {
      shape ??= shapeOf(part, properties);
      return shape;
    },
    unknownKeys: additional === false ? "strict" : "passthrough",
    catchall:
      typeof additional === "boolean" ? ZodNever.create() : typeFor(partOf(additional, part)),
    [partKey]: part,
    ...(description === undefined && beyond === undefined
      ? {}
      : { description: [description, beyond].filter((each) => each !== undefined).join("\n\n") }),
  };
  // It extends that very class; Zod's own cache of keys is what the compiler stumbles over.
  return new ExactObject(def) as Zod3Object;
}

function about(schema: Schema) {
  const { additional, beyond } = outline(schema);
  const description = typeof schema === "object" ? schema["description"] : undefined;
  return {
    additional,
    beyond: beyond && `The whole must also fit this JSON Schema: ${JSON.stringify(beyond)}`,
    description: typeof description === "string" ? description : undefined,
  };
}

function shapeOf(
  part: Part,
  properties: (name: string, schema: Schema) => Part,
): Record<string, ZodTypeAny> {
  const { properties: schemas, required } = outline(part.schema);
  const entries = [...schemas].map(([name, schema]): [string, ZodTypeAny] => {
    const value = typeFor(properties(name, schema));
    return [name, required.has(name) ? value : ZodOptional.create(value)];
  });
  return Object.fromEntries(entries);
}

function typeFor(part: Part): ZodTypeAny {
  const { schema } = part;
  if (isPlainObject(schema) && !Object.hasOwn(schema, "default")) {
    return objectOf(part, (_, inner) => partOf(inner, part));
  }
  const make = (inner: Schema) => {
    const { default: _, ...rest } = typeof inner === "object" ? inner : {};
    return typeFor(partOf(typeof inner === "object" && isPlainObject(inner) ? rest : inner, part));
  };
  return new ExactValue({ ...defOf(schema, make), [partKey]: part });
}

const sizes: Readonly<Record<Origin, "number" | "string" | "array" | "set">> = {
  number: "number",
  string: "string",
  array: "array",
  object: "set",
};

function issueData(issue: SchemaIssue, value: unknown, part: Part): IssueData {
  const details = detailsOf(issue, value, part.schema);
  const base = { path: [...issue.path], message: issue.message };
  switch (details.code) {
    case "invalid_type":
      return {
        ...base,
        code: "invalid_type",
        expected: kindNamed(details.expected),
        received: getParsedType(valueAt(value, issue.path)),
      };
    case "invalid_value": {
      const received = asOption(valueAt(value, issue.path));
      const options = details.values.map(asOption);
      return { ...base, code: "invalid_enum_value", options, received };
    }
    case "unrecognized_keys":
      return { ...base, code: "unrecognized_keys", keys: [...details.keys] };
    case "too_small":
      return { ...base, ...details, code: "too_small", type: sizes[details.origin] };
    case "too_big":
      return { ...base, ...details, code: "too_big", type: sizes[details.origin] };
    case "not_multiple_of":
      return { ...base, code: "not_multiple_of", multipleOf: details.divisor };
    case "invalid_union":
      return { ...base, code: "invalid_union", unionErrors: [] };
    default:
      return { ...base, code: "custom", params: { ...details, keyword: issue.keyword } };
  }
}

function asOption(value: unknown): string | number {
  if (typeof value === "number" || typeof value === "string") return value;
  return JSON.stringify(value) ?? "undefined";
}

const kinds: ReadonlyMap<string, ZodParsedType> = new Map(
  Object.values(ZodParsedType).map((kind) => [kind, kind]),
);

function kindNamed(name: string): ZodParsedType {
  return kinds.get(name === "int" ? "integer" : name) ?? "unknown";
}
