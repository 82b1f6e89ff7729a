import { type Dialect, dialectOf } from "./dialect.ts";
import { ToolSchemaError } from "./errors.ts";
import { type Cost, guard, type SchemaNode } from "./guard.ts";
import { isObject, type JsonObject, kindOf } from "./json.ts";
import { findMisfit } from "./keywords.ts";
import { limitsOf, type SchemaLimits } from "./limits.ts";
import { checkPatterns } from "./patterns.ts";
import { copyPlain } from "./plain-copy.ts";
import { type Copies, copiesInto } from "./ref-copies.ts";
import {
  type Anchors,
  offerAnchors,
  refTarget,
  type ScopedPlace,
  startsResource,
  unresolved,
} from "./refs.ts";
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
  /** Every schema object in it. */
  readonly schemas: ReadonlySet<JsonObject>;
  /** What each schema with a `$ref` refers to. */
  readonly targets: ReadonlyMap<object, JsonObject | boolean>;
  readonly cost: Cost;
}

/**
 * @throws ToolSchemaError `not_json`, `too_large`, `invalid_schema`, `unsupported_dialect`,
 * `unsupported_keyword`, `unresolved_ref`, `cyclic_ref`, `invalid_pattern`
 */
export function prepare(given: unknown, givenLimits?: Partial<SchemaLimits>): PreparedSchema {
  const limits = limitsOf(givenLimits);
  const schema = given === undefined ? null : copyPlain(given, limits);
  const dialect = dialectOf(schema);
  const cost = { evaluations: 1, keywords: 1, looksBack: false, isIntricate: false };
  const simple = { dialect, targets: new Map(), cost };
  if (typeof schema === "boolean") return { ...simple, schema, notes: [], schemas: new Set() };
  if (schema === null) {
    const message = "there is no schema; any object is taken";
    const notes: SchemaNote[] = [{ code: "missing_root", path: "", message }];
    const anyObject = { type: "object" };
    return { ...simple, schema: anyObject, notes, schemas: new Set([anyObject]) };
  }
  if (!isObject(schema)) {
    const message = `a schema must be an object or a boolean, got ${kindOf(schema)}`;
    throw new ToolSchemaError("invalid_schema", message);
  }
  const notes: SchemaNote[] = [];
  const copies = copiesInto(schema, () => copyPlain(given, limits), limits);
  const nodes = visit(schema, { dialect, notes, copies });
  const targets = new Map<object, JsonObject | boolean>();
  for (const [object, { target }] of nodes) {
    if (target !== undefined) targets.set(object, target);
  }
  return {
    schema,
    dialect,
    notes,
    schemas: new Set(nodes.keys()),
    targets,
    cost: guard(nodes, limits),
  };
}

interface Located extends ScopedPlace {
  /** Where it stands in the prepared schema. */
  readonly location: string;
}

interface Visit {
  readonly dialect: Dialect;
  readonly notes: SchemaNote[];
  readonly copies: Copies;
}

/** Repairs every schema that can come to be used, also where only a `$ref` says that it is one. */
function visit(root: JsonObject, { dialect, notes, copies }: Visit): Map<JsonObject, SchemaNode> {
  const nodes = new Map<JsonObject, SchemaNode>();
  const anchors: Anchors = new Map();
  const top = { schema: root, pointer: "", location: "" };
  let pending: Located[] = [{ ...top, resource: top }];
  while (pending.length > 0) {
    const visited: Located[] = [];
    // Grows while it is walked.
    for (const { resource: outer, schema, pointer, location } of pending) {
      if (nodes.has(schema)) continue;
      const place = { schema, pointer };
      repair(schema, pointer, { dialect, notes });
      checkShape(place, dialect);
      checkPatterns(place);
      const resource = startsResource(schema) ? place : outer;
      const located = { ...place, location, resource };
      offerAnchors(located, anchors);
      visited.push(located);
      const inner = subschemas(place, dialect);
      nodes.set(schema, { schema, pointer, location, inner });
      for (const each of inner) {
        pending.push({
          ...each,
          location: location + each.pointer.slice(pointer.length),
          resource,
        });
      }
    }
    pending = visited.flatMap((place) => resolve(place, anchors, { nodes, dialect, copies }));
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

interface Resolution {
  readonly nodes: Map<JsonObject, SchemaNode>;
  readonly dialect: Dialect;
  readonly copies: Copies;
}

/** Makes the `$ref` of a schema one from the root; gives what it leads to if that is new. */
function resolve(
  place: Located,
  anchors: Anchors,
  { nodes, dialect, copies }: Resolution,
): Located[] {
  const found = refTarget(place, anchors);
  const node = nodes.get(place.schema);
  if (found === undefined || node === undefined) return [];
  const known = isObject(found.value) ? nodes.get(found.value) : undefined;
  const copy = known === undefined ? copies.of(found.pointer) : undefined;
  const target = known?.schema ?? copy?.value;
  const location = known?.location ?? copy?.location;
  if (target === undefined || location === undefined) throw unresolved(place);
  place.schema["$ref"] = `#${location.split("/").map(encodeURIComponent).join("/")}`;
  // What stands beside a `$ref` counts for nothing before 2019-09.
  nodes.set(place.schema, { ...node, target, inner: dialect === "draft-07" ? [] : node.inner });
  if (typeof target === "boolean" || nodes.has(target)) return [];
  return [{ schema: target, pointer: found.pointer, location, resource: place.resource }];
}
