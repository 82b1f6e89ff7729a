import type { Dialect } from "./dialect.ts";
import { isObject, type JsonObject, own, pointer } from "./json.ts";
import { isPattern, patternsOf } from "./patterns.ts";
import { cut } from "./preview.ts";

/**
 * - `missing_root`: there is no schema; any object is taken
 * - `null_keyword`: `properties` or `required` is null and counts as absent
 * - `empty_enum`: no value can be a member of an empty `enum`
 * - `boolean_exclusive`: `exclusiveMinimum` or `exclusiveMaximum` is a boolean, as in draft-04
 * - `tuple_items`: `items` is a list, as before 2020-12; it is read as `prefixItems`
 * - `pattern_without_u`: a pattern is legal only without the flag `u`
 * - `ref_siblings`: what stands beside a `$ref` counts for nothing before 2019-09
 * - `nullable`: `nullable: true` adds null to `type`, as in OpenAPI
 */
export type SchemaNoteCode =
  | "missing_root"
  | "null_keyword"
  | "empty_enum"
  | "boolean_exclusive"
  | "tuple_items"
  | "pattern_without_u"
  | "ref_siblings"
  | "nullable";

/** A spot where the schema was read otherwise than it stands. */
export interface SchemaNote {
  readonly code: SchemaNoteCode;
  /** JSON pointer into the schema. */
  readonly path: string;
  readonly message: string;
}

/** Says where in the schema in hand something was repaired. */
type Report = (code: SchemaNoteCode, at: string | readonly string[], message: string) => void;

type Repair = (schema: JsonObject, report: Report, dialect: Dialect) => void;

/** Makes a schema, a copy of ours, compile as it was meant; its subschemas are left alone. */
export function repair(
  schema: JsonObject,
  path: string,
  { dialect, notes }: { readonly dialect: Dialect; readonly notes: SchemaNote[] },
): void {
  const report: Report = (code, at, message) => {
    notes.push({ code, path: [at].flat().reduce<string>(pointer, path), message });
  };
  for (const each of repairs) each(schema, report, dialect);
}

const nullKeywords: Repair = (schema, report) => {
  for (const keyword of ["properties", "required"]) {
    if (own(schema, keyword) !== null) continue;
    delete schema[keyword];
    report("null_keyword", keyword, `${keyword} is null and counts as absent`);
  }
};

const emptyEnum: Repair = (schema, report) => {
  const members = own(schema, "enum");
  if (!Array.isArray(members) || members.length > 0) return;
  delete schema["enum"];
  schema["not"] = {};
  report("empty_enum", "enum", "enum is empty: no value fits");
};

const booleanExclusive: Repair = (schema, report) => {
  for (const side of ["Minimum", "Maximum"]) {
    const exclusive = `exclusive${side}`;
    const inclusive = side.toLowerCase();
    const flag = own(schema, exclusive);
    if (typeof flag !== "boolean") continue;
    delete schema[exclusive];
    if (flag && typeof own(schema, inclusive) === "number") {
      schema[exclusive] = schema[inclusive];
      delete schema[inclusive];
    }
    const meaning = flag ? `${inclusive} excludes its bound` : "it counts as absent";
    report("boolean_exclusive", exclusive, `${exclusive} is a boolean, as in draft-04: ${meaning}`);
  }
};

const tupleItems: Repair = (schema, report, dialect) => {
  const items = own(schema, "items");
  if (dialect !== "2020-12" || !Array.isArray(items)) return;
  delete schema["items"];
  const rest = own(schema, "additionalItems");
  if (items.length > 0) schema["prefixItems"] = items;
  if (rest !== undefined) schema["items"] = rest;
  report("tuple_items", "items", "items is a list, as before 2020-12: it is read as prefixItems");
};

/** Ajv passes over the name `__proto__`; as a pattern it is a name like any other. */
const protoNames: Repair = (schema) => {
  const properties = own(schema, "properties");
  const patterns = own(schema, "patternProperties");
  const byPattern: JsonObject = isObject(patterns) ? patterns : {};
  move(byPattern, byPattern, "(?:__proto__)");
  if (isObject(properties)) move(properties, byPattern, "^__proto__$");
  if (Object.keys(byPattern).length > 0) schema["patternProperties"] = byPattern;
};

function move(from: JsonObject, to: JsonObject, name: string): void {
  if (!Object.hasOwn(from, "__proto__")) return;
  const moved = own(from, "__proto__");
  Reflect.deleteProperty(from, "__proto__");
  const present = own(to, name);
  to[name] = present === undefined ? moved : { allOf: [present, moved] };
}

/** The keywords that say nothing about a value. */
const annotations: ReadonlySet<string> = new Set([
  "$comment",
  "$defs",
  "$id",
  "$ref",
  "default",
  "definitions",
  "deprecated",
  "description",
  "examples",
  "readOnly",
  "title",
  "writeOnly",
]);

const refSiblings: Repair = (schema, report, dialect) => {
  if (dialect !== "draft-07" || typeof own(schema, "$ref") !== "string") return;
  delete schema["$id"];
  const ignored = Object.keys(schema).filter((keyword) => !annotations.has(keyword));
  if (ignored.length === 0) return;
  const names = cut(ignored.join(", "), 100);
  report(
    "ref_siblings",
    "$ref",
    `what stands beside $ref counts for nothing in draft-07: ${names}`,
  );
};

const nullable: Repair = (schema, report) => {
  const flag = own(schema, "nullable");
  if (flag === undefined) return;
  delete schema["nullable"];
  const { type } = schema;
  const types = Array.isArray(type) ? type : [type];
  if (flag !== true || type === undefined || types.includes("null")) return;
  schema["type"] = [...types, "null"];
  report("nullable", "nullable", "nullable adds null to type, as in OpenAPI");
};

/** Words that mean something to Ajv and nothing to JSON Schema. */
const foreignWords: Repair = (schema) => {
  delete schema["$async"];
  delete schema["id"];
};

const patterns: Repair = (schema, report) => {
  for (const { pattern, tokens } of patternsOf(schema)) {
    if (isPattern(pattern, "u")) continue;
    const message = `the pattern ${cut(pattern, 100)} is legal only without the flag u`;
    report("pattern_without_u", tokens, message);
  }
};

const repairs: readonly Repair[] = [
  foreignWords,
  nullKeywords,
  emptyEnum,
  booleanExclusive,
  tupleItems,
  protoNames,
  refSiblings,
  nullable,
  patterns,
];
