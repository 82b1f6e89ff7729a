import { ToolSchemaError } from "./errors.ts";
import { type JsonObject, own, pointer } from "./json.ts";
import type { Place } from "./subschemas.ts";

/** A place and the schema that `#` stands for there. */
export interface ScopedPlace extends Place {
  readonly resource: Place;
}

/** The names after `#` that each resource offers, by the schema that starts it. */
export type Anchors = Map<object, Map<string, Place>>;

/** Whether a schema has an identity of its own, so that `#` inside it stands for itself. */
export function startsResource(schema: JsonObject): boolean {
  const id = own(schema, "$id");
  // Before 2019-09 an anchor was an id that is only a fragment.
  return typeof id === "string" && !id.startsWith("#");
}

/** Notes the names a schema offers, and takes away what only an engine's own resolver would read. */
export function offerAnchors(
  { schema, pointer: at, resource }: ScopedPlace,
  anchors: Anchors,
): void {
  const id = own(schema, "$id");
  const names = [own(schema, "$anchor"), own(schema, "$dynamicAnchor")];
  if (typeof id === "string" && id.startsWith("#")) names.push(id.slice(1));
  for (const name of names) {
    if (typeof name !== "string") continue;
    const offered = anchors.get(resource.schema) ?? new Map<string, Place>();
    anchors.set(resource.schema, offered);
    if (!offered.has(name)) offered.set(name, { schema, pointer: at });
  }
  for (const keyword of identities) delete schema[keyword];
}

const identities = [
  "$anchor",
  "$dynamicAnchor",
  "$id",
  "$recursiveAnchor",
  "$schema",
  "$vocabulary",
  "id",
];

/** Where a `$ref` leads to; nothing is ever fetched. */
export interface RefTarget {
  /** What is there now, undefined if nothing is. */
  readonly value: unknown;
  /** JSON pointer from the root. */
  readonly pointer: string;
}

/** @throws ToolSchemaError `unresolved_ref`, `unsupported_keyword` */
export function refTarget(place: ScopedPlace, anchors: Anchors): RefTarget | undefined {
  for (const keyword of ["$dynamicRef", "$recursiveRef"]) {
    if (own(place.schema, keyword) === undefined) continue;
    const message = `${keyword} is not supported`;
    const path = pointer(place.pointer, keyword);
    throw new ToolSchemaError("unsupported_keyword", message, { path });
  }
  const ref = own(place.schema, "$ref");
  if (typeof ref !== "string") return undefined;
  if (ref === "#" || ref.startsWith("#/")) {
    const tokens = tokensOf(ref, place);
    return {
      value: valueUnder(place.resource.schema, tokens),
      pointer: tokens.reduce(pointer, place.resource.pointer),
    };
  }
  const named = ref.startsWith("#")
    ? anchors.get(place.resource.schema)?.get(ref.slice(1))
    : undefined;
  if (named === undefined) throw unresolved(place);
  return { value: named.schema, pointer: named.pointer };
}

/** What stands at a place inside, by own properties alone. */
export function valueUnder(root: unknown, tokens: readonly string[]): unknown {
  let value = root;
  for (const token of tokens) {
    value =
      typeof value === "object" && value !== null ? own(value as JsonObject, token) : undefined;
  }
  return value;
}

export function tokensOfPointer(text: string): string[] {
  const tokens = text.split("/").slice(1);
  return tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function tokensOf(ref: string, place: ScopedPlace): string[] {
  try {
    return tokensOfPointer(decodeURIComponent(ref.slice(1)));
  } catch (cause) {
    throw unresolved(place, cause);
  }
}

export function unresolved(place: Place, cause?: unknown): ToolSchemaError {
  const ref = JSON.stringify(String(place.schema["$ref"]).slice(0, 100));
  const message = `$ref ${ref} points to nothing inside the schema`;
  const path = pointer(place.pointer, "$ref");
  return new ToolSchemaError("unresolved_ref", message, { path, cause });
}
