import type { Fault } from "./fault.ts";
import { arrays } from "./find-in-arrays.ts";
import { objects } from "./find-in-objects.ts";
import { alternatives, conjunctions, exclusion, plainly, reference } from "./find-in-place.ts";
import { attempt, type Find, type Interpretation } from "./search.ts";

const finders: readonly Find[] = [
  plainly("type", "maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum", "multipleOf"),
  plainly("maxLength", "minLength", "pattern", "format"),
  reference,
  plainly("const", "enum"),
  exclusion,
  alternatives,
  conjunctions,
  plainly("maxItems", "minItems"),
  arrays,
  plainly("maxProperties", "minProperties"),
  objects,
];

/** What is wrong with a value, in the order that Ajv has: each keyword by itself, at its place. */
export function findFaults(
  schema: unknown,
  value: unknown,
  given: Omit<Interpretation, "finders">,
): readonly Fault[] {
  const by = { ...given, finders };
  return attempt({ schema, value, at: "", faults: [], seen: undefined, by }, schema).faults;
}
