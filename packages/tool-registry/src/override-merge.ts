import {
  CAPABILITY_FIELDS,
  type CapabilityClaims,
  type CapabilityField,
  type Evidence,
  effectOf,
  IMPLICATIONS,
  type ToolCapability,
} from "./capability.ts";
import type { ToolDefinition } from "./definition.ts";
import { ToolRegistryError } from "./errors.ts";
import { quoted } from "./message.ts";
import type { OverrideField, OverrideFields, ToolOverride } from "./overrides.ts";

/** A {@link ToolOverride} with the `origin` it was applied under. */
export interface PlacedOverride extends ToolOverride {
  readonly origin: string;
}

/** One field that an override decided, and where it comes from. */
export interface AppliedOverride {
  readonly field: OverrideField;
  readonly value: boolean | string;
  readonly origin: string;
  readonly file?: string;
  readonly line?: number;
  /** Set where the field follows from another one that is overridden with `true`. */
  readonly impliedBy?: "readOnly" | "writes" | "destructive";
}

/** What would make a tool look safer than it is, and so is refused from a third party. */
const LOOSENING: ReadonlyMap<OverrideField, boolean> = new Map([
  ["readOnly", true],
  ["writes", false],
  ["destructive", false],
  ["idempotent", true],
  ["openWorld", false],
  ["checkpointable", true],
]);

/** @throws ToolRegistryError `invalid_override` at the first field that is not stricter */
export function requireStricter(override: ToolOverride): void {
  for (const [field, value] of fieldsOf(override.fields)) {
    if (typeof value === "boolean" && LOOSENING.get(field) !== value) continue;
    const what = typeof value === "boolean" ? `${field}: ${value}` : field;
    throw invalidOverride(override, field, `${what} is refused where only stricter overrides are`);
  }
}

export function invalidOverride(
  override: ToolOverride,
  field: OverrideField,
  reason: string,
): ToolRegistryError {
  const position = override.positions[field];
  const where = position === undefined ? "" : `${position.file}:${position.line}: `;
  const message = `${where}the override of ${quoted(override.tool)}: ${reason}`;
  return new ToolRegistryError("invalid_override", message, { field, ...position });
}

/** A definition with its overrides, the later of which win field by field. */
export function mergeOverrides(
  definition: ToolDefinition,
  overrides: readonly PlacedOverride[],
): { readonly definition: ToolDefinition; readonly applied: readonly AppliedOverride[] } {
  if (overrides.length === 0) return { definition, applied: [] };
  const { values, decided } = decide(overrides);
  const { title, description, checkpointable, ...claims } = values;
  const merged: ToolDefinition = {
    ...definition,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(checkpointable !== undefined && { checkpointable }),
    capability: mergeCapability(definition.capability, claims, decided),
  };
  return { definition: Object.freeze(merged), applied: Object.freeze([...decided.values()]) };
}

/** From the strongest to the weakest. What an override implies lasts as long as its premise does. */
function decide(overrides: readonly PlacedOverride[]): {
  readonly values: OverrideFields;
  readonly decided: ReadonlyMap<OverrideField, AppliedOverride>;
} {
  let values: OverrideFields = {};
  const decided = new Map<OverrideField, AppliedOverride>();
  for (const { fields, positions, origin } of [...overrides].reverse()) {
    const inForce = new Set<OverrideField>();
    for (const [field, value] of fieldsOf(fields)) {
      if (decided.has(field)) continue;
      decided.set(field, Object.freeze({ field, value, origin, ...positions[field] }));
      inForce.add(field);
    }
    values = { ...fields, ...values };
    for (const [impliedBy, field] of IMPLICATIONS) {
      if (fields[impliedBy] !== true || !inForce.has(impliedBy) || decided.has(field)) continue;
      const position = positions[impliedBy];
      decided.set(field, Object.freeze({ field, value: false, origin, ...position, impliedBy }));
      values = { ...values, [field]: false };
    }
  }
  return { values, decided };
}

function* fieldsOf(fields: OverrideFields): Iterable<[OverrideField, boolean | string]> {
  for (const field of [...CAPABILITY_FIELDS, "title", "description", "checkpointable"] as const) {
    const value = fields[field];
    if (value !== undefined) yield [field, value];
  }
}

/** A reason that an override contradicts is no longer a reason, and so is left out. */
function mergeCapability(
  capability: ToolCapability,
  claims: CapabilityClaims,
  decided: ReadonlyMap<OverrideField, AppliedOverride>,
): ToolCapability {
  const said = capability.because.filter(({ about, says }) => (claims[about] ?? says) === says);
  const merged = { ...capability, ...claims };
  const evidence = CAPABILITY_FIELDS.flatMap((field) => evidenceOf(field, decided.get(field)));
  return Object.freeze({
    ...merged,
    effect: effectOf(merged.readOnly, merged.writes),
    because: Object.freeze([...said, ...evidence]),
  });
}

function evidenceOf(about: CapabilityField, applied: AppliedOverride | undefined): Evidence[] {
  if (applied === undefined || typeof applied.value !== "boolean") return [];
  const { value, origin, file, line, impliedBy } = applied;
  const implied = impliedBy === undefined ? "" : `, implied by ${impliedBy}: true`;
  const place = file === undefined ? "" : ` (${file}:${line})`;
  const detail = `overridden by ${origin}${place}${implied}`;
  return [Object.freeze({ about, says: value, from: "override", trusted: true, detail })];
}
