export type Effect = "read" | "write" | "unknown";

/** What a reason, or an override, can speak about. */
export type CapabilityField = "readOnly" | "writes" | "destructive" | "idempotent" | "openWorld";

/** One reason for a verdict. `trusted` reasons may be acted on; the others only warn. */
export interface Evidence {
  readonly about: CapabilityField;
  readonly says: boolean;
  readonly from: "name" | "annotations" | "override";
  readonly trusted: boolean;
  readonly detail: string;
}

/**
 * What a tool may do, and why that is believed. `inferCapabilities` of `@x/capability-infer`
 * returns this shape. `null` is unknown.
 */
export interface ToolCapability {
  /** `read` if and only if `readOnly`, `write` if and only if `writes`. */
  readonly effect: Effect;
  readonly readOnly: boolean;
  readonly writes: boolean;
  readonly destructive: boolean | null;
  readonly idempotent: boolean | null;
  readonly openWorld: boolean | null;
  readonly because: readonly Evidence[];
  /** Claims that contradict each other; carried along as they come. */
  readonly conflicts?: readonly unknown[];
}

/** What the author of a tool says of it. What is left out is unknown. */
export type CapabilityClaims = Readonly<Partial<Record<CapabilityField, boolean>>>;

export const CAPABILITY_FIELDS: readonly CapabilityField[] = [
  "readOnly",
  "writes",
  "destructive",
  "idempotent",
  "openWorld",
];

/** Of a tool that nobody judged: everything is unknown. */
export const UNKNOWN_CAPABILITY: ToolCapability = Object.freeze({
  effect: "unknown",
  readOnly: false,
  writes: false,
  destructive: null,
  idempotent: null,
  openWorld: null,
  because: Object.freeze([]),
});

export function effectOf(readOnly: boolean, writes: boolean): Effect {
  if (writes) return "write";
  return readOnly ? "read" : "unknown";
}

/** Where the first field is `true`, the second is `false`, unless it is given itself. */
export const IMPLICATIONS: readonly (readonly [
  premise: "readOnly" | "writes" | "destructive",
  field: CapabilityField,
])[] = [
  ["readOnly", "writes"],
  ["readOnly", "destructive"],
  ["writes", "readOnly"],
  ["destructive", "readOnly"],
];

/** The field that cannot be true beside `readOnly: true` and yet is. */
export function contradiction(claims: CapabilityClaims): "writes" | "destructive" | undefined {
  if (claims.readOnly !== true) return undefined;
  if (claims.writes === true) return "writes";
  return claims.destructive === true ? "destructive" : undefined;
}

/** The capability that the author of a tool declares. */
export function declaredCapability(claims: CapabilityClaims): ToolCapability {
  const values: { -readonly [Field in CapabilityField]?: boolean } = { ...claims };
  for (const [premise, field] of IMPLICATIONS) if (claims[premise]) values[field] ??= false;
  const { readOnly = false, writes = false } = values;
  const because = CAPABILITY_FIELDS.flatMap((about): Evidence[] => {
    const says = values[about];
    const detail = "declared by the author of the tool";
    return says === undefined ? [] : [{ about, says, from: "annotations", trusted: true, detail }];
  });
  const declared = { ...UNKNOWN_CAPABILITY, ...values, readOnly, writes };
  return { ...declared, effect: effectOf(readOnly, writes), because };
}
