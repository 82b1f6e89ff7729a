import type { JsonSchema } from "@x/tool-registry";

/** A schema in the shape that OpenAI, Anthropic and Gemini take: see {@link objectSchema}. */
export interface ObjectSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required?: string[];
  readonly [keyword: string]: unknown;
}

/**
 * One tool that a provider does not take makes it refuse the whole request: a root without
 * `type: "object"` or `properties`, or with `anyOf`, `oneOf`, `allOf`, `not`, `enum` or `$ref`; an
 * array without `items`. The root gets what is missing, and the properties of its branches move up;
 * arrays get `items: {}`, which says the same. What is lost: which properties belong together (only
 * what every branch requires stays required), `not`, `enum`, and what branches nest deeper. Any
 * other schema stays as it is. What is given is the caller's to change, since frameworks write into
 * schemas. The tool judges arguments by its own schema.
 */
export function objectSchema(schema: JsonSchema): ObjectSchema {
  const copy = withItems(structuredClone(schema));
  return isObjectSchema(copy) ? copy : withObjectRoot(copy);
}

/** Keywords that hold values, and keywords that hold schemas by name. */
const VALUES = ["const", "default", "enum", "examples"];
const NAMED = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

function withItems(schema: JsonSchema): JsonSchema {
  const read = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(read);
    return isRecord(value) ? withItems(value) : value;
  };
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (VALUES.includes(key)) return [key, value];
    if (!NAMED.includes(key) || !isRecord(value)) return [key, read(value)];
    const named = Object.entries(value).map(([name, each]): [string, unknown] => [
      name,
      read(each),
    ]);
    return [key, Object.fromEntries(named)];
  });
  const { type } = schema;
  const isArray = type === "array" || (Array.isArray(type) && type.includes("array"));
  return Object.fromEntries(
    isArray && !("items" in schema) ? [...entries, ["items", {}]] : entries,
  );
}

function withObjectRoot(schema: JsonSchema): ObjectSchema {
  const { anyOf, oneOf, allOf, not, enum: values, $ref, ...rest } = schema;
  const all = [rest, ...branches([{ $ref }], schema), ...branches(allOf, schema)];
  const either = [branches(anyOf, schema), branches(oneOf, schema)];
  const properties = merged([...all, ...either.flat()]);
  const required = [
    ...all.flatMap(requiredOf),
    ...either.flatMap(([first, ...others]) =>
      first === undefined
        ? []
        : requiredOf(first).filter((name) =>
            others.every((other) => requiredOf(other).includes(name)),
          ),
    ),
  ];
  return {
    ...rest,
    type: "object",
    properties,
    ...(required.length > 0 && { required: [...new Set(required)] }),
  };
}

function isObjectSchema(schema: JsonSchema): schema is ObjectSchema {
  const refused = ["anyOf", "oneOf", "allOf", "not", "enum", "$ref"].some((word) => word in schema);
  return !refused && schema["type"] === "object" && isRecord(schema["properties"]);
}

function branches(value: unknown, root: JsonSchema): JsonSchema[] {
  if (!Array.isArray(value)) return [];
  return value.map((branch: unknown) => {
    const target = isRecord(branch) && typeof branch["$ref"] === "string" ? branch["$ref"] : "";
    const [, group = "", name = ""] = /^#\/(\$defs|definitions)\/([^/~%]+)$/.exec(target) ?? [];
    const definitions = Object.hasOwn(root, group) ? root[group] : undefined;
    const found = isRecord(definitions) && Object.hasOwn(definitions, name) && definitions[name];
    return isRecord(found) ? found : isRecord(branch) ? branch : {};
  });
}

/** Of a property that several describe, each description is one alternative. */
function merged(schemas: readonly JsonSchema[]): Record<string, unknown> {
  const found = new Map<string, unknown[]>();
  for (const { properties } of schemas) {
    for (const [name, each] of Object.entries(isRecord(properties) ? properties : {})) {
      const before = found.get(name) ?? [];
      const known = before.some((other) => JSON.stringify(other) === JSON.stringify(each));
      found.set(name, known ? before : [...before, each]);
    }
  }
  return Object.fromEntries(
    [...found].map(([name, [first, ...others]]) => [
      name,
      others.length === 0 ? first : { anyOf: [first, ...others] },
    ]),
  );
}

function requiredOf({ required }: JsonSchema): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

function isRecord(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
