import { ToolSchemaError } from "./errors.ts";
import { isObject, type JsonObject, own, pointer } from "./json.ts";
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

/**
 * What the `$ref` of a schema points to inside the document; nothing is ever fetched.
 *
 * @throws ToolSchemaError `unresolved_ref`, `unsupported_keyword`
 */
export function refTarget(
  place: ScopedPlace,
  anchors: Anchors,
): { readonly target: JsonObject | boolean; readonly pointer: string } | undefined {
  for (const keyword of ["$dynamicRef", "$recursiveRef"]) {
    if (own(place.schema, keyword) === undefined) continue;
    const message = `${keyword} is not supported`;
    const path = pointer(place.pointer, keyword);
    throw new ToolSchemaError("unsupported_keyword", message, { path });
  }
  const ref = own(place.schema, "$ref");
  if (typeof ref !== "string") return undefined;
  if (ref === "#" || ref.startsWith("#/")) return followPointer(ref, place);
  const named = ref.startsWith("#")
    ? anchors.get(place.resource.schema)?.get(ref.slice(1))
    : undefined;
  if (named === undefined) throw unresolved(ref, place);
  return { target: named.schema, pointer: named.pointer };
}

function followPointer(
  ref: string,
  place: ScopedPlace,
): { readonly target: JsonObject | boolean; readonly pointer: string } {
  let value: unknown = place.resource.schema;
  let at = place.resource.pointer;
  for (const token of tokensOf(ref, place)) {
    value =
      typeof value === "object" && value !== null ? own(value as JsonObject, token) : undefined;
    at = pointer(at, token);
  }
  if (typeof value === "boolean" || isObject(value)) return { target: value, pointer: at };
  throw unresolved(ref, place);
}

function tokensOf(ref: string, place: ScopedPlace): string[] {
  try {
    const tokens = decodeURIComponent(ref.slice(1)).split("/").slice(1);
    return tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
  } catch (cause) {
    throw unresolved(ref, place, cause);
  }
}

function unresolved(ref: string, place: ScopedPlace, cause?: unknown): ToolSchemaError {
  const message = `$ref ${JSON.stringify(ref.slice(0, 100))} points to nothing inside the schema`;
  const path = pointer(place.pointer, "$ref");
  return new ToolSchemaError("unresolved_ref", message, { path, cause });
}
