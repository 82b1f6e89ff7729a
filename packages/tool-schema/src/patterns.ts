import { ToolSchemaError } from "./errors.ts";
import { isObject, type JsonObject, own, pointer } from "./json.ts";
import { cut } from "./preview.ts";
import type { Place } from "./subschemas.ts";

/** The patterns of a schema itself, each with the keyword it stands under. */
export function patternsOf(schema: JsonObject): { pattern: string; tokens: readonly string[] }[] {
  const pattern = own(schema, "pattern");
  const named = own(schema, "patternProperties");
  const names = isObject(named) ? Object.keys(named) : [];
  return [
    ...(typeof pattern === "string" ? [{ pattern, tokens: ["pattern"] }] : []),
    ...names.map((name) => ({ pattern: name, tokens: ["patternProperties", name] })),
  ];
}

/** @throws ToolSchemaError `invalid_pattern` */
export function checkPatterns({ schema, pointer: base }: Place): void {
  for (const { pattern, tokens } of patternsOf(schema)) {
    if (isPattern(pattern, "u") || isPattern(pattern, "")) continue;
    const message = `the pattern ${cut(pattern, 100)} is no regular expression`;
    const path = tokens.reduce<string>(pointer, base);
    throw new ToolSchemaError("invalid_pattern", message, { path });
  }
}

export function isPattern(pattern: string, flags: "u" | ""): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}

/** With the flag `u`, as JSON Schema asks for, or without it where only that is legal. */
export function patternExpression(pattern: string): RegExp {
  return new RegExp(pattern, isPattern(pattern, "u") ? "u" : "");
}
