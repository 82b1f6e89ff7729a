import { expected } from "./expected.ts";
import type { Fault } from "./fault.ts";
import { isObject, own } from "./json.ts";
import { cut, listed, nameOf, preview } from "./preview.ts";

type Path = readonly (string | number)[];

/** What is wrong with the value at `path`, to be read by a model that is to mend it. */
export function messageOf(fault: Fault, path: Path): string {
  const write = writers.get(fault.keyword) ?? other;
  const { propertyName } = fault;
  if (propertyName === undefined) return write(fault, nameOf(path), path);
  const subject = `the property name ${preview(propertyName)} in ${nameOf(path)}`;
  return write({ ...fault, data: propertyName }, subject, path);
}

type Writer = (fault: Fault, subject: string, path: Path) => string;

const other: Writer = (_, subject) => `${subject} does not fit`;

/** The value itself is another than the schema asks for. */
const mismatch: Writer = ({ parentSchema, keyword, data }, subject) => {
  const wanted = expected(parentSchema) ?? `what ${keyword} asks for`;
  return `${subject} must be ${wanted}, got ${preview(data)}`;
};

const bound: Writer = ({ params, parentSchema, data }, subject) => {
  const { comparison, limit } = params;
  const sign = comparison === ">=" ? "≥" : comparison === "<=" ? "≤" : String(comparison);
  const wanted = expected(parentSchema) ?? `${sign} ${String(limit)}`;
  return `${subject} must be ${wanted}, got ${preview(data)}`;
};

/** The value has too much or too little of something countable. */
function count(noun: [one: string, many: string], sizeOf: (value: unknown) => number): Writer {
  return ({ params, keyword, data }, subject) => {
    const limit = Number(params["limit"]);
    const side = keyword.startsWith("min") ? "at least" : "at most";
    const size = sizeOf(data);
    return `${subject} must have ${side} ${limit} ${limit === 1 ? noun[0] : noun[1]}, got ${size}`;
  };
}

const characters = count(["character", "characters"], (value) => [...String(value)].length);
const items = count(["item", "items"], (value) => (Array.isArray(value) ? value.length : 0));
const properties = count(["property", "properties"], (value) =>
  isObject(value) ? Object.keys(value).length : 0,
);

const missing: Writer = ({ keyword, params, parentSchema }, subject, path) => {
  const wanted = expected(propertySchema(parentSchema, path.at(-1)));
  const cause =
    keyword === "required" ? "" : `, but needed with ${nameOf([String(params["property"])])}`;
  return `${subject} is missing${cause}${wanted === undefined ? "" : `; it must be ${wanted}`}`;
};

function propertySchema(schema: unknown, name: unknown): unknown {
  const declared = isObject(schema) ? own(schema, "properties") : undefined;
  return isObject(declared) ? own(declared, String(name)) : undefined;
}

const unknownProperty: Writer = ({ keyword, params, parentSchema }, _, path) => {
  const name = nameOf([
    ...path,
    String(params["additionalProperty"] ?? params["unevaluatedProperty"]),
  ]);
  if (keyword !== "additionalProperties") return `${name} is not allowed`;
  const declared = isObject(parentSchema) ? own(parentSchema, "properties") : undefined;
  const allowed = isObject(declared) ? Object.keys(declared) : [];
  if (allowed.length === 0) return `${name} is not allowed; no property is`;
  return `${name} is not allowed; allowed: ${listed(allowed.map((each) => nameOf([each])))}`;
};

const pattern: Writer = ({ params, data }, subject) =>
  `${subject} must match the pattern ${cut(String(params["pattern"]), 100)}, got ${preview(data)}`;

const format: Writer = ({ params, data }, subject) =>
  `${subject} must be a valid ${String(params["format"])}, got ${preview(data)}`;

const multipleOf: Writer = ({ params, data }, subject) =>
  `${subject} must be a multiple of ${String(params["multipleOf"])}, got ${preview(data)}`;

const uniqueItems: Writer = ({ params }, subject) =>
  `${subject} must not repeat an item, but items ${String(params["j"])} and ${String(params["i"])} are equal`;

const contains: Writer = ({ params, schema }, subject) => {
  const { minContains, maxContains } = params;
  const most = maxContains === undefined ? "" : ` and at most ${String(maxContains)}`;
  const wanted = expected(schema);
  const which = wanted === undefined ? "that fits `contains`" : `that is ${wanted}`;
  return `${subject} must hold an item ${which} at least ${String(minContains)}${most} times`;
};

const not: Writer = ({ schema, data }, subject) =>
  `${subject} must not be ${expected(schema) ?? "what the schema excludes"}, got ${preview(data)}`;

const never: Writer = (_, subject) => `${subject} is not allowed`;

const writers: ReadonlyMap<string, Writer> = new Map([
  ["type", mismatch],
  ["enum", mismatch],
  ["const", mismatch],
  ["minimum", bound],
  ["maximum", bound],
  ["exclusiveMinimum", bound],
  ["exclusiveMaximum", bound],
  ["multipleOf", multipleOf],
  ["minLength", characters],
  ["maxLength", characters],
  ["minItems", items],
  ["maxItems", items],
  ["items", items],
  ["additionalItems", items],
  ["unevaluatedItems", items],
  ["minProperties", properties],
  ["maxProperties", properties],
  ["required", missing],
  ["dependentRequired", missing],
  ["dependencies", missing],
  ["additionalProperties", unknownProperty],
  ["unevaluatedProperties", unknownProperty],
  ["pattern", pattern],
  ["format", format],
  ["uniqueItems", uniqueItems],
  ["contains", contains],
  ["not", not],
  ["false schema", never],
]);
