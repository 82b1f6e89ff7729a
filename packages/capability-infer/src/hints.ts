/** The four hints of `ToolAnnotations` that are there and are booleans. */
export interface Hints {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/**
 * Reads the hints out of what a server sent as `annotations`. Only own boolean properties are hints; text,
 * numbers, null, inherited properties and accessors that throw are none.
 */
export function readHints(annotations: unknown): Hints {
  const hints: { -readonly [Key in keyof Hints]: Hints[Key] } = {};
  for (const key of hintNames) {
    const value = readProperty(annotations, key, "own");
    if (typeof value === "boolean") hints[key] = value;
  }
  return hints;
}

/** A property of a foreign value; undefined if there is none or if asking for it throws. */
export function readProperty(holder: unknown, key: string, which: "own" | "any"): unknown {
  if (typeof holder !== "object" || holder === null) return undefined;
  try {
    return which === "any" || Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined;
  } catch {
    return undefined;
  }
}

const hintNames = [
  "readOnlyHint",
  "destructiveHint",
  "idempotentHint",
  "openWorldHint",
] as const satisfies readonly (keyof Hints)[];
