import type { Capability, CapabilityField, Conflict, Evidence } from "./capability.ts";
import { type Hints, readHints, readProperty } from "./hints.ts";
import { judgeName, type NameVerdict } from "./name-verdict.ts";

/** A tool as a server lists it. */
export interface InferableTool {
  readonly name: string;
  /** `ToolAnnotations` as they came, unparsed. */
  readonly annotations?: unknown;
}

/** How to judge. */
export interface InferOptions {
  /**
   * `"annotations"` takes the server's hints at their word: they decide, the name only fills the gaps. Under
   * `"none"` a hint counts where it is the stricter statement and is set aside where it is not.
   *
   * @defaultValue "none"
   */
  readonly trust?: "none" | "annotations";
}

/**
 * Says what a tool may do, judged from its name and, if given, its MCP annotations.
 *
 * It never throws, whatever a server put into the two: a hint that is no boolean is no hint, and a name
 * without a known verb is `unknown`. It is a judgement about words, not a permission: on an untrusted server
 * a read verdict is the server's own word.
 *
 * A destructive tool does not count as reading: `destructiveHint: true` beats a reading name and
 * `readOnlyHint: true`, trusted or not.
 */
export function inferCapabilities(
  tool: string | InferableTool,
  options: InferOptions = {},
): Capability {
  const trusted = options.trust === "annotations";
  const name = judgeName(nameOf(tool));
  const hints = readHints(
    typeof tool === "string" ? undefined : readProperty(tool, "annotations", "any"),
  );
  const counted = countHints(hints, trusted);
  const effect = decideEffect(name, counted);
  const readOnly = effect === "read";
  return {
    effect,
    readOnly,
    writes: effect === "write",
    destructive: readOnly ? false : (counted.destructiveHint ?? (name.destroys || null)),
    idempotent: counted.idempotentHint ?? (readOnly || null),
    openWorld: counted.openWorldHint ?? null,
    because: [...nameEvidence(name), ...hintEvidence(hints, counted, trusted)],
    conflicts: findConflicts(name, hints, counted),
  };
}

function nameOf(tool: unknown): string {
  const name = typeof tool === "string" ? tool : readProperty(tool, "name", "any");
  return typeof name === "string" ? name : "";
}

/** The hints that count: all trusted ones, or the strict ones; a destroyer is never taken for a reader. */
function countHints(hints: Hints, trusted: boolean): Hints {
  const { readOnlyHint, destructiveHint, ...rest } = trusted ? hints : strictOnly(hints);
  const reads = destructiveHint === true && readOnlyHint === true ? undefined : readOnlyHint;
  return {
    ...rest,
    ...(destructiveHint === undefined ? {} : { destructiveHint }),
    ...(reads === undefined ? {} : { readOnlyHint: reads }),
  };
}

function strictOnly(hints: Hints): Hints {
  return {
    ...(hints.readOnlyHint === false ? { readOnlyHint: false } : {}),
    ...(hints.destructiveHint === true ? { destructiveHint: true } : {}),
    ...(hints.idempotentHint === false ? { idempotentHint: false } : {}),
    ...(hints.openWorldHint === true ? { openWorldHint: true } : {}),
  };
}

function decideEffect(name: NameVerdict, counted: Hints): Capability["effect"] {
  if (counted.destructiveHint === true || counted.readOnlyHint === false) return "write";
  return counted.readOnlyHint === true ? "read" : name.effect;
}

function nameEvidence(name: NameVerdict): Evidence[] {
  const { effect, detail, destroys } = name;
  const about = effect === "write" ? "writes" : "readOnly";
  const found: Evidence[] = [statement(about, effect !== "unknown", detail)];
  if (destroys) found.push(statement("destructive", true, `${detail}; it destroys`));
  return found;
}

function statement(about: CapabilityField, says: boolean, detail: string): Evidence {
  return { about, says, from: "name", trusted: false, detail };
}

function hintEvidence(hints: Hints, counted: Hints, trusted: boolean): Evidence[] {
  return hintFields.flatMap(([key, about]) => {
    const says = hints[key];
    if (says === undefined) return [];
    const counts = counted[key] !== undefined;
    const detail = `annotations.${key} is ${says} (${standing(counts, trusted)})`;
    return [{ about, says, from: "annotations" as const, trusted: trusted && counts, detail }];
  });
}

function standing(counts: boolean, trusted: boolean): string {
  if (trusted) return counts ? "trusted" : "not counted: destructiveHint is true";
  return counts ? "untrusted: counted, being the stricter" : "untrusted: not counted";
}

function findConflicts(name: NameVerdict, hints: Hints, counted: Hints): Conflict[] {
  const found: Conflict[] = [];
  const compare = (about: CapabilityField, says: boolean | null, key: keyof Hints): void => {
    const hint = hints[key];
    if (says === null || hint === undefined || hint === says) return;
    const winner = counted[key] === undefined ? "name" : "hint";
    const detail = `${name.detail}; annotations.${key} is ${hint}: the ${winner} stands`;
    found.push({ about, name: says, hint, detail });
  };
  const reads = name.effect === "unknown" ? null : name.effect === "read";
  compare("readOnly", reads, "readOnlyHint");
  compare("destructive", reads === true ? false : name.destroys || null, "destructiveHint");
  return found;
}

const hintFields: readonly (readonly [keyof Hints, CapabilityField])[] = [
  ["readOnlyHint", "readOnly"],
  ["destructiveHint", "destructive"],
  ["idempotentHint", "idempotent"],
  ["openWorldHint", "openWorld"],
];
