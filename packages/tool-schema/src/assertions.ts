import { memberTest } from "./equality.ts";
import type { Fault } from "./fault.ts";
import { fitsFormat, isAsserted } from "./formats.ts";
import { isObject, type JsonObject } from "./json.ts";
import { isMultipleOf } from "./multiple-of.ts";
import { patternExpression } from "./patterns.ts";

/** What one keyword asks of a value, whatever stands beside it. */
export interface Assertion {
  fits(value: unknown): boolean;
  readonly params: Fault["params"];
}

type Make = (limit: unknown) => Assertion;

const types: ReadonlyMap<unknown, (value: unknown) => boolean> = new Map([
  ["array", Array.isArray],
  ["boolean", (value) => typeof value === "boolean"],
  ["integer", Number.isInteger],
  ["null", (value) => value === null],
  ["number", Number.isFinite],
  ["object", isObject],
  ["string", (value) => typeof value === "string"],
]);

const ofType: Make = (type) => {
  const tests = [type].flat().flatMap((each) => types.get(each) ?? []);
  const [only] = tests;
  const fits =
    tests.length === 1 && only !== undefined
      ? only
      : (value: unknown) => tests.some((test) => test(value));
  return { fits, params: { type } };
};

const bounding =
  (comparison: string, isWithin: (value: number, limit: number) => boolean): Make =>
  (limit) => ({
    fits: (value) =>
      typeof value !== "number" || !Number.isFinite(value) || isWithin(value, Number(limit)),
    params: { comparison, limit },
  });

const sizing =
  (sizeOf: (value: unknown) => number | undefined, sign: 1 | -1): Make =>
  (limit) => ({
    fits(value) {
      const size = sizeOf(value);
      return size === undefined || sign * (size - Number(limit)) >= 0;
    },
    params: { limit },
  });

/** Characters, of which one may be two units of UTF-16. */
function lengthOf(value: unknown): number | undefined {
  if (typeof value !== "string") return undefined;
  let length = 0;
  for (const _ of value) length += 1;
  return length;
}

const countOf = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
const widthOf = (value: unknown) => (isObject(value) ? Object.keys(value).length : undefined);

const makers: ReadonlyMap<string, Make> = new Map<string, Make>([
  ["type", ofType],
  ["maximum", bounding("<=", (value, limit) => value <= limit)],
  ["minimum", bounding(">=", (value, limit) => value >= limit)],
  ["exclusiveMaximum", bounding("<", (value, limit) => value < limit)],
  ["exclusiveMinimum", bounding(">", (value, limit) => value > limit)],
  [
    "multipleOf",
    (multipleOf) => ({
      fits: (value) =>
        typeof value !== "number" ||
        !Number.isFinite(value) ||
        isMultipleOf(value, Number(multipleOf)),
      params: { multipleOf },
    }),
  ],
  ["maxLength", sizing(lengthOf, -1)],
  ["minLength", sizing(lengthOf, 1)],
  [
    "pattern",
    (pattern) => {
      const expression = patternExpression(String(pattern));
      return {
        fits: (value) => typeof value !== "string" || expression.test(value),
        params: { pattern },
      };
    },
  ],
  [
    "format",
    (format) => ({
      fits: (value) =>
        typeof value !== "string" || !isAsserted(format) || fitsFormat(format, value),
      params: { format },
    }),
  ],
  ["const", (allowedValue) => ({ fits: memberTest([allowedValue]), params: { allowedValue } })],
  [
    "enum",
    (allowedValues) => ({
      fits: memberTest(Array.isArray(allowedValues) ? allowedValues : []),
      params: { allowedValues },
    }),
  ],
  ["maxItems", sizing(countOf, -1)],
  ["minItems", sizing(countOf, 1)],
  ["maxProperties", sizing(widthOf, -1)],
  ["minProperties", sizing(widthOf, 1)],
]);

/** The assertions of a schema, by keyword. */
export function assertionsOf(schema: JsonObject): ReadonlyMap<string, Assertion> {
  const made = new Map<string, Assertion>();
  for (const [keyword, limit] of Object.entries(schema)) {
    const make = makers.get(keyword);
    if (make !== undefined) made.set(keyword, make(limit));
  }
  return made;
}
