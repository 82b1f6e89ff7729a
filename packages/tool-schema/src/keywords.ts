import type { Dialect } from "./dialect.ts";
import { isObject, kindOf, pointer } from "./json.ts";

/** Where a keyword holds what it must not: the path below the schema, and what is asked for there. */
interface Misfit {
  readonly tokens: readonly (string | number)[];
  readonly wanted: string;
}

type Check = (value: unknown) => Misfit | undefined;

/** How the schemas stand under a keyword. */
type Holds = "schema" | "list" | "map";

export interface Keyword {
  readonly check: Check;
  readonly holds: readonly Holds[];
  /** The schemas are about the value itself, not about something inside it. */
  readonly inPlace: boolean;
  /** Where it means something. */
  readonly dialects: readonly Dialect[];
}

const misfit = (wanted: string, ...tokens: (string | number)[]): Misfit => ({ tokens, wanted });

const when =
  (wanted: string, isIt: (value: unknown) => boolean): Check =>
  (value) =>
    isIt(value) ? undefined : misfit(wanted);

const schema: Check = when("a schema", (value) => typeof value === "boolean" || isObject(value));
const text = when("a string", (value) => typeof value === "string");
const flag = when("true or false", (value) => typeof value === "boolean");
const number = when("a number", (value) => typeof value === "number");
const positive = when("a number > 0", (value) => typeof value === "number" && value > 0);
const count = when(
  "a whole number ≥ 0",
  (value) => typeof value === "number" && Number.isInteger(value) && value >= 0,
);
const list = when("a list", Array.isArray);

/** The same check for each entry of a list or an object, at the entry's place. */
function each(entries: (value: unknown) => [string | number, unknown][], check: Check): Check {
  return (value) => {
    for (const [key, entry] of entries(value)) {
      const inner = check(entry);
      if (inner !== undefined) return misfit(inner.wanted, key, ...inner.tokens);
    }
    return undefined;
  };
}

const listOf = (check: Check): Check => {
  const items = each((value) => [...(value as unknown[]).entries()], check);
  return (value) => (Array.isArray(value) ? items(value) : misfit("a list"));
};

const mapOf = (check: Check): Check => {
  const entries = each((value) => Object.entries(value as object), check);
  return (value) => (isObject(value) ? entries(value) : misfit("an object"));
};

const filled =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length === 0 ? misfit("a list that is not empty") : check(value);

const distinct =
  (check: Check): Check =>
  (value) => {
    const repeats = Array.isArray(value) && new Set(value).size < value.length;
    return repeats ? misfit("a list without repetitions") : check(value);
  };

const either =
  (isList: Check, other: Check): Check =>
  (value) =>
    Array.isArray(value) ? isList(value) : other(value);

const words: ReadonlySet<unknown> = new Set([
  "array",
  "boolean",
  "integer",
  "null",
  "number",
  "object",
  "string",
]);
const word = when("a type of JSON Schema", (value) => words.has(value));

const names = distinct(listOf(text));

const all: readonly Dialect[] = ["2020-12", "2019-09", "draft-07"];
const since2019: readonly Dialect[] = ["2020-12", "2019-09"];
const since2020: readonly Dialect[] = ["2020-12"];
const before2020: readonly Dialect[] = ["2019-09", "draft-07"];

const plain = (check: Check, dialects = all): Keyword => ({
  check,
  holds: [],
  inPlace: false,
  dialects,
});

const holding = (
  holds: readonly Holds[],
  check: Check,
  { inPlace = false, dialects = all }: { inPlace?: boolean; dialects?: readonly Dialect[] } = {},
): Keyword => ({ check, holds, inPlace, dialects });

const inPlace = true;

/** Every keyword that says something about a value or holds schemas. */
export const keywords: ReadonlyMap<string, Keyword> = new Map([
  ["$ref", plain(text)],
  ["$anchor", plain(text, since2019)],
  ["$dynamicAnchor", plain(text, since2020)],
  ["type", plain(either(filled(distinct(listOf(word))), word))],
  ["enum", plain(list)],
  ["const", plain(() => undefined)],
  ["multipleOf", plain(positive)],
  ["minimum", plain(number)],
  ["maximum", plain(number)],
  ["exclusiveMinimum", plain(number)],
  ["exclusiveMaximum", plain(number)],
  ["minLength", plain(count)],
  ["maxLength", plain(count)],
  ["pattern", plain(text)],
  ["format", plain(text)],
  ["minItems", plain(count)],
  ["maxItems", plain(count)],
  ["uniqueItems", plain(flag)],
  ["minContains", plain(count, since2019)],
  ["maxContains", plain(count, since2019)],
  ["minProperties", plain(count)],
  ["maxProperties", plain(count)],
  ["required", plain(names)],
  ["dependentRequired", plain(mapOf(names), since2019)],
  ["$defs", holding(["map"], mapOf(schema))],
  ["definitions", holding(["map"], mapOf(schema))],
  ["allOf", holding(["list"], filled(listOf(schema)), { inPlace })],
  ["anyOf", holding(["list"], filled(listOf(schema)), { inPlace })],
  ["oneOf", holding(["list"], filled(listOf(schema)), { inPlace })],
  ["not", holding(["schema"], schema, { inPlace })],
  ["if", holding(["schema"], schema, { inPlace })],
  ["then", holding(["schema"], schema, { inPlace })],
  ["else", holding(["schema"], schema, { inPlace })],
  ["dependentSchemas", holding(["map"], mapOf(schema), { inPlace, dialects: since2019 })],
  ["dependencies", holding(["map"], mapOf(either(names, schema)), { inPlace })],
  ["properties", holding(["map"], mapOf(schema))],
  ["patternProperties", holding(["map"], mapOf(schema))],
  ["additionalProperties", holding(["schema"], schema)],
  ["propertyNames", holding(["schema"], schema)],
  ["prefixItems", holding(["list"], filled(listOf(schema)), { dialects: since2020 })],
  ["items", holding(["schema", "list"], either(listOf(schema), schema))],
  ["additionalItems", holding(["schema"], schema, { dialects: before2020 })],
  ["contains", holding(["schema"], schema)],
  ["unevaluatedItems", holding(["schema"], schema, { dialects: since2019 })],
  ["unevaluatedProperties", holding(["schema"], schema, { dialects: since2019 })],
  ["contentSchema", holding(["schema"], schema, { dialects: since2019 })],
]);

/** The first keyword of a schema that holds what the metaschema of the dialect forbids. */
export function findMisfit(
  given: Readonly<Record<string, unknown>>,
  dialect: Dialect,
): { readonly path: string; readonly message: string } | undefined {
  for (const name of Object.keys(given)) {
    const keyword = keywords.get(name);
    const found = keyword?.dialects.includes(dialect) ? keyword.check(given[name]) : undefined;
    if (found === undefined) continue;
    const tokens = [name, ...found.tokens];
    let value: unknown = given;
    for (const token of tokens) value = Reflect.get(value as object, token);
    const path = tokens.reduce<string>(pointer, "");
    return { path, message: `must be ${found.wanted}, got ${kindOf(value)}` };
  }
  return undefined;
}
