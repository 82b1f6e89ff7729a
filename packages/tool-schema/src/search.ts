import type { Fault } from "./fault.ts";
import { isObject, type JsonObject, own, pointer } from "./json.ts";
import type { Read, Reading } from "./reading.ts";
import { addSeen, nothingSeen, type Seen } from "./seen.ts";

/** Reports what some keywords of a schema miss. */
export type Find = (spot: Search) => void;

export interface Interpretation {
  readonly finders: readonly Find[];
  readonly read: Read;
  /** What each schema with a `$ref` refers to. */
  readonly targets: ReadonlyMap<object, JsonObject | boolean>;
  /** Whether `unevaluatedProperties` or `unevaluatedItems` stands anywhere. */
  readonly looksBack: boolean;
  /** Whether `unevaluatedItems` passes over what `contains` took, as from 2020-12 on. */
  readonly containsCounts: boolean;
  /** How many faults are looked for at most, and below each alternative again. */
  readonly most: number;
}

/** A schema and the value to be judged by it. */
export interface Spot {
  readonly schema: unknown;
  readonly value: unknown;
  readonly at: string;
  readonly faults: Fault[];
  /** Undefined where nothing looks back. */
  readonly seen: Seen | undefined;
  readonly by: Interpretation;
}

export interface Search extends Spot, Reading {
  readonly schema: JsonObject;
}

function search(spot: Spot): void {
  const { schema, by } = spot;
  if (schema === false) report(spot, "false schema", {});
  if (!isObject(schema) || isFull(spot)) return;
  const found = { ...spot, schema, ...by.read(schema) };
  for (const find of by.finders) {
    find(found);
    if (isFull(spot)) return;
  }
}

/** No more faults are looked for. */
export function isFull({ faults, by }: Spot): boolean {
  return faults.length >= by.most;
}

export function report(
  { schema, value, at, faults }: Spot,
  keyword: string,
  params: Fault["params"],
  alternatives?: Fault["alternatives"],
): void {
  const parentSchema = isObject(schema) ? schema : {};
  const under = isObject(schema) ? own(schema, keyword) : schema;
  const fault = { keyword, instancePath: at, params, schema: under, parentSchema, data: value };
  faults.push(alternatives === undefined ? fault : { ...fault, alternatives });
}

/** Judges by a schema that need not fit, or the value of which is another one. */
export function attempt(
  spot: Spot,
  schema: unknown,
  value: unknown = spot.value,
): { readonly faults: readonly Fault[]; readonly seen: Seen | undefined } {
  const faults: Fault[] = [];
  const seen = spot.by.looksBack ? nothingSeen() : undefined;
  search({ ...spot, schema, value, faults, seen });
  return { faults, seen };
}

/** Judges the same value by a schema that has to fit too; it sees nothing of what stands beside it. */
export function also(spot: Spot, schema: unknown): void {
  const seen = spot.by.looksBack ? nothingSeen() : undefined;
  search({ ...spot, schema, seen });
  addSeen(spot.seen, seen);
}

export function below(spot: Spot, schema: unknown, key: string | number): void {
  if (schema === undefined || schema === true || isFull(spot)) return;
  const value: unknown = Reflect.get(spot.value as object, key);
  const seen = spot.by.looksBack ? nothingSeen() : undefined;
  search({ ...spot, schema, value, at: pointer(spot.at, key), seen });
}

/** Undefined is no JSON: a property that is undefined counts as absent. */
export function isPresent(value: JsonObject, name: string): boolean {
  return Object.hasOwn(value, name) && value[name] !== undefined;
}

export const listOf = ({ form }: Search, keyword: string): readonly unknown[] => {
  const list = own(form, keyword);
  return Array.isArray(list) ? list : [];
};

export const mapOf = ({ form }: Search, keyword: string): readonly [string, unknown][] => {
  const map = own(form, keyword);
  return isObject(map) ? Object.entries(map) : [];
};
