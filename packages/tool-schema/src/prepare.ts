import { type Dialect, dialectOf } from "./dialect.ts";
import { ToolSchemaError } from "./errors.ts";
import { guard, type SchemaNode } from "./guard.ts";
import { isObject, type JsonObject, kindOf } from "./json.ts";
import { findMisfit } from "./keywords.ts";
import { limitsOf, type SchemaLimits } from "./limits.ts";
import { checkPatterns } from "./patterns.ts";
import { copyPlain } from "./plain-copy.ts";
import { type Anchors, offerAnchors, refTarget, type ScopedPlace, startsResource } from "./refs.ts";
import { repair, type SchemaNote } from "./repairs.ts";
import { type Place, subschemas } from "./subschemas.ts";

/**
 * A schema as the engine gets it: plain data of our own, within the limits, repaired, without
 * identities, each `$ref` a JSON pointer from the root to what is there.
 */
export interface PreparedSchema {
  readonly schema: JsonObject | boolean;
  readonly dialect: Dialect;
  readonly notes: readonly SchemaNote[];
  /** Where each schema object stands in the whole, as a JSON pointer. */
  readonly pointers: ReadonlyMap<object, string>;
  /** What each schema with a `$ref` refers to. */
  readonly targets: ReadonlyMap<object, JsonObject | boolean>;
  /** Judging a value by it takes a time that its size bounds. */
  readonly isCheap: boolean;
}

/**
 * @throws ToolSchemaError `not_json`, `too_large`, `invalid_schema`, `unsupported_dialect`,
 * `unsupported_keyword`, `unresolved_ref`, `cyclic_ref`, `invalid_pattern`
 */
export function prepare(given: unknown, givenLimits?: Partial<SchemaLimits>): PreparedSchema {
  const limits = limitsOf(givenLimits);
  const schema = given === undefined ? null : copyPlain(given, limits);
  const dialect = dialectOf(schema);
  const simple = { dialect, pointers: new Map(), targets: new Map(), isCheap: true };
  if (typeof schema === "boolean") return { ...simple, schema, notes: [] };
  if (schema === null) {
    const message = "there is no schema; any object is taken";
    const notes: SchemaNote[] = [{ code: "missing_root", path: "", message }];
    const anyObject = { type: "object" };
    return { ...simple, schema: anyObject, notes, pointers: new Map([[anyObject, ""]]) };
  }
  if (!isObject(schema)) {
    const message = `a schema must be an object or a boolean, got ${kindOf(schema)}`;
    throw new ToolSchemaError("invalid_schema", message);
  }
  const notes: SchemaNote[] = [];
  const nodes = visit(schema, dialect, notes);
  const isCheap = guard(nodes, limits);
  const pointers = new Map<object, string>();
  const targets = new Map<object, JsonObject | boolean>();
  for (const [object, { pointer, target }] of nodes) {
    pointers.set(object, pointer);
    if (target !== undefined) targets.set(object, target);
  }
  return { schema, dialect, notes, pointers, targets, isCheap };
}

/** Repairs every schema that can come to be used, also where only a `$ref` says that it is one. */
function visit(
  root: JsonObject,
  dialect: Dialect,
  notes: SchemaNote[],
): Map<JsonObject, SchemaNode> {
  const nodes = new Map<JsonObject, SchemaNode>();
  const anchors: Anchors = new Map();
  const top = { schema: root, pointer: "" };
  let pending: ScopedPlace[] = [{ ...top, resource: top }];
  while (pending.length > 0) {
    const visited: ScopedPlace[] = [];
    // Grows while it is walked.
    for (const { resource: outer, schema, pointer } of pending) {
      if (nodes.has(schema)) continue;
      const place = { schema, pointer };
      repair(schema, pointer, { dialect, notes });
      checkShape(place, dialect);
      checkPatterns(place);
      const scoped = { ...place, resource: startsResource(schema) ? place : outer };
      offerAnchors(scoped, anchors);
      visited.push(scoped);
      const inner = subschemas(place, dialect);
      nodes.set(schema, { schema, pointer, inner });
      for (const each of inner) pending.push({ ...each, resource: scoped.resource });
    }
    pending = visited.flatMap((place) => resolve(place, anchors, { nodes, dialect }));
  }
  return nodes;
}

/** @throws ToolSchemaError `invalid_schema` */
function checkShape({ schema, pointer }: Place, dialect: Dialect): void {
  const misfit = findMisfit(schema, dialect);
  if (misfit === undefined) return;
  const path = pointer + misfit.path;
  throw new ToolSchemaError("invalid_schema", `${path.slice(0, 200)} ${misfit.message}`, { path });
}

/** Makes the `$ref` of a schema one from the root; gives what it leads to if that is new. */
function resolve(
  place: ScopedPlace,
  anchors: Anchors,
  { nodes, dialect }: { readonly nodes: Map<JsonObject, SchemaNode>; readonly dialect: Dialect },
): ScopedPlace[] {
  const found = refTarget(place, anchors);
  const node = nodes.get(place.schema);
  if (found === undefined || node === undefined) return [];
  const { target, pointer } = found;
  place.schema["$ref"] = `#${pointer.split("/").map(encodeURIComponent).join("/")}`;
  // What stands beside a `$ref` counts for nothing before 2019-09.
  nodes.set(place.schema, { ...node, target, inner: dialect === "draft-07" ? [] : node.inner });
  if (typeof target === "boolean" || nodes.has(target)) return [];
  return [{ schema: target, pointer, resource: place.resource }];
}
