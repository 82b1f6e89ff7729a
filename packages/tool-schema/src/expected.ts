import { isObject, type JsonObject, own } from "./json.ts";
import { listed, preview } from "./preview.ts";

const typeNames: ReadonlyMap<unknown, string> = new Map([
  ["string", "a string"],
  ["integer", "an integer"],
  ["number", "a number"],
  ["boolean", "true or false"],
  ["object", "an object"],
  ["array", "an array"],
  ["null", "null"],
]);

const bounds: readonly (readonly [keyword: string, sign: string])[] = [
  ["minimum", "≥"],
  ["exclusiveMinimum", ">"],
  ["maximum", "≤"],
  ["exclusiveMaximum", "<"],
];

/**
 * What a schema asks for, in words: `an integer ≥ 1`. Undefined if its own keywords do not say; what
 * its subschemas ask for is not told.
 */
export function expected(schema: unknown): string | undefined {
  if (!isObject(schema)) return undefined;
  if (Object.hasOwn(schema, "const")) return preview(schema["const"]);
  const members = own(schema, "enum");
  if (Array.isArray(members) && members.length > 0) return oneOf(members);
  const kind = typesOf(schema);
  const range = rangeOf(schema);
  if (kind === undefined) return range;
  const isNumber = kind.includes("integer") || kind.includes("number");
  return isNumber && range !== undefined ? `${kind} ${range}` : kind;
}

function oneOf(members: readonly unknown[]): string {
  return members.length === 1 ? preview(members[0]) : `one of ${listed(members.map(preview))}`;
}

function typesOf(schema: JsonObject): string | undefined {
  const type = own(schema, "type");
  const names = (Array.isArray(type) ? type : [type]).flatMap((each) => typeNames.get(each) ?? []);
  return names.length === 0 ? undefined : names.join(" or ");
}

function rangeOf(schema: JsonObject): string | undefined {
  const parts = bounds.flatMap(([keyword, sign]) => {
    const bound = own(schema, keyword);
    return typeof bound === "number" ? [`${sign} ${bound}`] : [];
  });
  return parts.length === 0 ? undefined : parts.join(" and ");
}
