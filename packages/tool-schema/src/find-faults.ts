import type { Fault } from "./engine.ts";
import { firstRepeat } from "./equality.ts";
import { isObject, type JsonObject, own, pointer } from "./json.ts";

/** How to ask an engine about a part of a schema. */
export interface Inspection {
  readonly targets: ReadonlyMap<object, JsonObject | boolean>;
  /** What the engine was given for a schema. */
  formOf(schema: object): JsonObject;
  fits(form: JsonObject | boolean, value: unknown): boolean;
  /** The names or indexes that `unevaluatedProperties` or `unevaluatedItems` is not met at. */
  unevaluated(form: JsonObject, keyword: string, value: unknown): readonly string[];
}

/** Faults that are looked for below one keyword; nobody reads more. */
const MAX_FAULTS = 1_000;

/**
 * What is wrong with a value that does not fit, in the order and the terms of Ajv: what a keyword
 * tried inside itself comes before its own fault.
 */
export function findFaults(schema: unknown, value: unknown, inspection: Inspection): Fault[] {
  const faults: Fault[] = [];
  search({ schema, value, at: "", faults, inspection });
  return faults;
}

interface Spot {
  readonly schema: unknown;
  readonly value: unknown;
  readonly at: string;
  readonly faults: Fault[];
  readonly inspection: Inspection;
}

interface Search extends Spot {
  readonly schema: JsonObject;
  readonly form: JsonObject;
}

function search(spot: Spot): void {
  const { schema, inspection, faults } = spot;
  if (schema === false) report(spot, "false schema", {});
  if (!isObject(schema) || faults.length >= MAX_FAULTS) return;
  const found = { ...spot, schema, form: inspection.formOf(schema) };
  for (const find of finders) find(found);
}

function report(
  { schema, value, at, faults }: Spot,
  keyword: string,
  params: Fault["params"],
): void {
  const parentSchema = isObject(schema) ? schema : {};
  const under = isObject(schema) ? own(schema, keyword) : schema;
  faults.push({ keyword, instancePath: at, params, schema: under, parentSchema, data: value });
}

/** The faults of a value by a schema inside this one; none if it fits. */
function inside(spot: Spot, schema: unknown, value: unknown = spot.value): Fault[] {
  const faults: Fault[] = [];
  const form = isObject(schema) ? spot.inspection.formOf(schema) : schema === true;
  if (spot.inspection.fits(form, value)) return faults;
  search({ ...spot, schema, value, faults });
  return faults;
}

function below(spot: Spot, schema: unknown, key: string | number): void {
  if (schema === undefined || spot.faults.length >= MAX_FAULTS) return;
  const value: unknown = Reflect.get(spot.value as object, key);
  search({ ...spot, schema, value, at: pointer(spot.at, key) });
}

type Find = (spot: Search) => void;

type ParamsOf = (limit: unknown) => Fault["params"];

/** What is said of keywords that are judged by themselves. */
const simple: ReadonlyMap<string, ParamsOf> = new Map<string, ParamsOf>([
  ["type", (type) => ({ type })],
  ["maximum", (limit) => ({ comparison: "<=", limit })],
  ["minimum", (limit) => ({ comparison: ">=", limit })],
  ["exclusiveMaximum", (limit) => ({ comparison: "<", limit })],
  ["exclusiveMinimum", (limit) => ({ comparison: ">", limit })],
  ["multipleOf", (multipleOf) => ({ multipleOf })],
  ["pattern", (pattern) => ({ pattern })],
  ["format", (format) => ({ format })],
  ["const", (allowedValue) => ({ allowedValue })],
  ["enum", (allowedValues) => ({ allowedValues })],
]);

const plainly =
  (...keywords: readonly string[]): Find =>
  (spot) => {
    for (const keyword of keywords) {
      if (!(keyword in spot.form)) continue;
      if (spot.inspection.fits({ [keyword]: spot.form[keyword] }, spot.value)) continue;
      const limit = spot.schema[keyword];
      report(spot, keyword, simple.get(keyword)?.(limit) ?? { limit });
    }
  };

const reference: Find = (spot) => {
  const target = "$ref" in spot.form ? spot.inspection.targets.get(spot.schema) : undefined;
  if (target !== undefined) search({ ...spot, schema: target });
};

const listOf = ({ schema, form }: Search, keyword: string): readonly unknown[] => {
  const list = keyword in form ? own(schema, keyword) : undefined;
  return Array.isArray(list) ? list : [];
};

const mapOf = ({ schema, form }: Search, keyword: string): readonly [string, unknown][] => {
  const map = keyword in form ? own(schema, keyword) : undefined;
  return isObject(map) ? Object.entries(map) : [];
};

const oneOf = (spot: Search, keyword: string): unknown =>
  keyword in spot.form ? own(spot.schema, keyword) : undefined;

const alternatives: Find = (spot) => {
  const not = oneOf(spot, "not");
  if (not !== undefined && inside(spot, not).length === 0) report(spot, "not", {});
  for (const [keyword, enough] of [
    ["anyOf", 1],
    ["oneOf", 2],
  ] as const) {
    const tried: Fault[] = [];
    let fitting = 0;
    for (const each of listOf(spot, keyword)) {
      if (fitting === enough) break;
      const faults = inside(spot, each);
      if (faults.length === 0) fitting += 1;
      tried.push(...faults);
    }
    if (listOf(spot, keyword).length === 0 || fitting === 1) continue;
    spot.faults.push(...tried);
    report(spot, keyword, {});
  }
};

const conjunctions: Find = (spot) => {
  for (const each of listOf(spot, "allOf")) search({ ...spot, schema: each });
  const condition = oneOf(spot, "if");
  if (condition === undefined) return;
  const branch = inside(spot, condition).length === 0 ? "then" : "else";
  search({ ...spot, schema: oneOf(spot, branch) });
};

const objects: Find = (spot) => {
  const { value } = spot;
  if (!isObject(value)) return;
  for (const name of listOf(spot, "required")) {
    if (!Object.hasOwn(value, String(name))) {
      report(spot, "required", { missingProperty: name });
    }
  }
  for (const name of Object.keys(value)) {
    const before = spot.faults.length;
    search({ ...spot, schema: oneOf(spot, "propertyNames"), value: name });
    for (const [index, fault] of [...spot.faults.entries()].slice(before)) {
      spot.faults[index] = { ...fault, propertyName: name };
    }
  }
  properties(spot, value);
};

function dependencies(spot: Search, value: JsonObject, keywords: readonly string[]): void {
  for (const keyword of keywords) {
    for (const [property, needed] of mapOf(spot, keyword)) {
      if (!Object.hasOwn(value, property)) continue;
      if (!Array.isArray(needed)) search({ ...spot, schema: needed });
      const names = Array.isArray(needed) ? needed : [];
      for (const missingProperty of names.filter((name) => !Object.hasOwn(value, name))) {
        report(spot, keyword, { property, missingProperty });
      }
    }
  }
}

function properties(spot: Search, value: JsonObject): void {
  const declared = new Map(mapOf(spot, "properties"));
  const patterns = mapOf(spot, "patternProperties");
  const expressions = Object.keys((spot.form["patternProperties"] ?? {}) as JsonObject);
  const matching = (name: string): unknown[] =>
    patterns.flatMap(([, schema], index) =>
      new RegExp(expressions[index] ?? "", "u").test(name) ? [schema] : [],
    );
  const names = Object.keys(value);
  const isAdditional = (name: string) => !declared.has(name) && matching(name).length === 0;
  const additional = oneOf(spot, "additionalProperties");
  for (const name of additional === undefined ? [] : names.filter(isAdditional)) {
    if (additional !== false) below(spot, additional, name);
    else report(spot, "additionalProperties", { additionalProperty: name });
  }
  dependencies(spot, value, ["dependencies"]);
  for (const [name, schema] of declared) if (Object.hasOwn(value, name)) below(spot, schema, name);
  for (const name of names) for (const schema of matching(name)) below(spot, schema, name);
  dependencies(spot, value, ["dependentRequired", "dependentSchemas"]);
  unevaluated(spot, "unevaluatedProperties", (unevaluatedProperty) => ({ unevaluatedProperty }));
}

function unevaluated(
  spot: Search,
  keyword: string,
  params: (key: string) => Fault["params"],
): void {
  const schema = oneOf(spot, keyword);
  if (schema === undefined) return;
  const keys = spot.inspection.unevaluated(spot.form, keyword, spot.value);
  for (const key of keys) {
    if (schema !== false) below(spot, schema, key);
    else report(spot, keyword, params(key));
    if (keyword === "unevaluatedItems" && schema === false) return;
  }
}

const arrays: Find = (spot) => {
  const { value, form } = spot;
  if (!Array.isArray(value)) return;
  const tuple = [...listOf(spot, "prefixItems"), ...listOf(spot, "items")];
  const hasTuple = tuple.length > 0 || Array.isArray(form["items"]);
  const restKeyword = Array.isArray(form["items"]) ? "additionalItems" : "items";
  const rest = oneOf(spot, restKeyword);
  for (const [index, schema] of tuple.entries()) {
    if (index < value.length) below(spot, schema, index);
  }
  if (rest === false && hasTuple) {
    if (value.length > tuple.length) report(spot, restKeyword, { limit: tuple.length });
  } else {
    for (let index = tuple.length; index < value.length; index += 1) below(spot, rest, index);
  }
  const repeat = form["uniqueItems"] === true ? firstRepeat(value) : undefined;
  if (repeat !== undefined) report(spot, "uniqueItems", repeat);
  contained(spot, value);
  unevaluated(spot, "unevaluatedItems", (index) => ({ limit: Number(index) }));
};

function contained(spot: Search, items: readonly unknown[]): void {
  const schema = oneOf(spot, "contains");
  if (schema === undefined) return;
  const minContains = Number(spot.form["minContains"] ?? 1);
  const maxContains = spot.form["maxContains"];
  const enough = Number(maxContains ?? Number.NaN) + 1;
  const tried: Fault[] = [];
  let fitting = 0;
  for (const [index, item] of items.entries()) {
    if (fitting === enough) break;
    const faults = inside({ ...spot, at: pointer(spot.at, index) }, schema, item);
    if (faults.length === 0) fitting += 1;
    tried.push(...faults);
  }
  if (fitting >= minContains && fitting !== enough) return;
  spot.faults.push(...tried);
  report(
    spot,
    "contains",
    maxContains === undefined ? { minContains } : { minContains, maxContains },
  );
}

const finders: readonly Find[] = [
  plainly("type", "maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum", "multipleOf"),
  plainly("maxLength", "minLength", "pattern", "format"),
  reference,
  plainly("const", "enum"),
  alternatives,
  conjunctions,
  plainly("maxItems", "minItems"),
  arrays,
  plainly("maxProperties", "minProperties"),
  objects,
];
