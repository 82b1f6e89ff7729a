import { fullFormats } from "ajv-formats/dist/formats.js";

/** The formats that are asserted, the same in every engine; all others are annotations. */
export const assertedFormats = [
  "date-time",
  "date",
  "time",
  "duration",
  "email",
  "uri",
  "uuid",
  "ipv4",
  "ipv6",
] as const;

export type AssertedFormat = (typeof assertedFormats)[number];

export function isAsserted(name: unknown): name is AssertedFormat {
  return assertedFormats.some((format) => format === name);
}

export function fitsFormat(name: AssertedFormat, text: string): boolean {
  const format: unknown = fullFormats[name];
  const check: unknown = isDefinition(format) ? format.validate : format;
  return check instanceof RegExp ? check.test(text) : isFunction(check) && check(text) === true;
}

function isDefinition(format: unknown): format is { readonly validate: unknown } {
  return typeof format === "object" && format !== null && "validate" in format;
}

function isFunction(check: unknown): check is (text: string) => unknown {
  return typeof check === "function";
}
