import { ToolSchemaError } from "./errors.ts";
import { isObject, type JsonObject, own, pointer } from "./json.ts";
import type { Place } from "./subschemas.ts";

/** A place and the schema that `#` stands for there. */
export interface ScopedPlace extends Place {
  readonly resource: Place;
}

/** What a document offers for references. */
export interface Targets {
  /** Names after `#`, of all resources of the document together. */
  readonly anchors: Set<string>;
  /** Some schema has an `$id` that others may refer to. */
  hasIds: boolean;
}

/** Notes what a schema offers; tells whether it starts a resource of its own. */
export function offerTargets(schema: JsonObject, targets: Targets): boolean {
  for (const keyword of ["$anchor", "$dynamicAnchor"]) {
    const anchor = own(schema, keyword);
    if (typeof anchor === "string") targets.anchors.add(anchor);
  }
  const id = own(schema, "$id");
  if (typeof id !== "string") return false;
  // Before 2019-09 an anchor was an id that is only a fragment.
  if (id.startsWith("#")) targets.anchors.add(id.slice(1));
  else targets.hasIds = true;
  return !id.startsWith("#");
}

/**
 * What the `$ref` of a schema points to, if it is a JSON pointer. Anchors and references to an `$id`
 * are left to the engine, which resolves them inside the document; nothing is ever fetched.
 *
 * @throws ToolSchemaError `unresolved_ref`, `unsupported_keyword`
 */
export function refTarget(place: ScopedPlace, targets: Targets): Place | undefined {
  for (const keyword of ["$dynamicRef", "$recursiveRef"]) {
    if (own(place.schema, keyword) === undefined) continue;
    const message = `${keyword} is not supported`;
    const path = pointer(place.pointer, keyword);
    throw new ToolSchemaError("unsupported_keyword", message, { path });
  }
  const ref = own(place.schema, "$ref");
  if (typeof ref !== "string") return undefined;
  if (ref === "#" || ref.startsWith("#/")) return followPointer(ref, place);
  const isOffered = ref.startsWith("#") ? targets.anchors.has(ref.slice(1)) : targets.hasIds;
  if (!isOffered) throw unresolved(ref, place);
  return undefined;
}

function followPointer(ref: string, place: ScopedPlace): Place | undefined {
  let value: unknown = place.resource.schema;
  let at = place.resource.pointer;
  for (const token of tokensOf(ref, place)) {
    value =
      typeof value === "object" && value !== null ? own(value as JsonObject, token) : undefined;
    at = pointer(at, token);
  }
  if (typeof value === "boolean") return undefined;
  if (isObject(value)) return { schema: value, pointer: at };
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
