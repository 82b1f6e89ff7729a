import { isObject, type JsonObject, own } from "./json.ts";
import {
  also,
  attempt,
  below,
  type Find,
  isFull,
  isPresent,
  listOf,
  mapOf,
  report,
  type Search,
} from "./search.ts";

export const objects: Find = (spot) => {
  const { value } = spot;
  if (!isObject(value)) return;
  required(spot, value);
  propertyNames(spot, value);
  additional(spot, value);
  dependencies(spot, value, "dependencies");
  properties(spot, value);
  dependencies(spot, value, "dependentRequired");
  dependencies(spot, value, "dependentSchemas");
  unevaluatedProperties(spot, value);
};

function required(spot: Search, value: JsonObject): void {
  for (const name of listOf(spot, "required")) {
    if (isFull(spot)) return;
    if (!isPresent(value, String(name))) report(spot, "required", { missingProperty: name });
  }
}

function propertyNames(spot: Search, value: JsonObject): void {
  const schema = own(spot.form, "propertyNames");
  if (schema === undefined) return;
  for (const propertyName of Object.keys(value)) {
    const { faults } = attempt(spot, schema, propertyName);
    for (const fault of faults) spot.faults.push({ ...fault, propertyName });
  }
}

function properties(spot: Search, value: JsonObject): void {
  for (const [name, schema] of mapOf(spot, "properties")) {
    if (!isPresent(value, name)) continue;
    spot.seen?.names.add(name);
    below(spot, schema, name);
  }
  for (const name of spot.patterns.length === 0 ? [] : Object.keys(value)) {
    for (const schema of matching(spot, name)) {
      spot.seen?.names.add(name);
      below(spot, schema, name);
    }
  }
}

function matching({ patterns }: Search, name: string): unknown[] {
  return patterns.flatMap(([expression, schema]) => (expression.test(name) ? [schema] : []));
}

function additional(spot: Search, value: JsonObject): void {
  const schema = own(spot.form, "additionalProperties");
  if (schema === undefined) return;
  const declared = own(spot.form, "properties");
  for (const name of Object.keys(value)) {
    if (isObject(declared) && Object.hasOwn(declared, name)) continue;
    if (matching(spot, name).length > 0) continue;
    spot.seen?.names.add(name);
    if (schema !== false) below(spot, schema, name);
    else report(spot, "additionalProperties", { additionalProperty: name });
  }
}

function dependencies(spot: Search, value: JsonObject, keyword: string): void {
  for (const [property, needed] of mapOf(spot, keyword)) {
    if (!isPresent(value, property)) continue;
    if (!Array.isArray(needed)) {
      also(spot, needed);
      continue;
    }
    for (const missingProperty of needed) {
      if (isFull(spot)) return;
      if (isPresent(value, String(missingProperty))) continue;
      report(spot, keyword, { property, missingProperty });
    }
  }
}

function unevaluatedProperties(spot: Search, value: JsonObject): void {
  const schema = own(spot.form, "unevaluatedProperties");
  if (schema === undefined) return;
  for (const name of Object.keys(value)) {
    if (spot.seen?.names.has(name)) continue;
    spot.seen?.names.add(name);
    if (schema !== false) below(spot, schema, name);
    else report(spot, "unevaluatedProperties", { unevaluatedProperty: name });
  }
}
