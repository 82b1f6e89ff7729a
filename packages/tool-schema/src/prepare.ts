import { type Dialect, dialectOf } from "./dialect.ts";
import { ToolSchemaError } from "./errors.ts";
import { isObject, type JsonObject, kindOf } from "./json.ts";
import { checkPatterns } from "./patterns.ts";
import { copyPlain } from "./plain-copy.ts";
import { offerTargets, refTarget, type ScopedPlace, type Targets } from "./refs.ts";
import { repair, type SchemaNote } from "./repairs.ts";
import { subschemas } from "./subschemas.ts";

/** A schema as the engine gets it: plain data of our own, repaired, its references checked. */
export interface PreparedSchema {
  readonly schema: JsonObject | boolean;
  readonly dialect: Dialect;
  readonly notes: readonly SchemaNote[];
  /** Where each schema object stands in the whole, as a JSON pointer. */
  readonly pointers: ReadonlyMap<object, string>;
}

/**
 * @throws ToolSchemaError `not_json`, `invalid_schema`, `unsupported_dialect`,
 * `unsupported_keyword`, `unresolved_ref`, `invalid_pattern`
 */
export function prepare(given: unknown): PreparedSchema {
  const schema = given === undefined ? null : copyPlain(given);
  const dialect = dialectOf(schema);
  if (typeof schema === "boolean") return { schema, dialect, notes: [], pointers: new Map() };
  if (schema === null) {
    const message = "there is no schema; any object is taken";
    const notes: SchemaNote[] = [{ code: "missing_root", path: "", message }];
    return { schema: { type: "object" }, dialect, notes, pointers: new Map() };
  }
  if (!isObject(schema)) {
    const message = `a schema must be an object or a boolean, got ${kindOf(schema)}`;
    throw new ToolSchemaError("invalid_schema", message);
  }
  delete schema["$schema"];
  const notes: SchemaNote[] = [];
  return { schema, dialect, notes, pointers: visit(schema, dialect, notes) };
}

/** Repairs every schema that can come to be used, also where only a `$ref` says that it is one. */
function visit(root: JsonObject, dialect: Dialect, notes: SchemaNote[]): Map<object, string> {
  const pointers = new Map<object, string>();
  const targets: Targets = { anchors: new Set(), hasIds: false };
  const top = { schema: root, pointer: "" };
  let pending: ScopedPlace[] = [{ ...top, resource: top }];
  while (pending.length > 0) {
    const visited: ScopedPlace[] = [];
    // Grows while it is walked.
    for (const { resource: outer, ...place } of pending) {
      if (pointers.has(place.schema)) continue;
      pointers.set(place.schema, place.pointer);
      repair(place.schema, place.pointer, { dialect, notes });
      checkPatterns(place);
      const resource = offerTargets(place.schema, targets) ? place : outer;
      visited.push({ ...place, resource });
      for (const inner of subschemas(place)) pending.push({ ...inner, resource });
    }
    pending = visited.flatMap((place) => {
      const target = refTarget(place, targets);
      const isNew = target !== undefined && !pointers.has(target.schema);
      return isNew ? [{ ...target, resource: place.resource }] : [];
    });
  }
  return pointers;
}
