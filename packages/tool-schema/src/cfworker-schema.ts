import { ToolSchemaError } from "./errors.ts";
import { type AssertedFormat, isAsserted } from "./formats.ts";
import { isObject, type JsonObject, put } from "./json.ts";
import { keywords } from "./keywords.ts";
import type { PreparedSchema } from "./prepare.ts";
import { meaningful } from "./reading.ts";
import { unicodePattern } from "./unicode-pattern.ts";

/** A schema with all inside it as cfworker is given it. */
export interface CfworkerSchema {
  /** The form of each schema object of the prepared schema. */
  readonly forms: ReadonlyMap<object, JsonObject>;
  /** The form of what each `$ref` refers to. */
  readonly lookup: Record<string, JsonObject | boolean>;
}

/** cfworker knows every keyword in every dialect, so only those of the dialect are given to it. */
export function cfworkerSchema(
  { schemas, targets, dialect }: PreparedSchema,
  formatName: (format: AssertedFormat) => string | undefined,
): CfworkerSchema {
  const forms = new Map<JsonObject, JsonObject>();
  const lookup: CfworkerSchema["lookup"] = Object.create(null);
  for (const schema of schemas) forms.set(schema, {});
  const formOf = (value: unknown): unknown =>
    (isObject(value) ? forms.get(value) : undefined) ?? value;
  for (const [schema, form] of forms) {
    for (const [keyword, value] of Object.entries(meaningful(schema, dialect))) {
      const written = write(keyword, value, { formOf, formatName });
      if (written !== undefined) put(form, keyword, written);
    }
    const target = targets.get(schema);
    if (target === undefined) continue;
    lookup[String(form["$ref"])] = (isObject(target) ? forms.get(target) : undefined) ?? target;
  }
  return { forms, lookup };
}

interface Forms {
  readonly formOf: (value: unknown) => unknown;
  readonly formatName: (format: AssertedFormat) => string | undefined;
}

function write(keyword: string, value: unknown, { formOf, formatName }: Forms): unknown {
  if (keyword === "format") return isAsserted(value) ? formatName(value) : undefined;
  if (keyword === "pattern") return legal(String(value));
  const holds = keywords.get(keyword)?.holds ?? [];
  if (holds.length === 0) return value;
  if (Array.isArray(value)) return value.map(formOf);
  if (!holds.includes("map") || !isObject(value)) return formOf(value);
  const map: JsonObject = {};
  for (const [name, inner] of Object.entries(value)) {
    put(map, keyword === "patternProperties" ? legal(name) : name, formOf(inner));
  }
  return map;
}

function legal(pattern: string): string {
  const written = unicodePattern(pattern);
  if (written !== undefined) return written;
  const message = `a pattern is not legal with the flag u, which this engine needs`;
  throw new ToolSchemaError("invalid_pattern", message);
}
