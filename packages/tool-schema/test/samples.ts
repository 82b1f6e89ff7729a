import type { JsonSchemaObject } from "./schema-object.ts";

/** A value made for a schema, with what must happen to it. */
export interface Sample {
  readonly value: unknown;
  readonly fits: boolean;
  readonly why: string;
}

const formats: Record<string, string> = {
  email: "a@b.example",
  uri: "https://h.example/x",
  uuid: "123e4567-e89b-12d3-a456-426614174000",
  "date-time": "2024-01-05T10:00:00Z",
  date: "2024-01-05",
  ipv4: "192.0.2.1",
};

/** Follows a local reference of a real tool: they are all plain pointers. */
function follow(schema: JsonSchemaObject, root: JsonSchemaObject): JsonSchemaObject {
  if (schema.$ref === undefined) return schema;
  let target: unknown = root;
  for (const token of schema.$ref.split("/").slice(1)) {
    target = (target as Record<string, unknown>)[token.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return follow(target as JsonSchemaObject, root);
}

function text(schema: JsonSchemaObject): string {
  const known = formats[schema.format ?? ""];
  if (known !== undefined) return known;
  if (schema.pattern !== undefined) {
    const found = patternExamples.find((example) => new RegExp(schema.pattern ?? "").test(example));
    if (found !== undefined) return found;
  }
  return "x".repeat(Math.max(schema.minLength ?? 1, 1));
}

/** One of them matches each pattern that the real tools have. */
const patternExamples = [
  "a",
  "de",
  "a.png",
  "2024-01-05",
  "2024-01-05T10:00:00Z",
  "abcdef0123456789abcdef0123456789",
  "123e4567-e89b-12d3-a456-426614174000",
  "https://h.example/x",
  "1",
  "A_B",
  "a/b",
  "12:30",
  "123:456",
  "1-2",
];

function number(schema: JsonSchemaObject): number {
  const low = schema.minimum ?? (schema.exclusiveMinimum ?? 0) + 1;
  const high = schema.maximum ?? (schema.exclusiveMaximum ?? low + 1) - 1;
  return Math.min(Math.max(1, low), Math.max(high, low));
}

/** A value that fits, with all properties or with the required ones only. */
function fitting(
  given: JsonSchemaObject | boolean,
  root: JsonSchemaObject,
  full: boolean,
  depth = 0,
): unknown {
  if (typeof given === "boolean") return "anything";
  const schema = follow(given, root);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [union] = schema.anyOf ?? schema.oneOf ?? [];
  if (union !== undefined && schema.properties === undefined) {
    return fitting(union, root, full, depth + 1);
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type ?? (schema.properties === undefined ? "string" : "object")) {
    case "string":
      return text(schema);
    case "integer":
    case "number":
      return number(schema);
    case "boolean":
      return true;
    case "null":
      return null;
    case "array":
      return list(schema, root, full, depth);
    default:
      return object(schema, root, full, depth);
  }
}

function list(
  schema: JsonSchemaObject,
  root: JsonSchemaObject,
  full: boolean,
  depth: number,
): unknown[] {
  const length = Math.max(schema.minItems ?? 0, full && depth < 4 ? 1 : 0);
  return Array.from({ length }, () => fitting(schema.items ?? true, root, full, depth + 1));
}

function object(
  schema: JsonSchemaObject,
  root: JsonSchemaObject,
  full: boolean,
  depth: number,
): Record<string, unknown> {
  const names = Object.keys(schema.properties ?? {}).filter(
    (name) => schema.required?.includes(name) === true || (full && depth < 4),
  );
  return Object.fromEntries(
    names.map((name) => [name, fitting(schema.properties?.[name] ?? true, root, full, depth + 1)]),
  );
}

/** A value of a type that the schema of a property does not take, if it is plain enough to tell. */
function wrong(given: JsonSchemaObject | boolean, root: JsonSchemaObject): unknown {
  if (typeof given === "boolean") return undefined;
  const schema = follow(given, root);
  if (schema.anyOf ?? schema.oneOf) return undefined;
  if (schema.enum !== undefined) return "no member of any enum";
  if (schema.const !== undefined) return { not: "the constant" };
  if (typeof schema.type !== "string") return undefined;
  return schema.type === "object" || schema.type === "array" ? "text" : { an: "object" };
}

/** Values for the root of a tool's schema: two that fit, and as many that do not as can be told. */
export function samplesFor(root: JsonSchemaObject): Sample[] {
  const full = fitting(root, root, true) as Record<string, unknown>;
  const samples: Sample[] = [
    { value: full, fits: true, why: "all properties" },
    { value: fitting(root, root, false), fits: true, why: "required properties only" },
    {
      value: { ...full, "no such property": 1 },
      fits: root.additionalProperties !== false,
      why: "an unknown property",
    },
  ];
  for (const name of root.required ?? []) {
    const { [name]: _, ...rest } = full;
    samples.push({ value: rest, fits: false, why: `${name} is missing` });
  }
  for (const [name, schema] of Object.entries(root.properties ?? {})) {
    const value = wrong(schema, root);
    if (value === undefined) continue;
    samples.push({ value: { ...full, [name]: value }, fits: false, why: `${name} is wrong` });
  }
  return samples;
}
