import { copyData, isRecord } from "../data.ts";
import type { JsonSchema } from "../tool.ts";
import { withItems } from "./array-items.ts";

/** A schema that OpenAI, Anthropic and Gemini take: see {@link objectSchema}. */
export interface ObjectSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required?: string[];
  readonly [keyword: string]: unknown;
}

/**
 * A schema that no provider refuses. One tool that a provider does not take makes it refuse the
 * whole request: a root without `type: "object"` or `properties`, or with `anyOf`, `oneOf`, `allOf`,
 * `not`, `enum` or `$ref`; an array without `items`. The root gets what is missing, and the
 * properties of its branches move up, also of those that are a `$ref` into `$defs` or `definitions`;
 * arrays get `items: {}`, which allows what they allowed. Any other schema stays as it is.
 *
 * Lost: which properties belong together (only what every branch requires stays required), `not` and
 * `enum` at the root, and what branches nest deeper. The tool judges arguments by its own schema, so
 * a call that breaks a lost rule is told so.
 *
 * Never throws, however deep or cyclic the schema is. What is given shares nothing with it, since
 * frameworks write into schemas.
 */
export function objectSchema(schema: JsonSchema): ObjectSchema {
  const copy = withItems(schema);
  if (isObjectSchema(copy)) return copy;
  const group = Object.hasOwn(schema, "definitions") ? "definitions" : "$defs";
  const definitions = isRecord(copy[group]) ? copy[group] : {};
  let name = "root";
  while (Object.hasOwn(definitions, name)) name += "_";
  let moved = false;
  const made = withItems(schema, (ref) => {
    if (!/^#\/(?:anyOf|oneOf|allOf|not)\//.test(ref)) return ref;
    moved = true;
    return `#/${group}/${name}${ref.slice(1)}`;
  });
  const root = withObjectRoot(made);
  if (!moved) return root;
  const { anyOf, oneOf, allOf, not } = made;
  const kept = Object.entries({ anyOf, oneOf, allOf, not }).filter(
    ([, value]) => value !== undefined,
  );
  const others = isRecord(root[group]) ? root[group] : {};
  return { ...root, [group]: { ...others, [name]: Object.fromEntries(kept) } };
}

const REFUSED = ["anyOf", "oneOf", "allOf", "not", "enum", "$ref"];

function isObjectSchema(schema: JsonSchema): schema is ObjectSchema {
  const { type, properties, required = [] } = schema;
  return (
    !REFUSED.some((keyword) => Object.hasOwn(schema, keyword)) &&
    type === "object" &&
    isRecord(properties) &&
    Array.isArray(required) &&
    required.every((name) => typeof name === "string")
  );
}

function withObjectRoot(schema: JsonSchema): ObjectSchema {
  const { anyOf, oneOf, allOf, not, enum: values, $ref, required: own, ...rest } = schema;
  const all = [
    { ...rest, required: own },
    ...branches([{ $ref }], schema),
    ...branches(allOf, schema),
  ];
  const either = [branches(anyOf, schema), branches(oneOf, schema)];
  const required = new Set([...all.flatMap(requiredOf), ...either.flatMap(requiredOfEach)]);
  return {
    ...rest,
    type: "object",
    properties: merged([...all, ...either.flat()]),
    ...(required.size > 0 && { required: [...required] }),
  };
}

/** Each schema once, however many branches refer to it. */
function branches(value: unknown, root: JsonSchema): JsonSchema[] {
  if (!Array.isArray(value)) return [];
  const found = value.map((branch: unknown) => {
    if (!isRecord(branch)) return {};
    const { $ref } = branch;
    return (typeof $ref === "string" ? definitionOf($ref, root) : undefined) ?? branch;
  });
  return [...new Set(found)];
}

function definitionOf(ref: string, root: JsonSchema): Record<string, unknown> | undefined {
  const [, group = "", token = ""] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(ref) ?? [];
  const name = nameOf(token);
  const definitions = Object.hasOwn(root, group) ? root[group] : undefined;
  if (!isRecord(definitions) || !Object.hasOwn(definitions, name)) return undefined;
  const found = definitions[name];
  return isRecord(found) ? found : undefined;
}

/** Of a part of a JSON pointer in a URI. */
function nameOf(token: string): string {
  try {
    return decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return token;
  }
}

/** Of a property that several describe, each description is one alternative. */
function merged(schemas: readonly JsonSchema[]): Record<string, unknown> {
  const found = new Map<string, Map<unknown, unknown>>();
  for (const { properties } of schemas) {
    for (const [name, each] of Object.entries(isRecord(properties) ? properties : {})) {
      const alternatives = found.get(name) ?? new Map<unknown, unknown>();
      found.set(name, alternatives);
      const text = textOf(each);
      if (!alternatives.has(text)) alternatives.set(text, copyData(each));
    }
  }
  return Object.fromEntries(
    [...found].map(([name, alternatives]) => {
      const [first, ...others] = alternatives.values();
      return [name, others.length === 0 ? first : { anyOf: [first, ...others] }];
    }),
  );
}

/** By which two schemas are told apart: what JSON cannot carry is like nothing but itself. */
function textOf(schema: unknown): unknown {
  try {
    return JSON.stringify(schema);
  } catch {
    return schema;
  }
}

function requiredOf({ required }: JsonSchema): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

function requiredOfEach([first = {}, ...others]: readonly JsonSchema[]): string[] {
  const sets = others.map((other) => new Set(requiredOf(other)));
  return requiredOf(first).filter((name) => sets.every((names) => names.has(name)));
}
