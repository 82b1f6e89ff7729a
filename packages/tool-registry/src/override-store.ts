import { isRecord } from "./data.ts";
import { NEVER_CHECKPOINTABLE } from "./definition.ts";
import { ToolRegistryError } from "./errors.ts";
import { invalidOverride, type PlacedOverride, requireStricter } from "./override-merge.ts";
import { type OverrideDocument, parseOverrides, type ToolOverride } from "./overrides.ts";

export interface OverrideOptions {
  /** Who says so, such as the name of a file or a team; it stands in `because`. */
  readonly origin: string;
  /**
   * For files of a third party: refuses a document that makes any tool look safer (`read_only:
   * true`, `writes: false`, `destructive: false`, `idempotent: true`, `open_world: false`,
   * `checkpointable: true`) or that changes a text.
   *
   * @defaultValue false
   */
  readonly onlyStricter?: boolean;
}

/** The data of one tool file. */
export interface ToolOverrideFile {
  readonly name: string;
  readonly overrides: Readonly<Record<string, unknown>>;
}

/** The data of one skill file. */
export interface SkillOverrideFile {
  readonly name?: string;
  readonly tools: readonly {
    readonly name: string;
    readonly overrides?: Readonly<Record<string, unknown>>;
  }[];
}

/** What `readOverrides` returns, or the data of such files as it is. */
export type OverrideSource =
  | OverrideDocument
  | ToolOverrideFile
  | SkillOverrideFile
  | readonly (ToolOverrideFile | SkillOverrideFile)[];

/** An override that has no effect now; it will have one when its tool is registered. */
export interface UnmatchedOverride {
  readonly tool: string;
  readonly origin: string;
  readonly file?: string;
  readonly line?: number;
  /** `not_checkpointable`: the tool is there, but no override makes its source checkpointable. */
  readonly reason: "not_found" | "not_checkpointable";
}

/** All overrides that were applied, by tool, weakest first. */
export class OverrideStore {
  readonly #byTool = new Map<string, PlacedOverride[]>();

  /**
   * @param sourceOf the source of a tool that is registered
   * @returns what was added, weakest first; nothing is kept if anything is refused
   * @throws ToolRegistryError `invalid_override`
   */
  add(
    source: OverrideSource,
    { origin, onlyStricter = false }: OverrideOptions,
    sourceOf: (tool: string) => string | undefined,
  ): readonly PlacedOverride[] {
    if (typeof origin !== "string" || origin === "") {
      const message = "origin must be a string that is not empty";
      throw new ToolRegistryError("invalid_override", message, { field: "origin" });
    }
    const entries = readSource(source);
    for (const entry of entries) {
      if (onlyStricter) requireStricter(entry);
      if (entry.fields.checkpointable === true && sourceOf(entry.tool) === NEVER_CHECKPOINTABLE) {
        const reason = `checkpointable: true is refused for the source "${NEVER_CHECKPOINTABLE}"`;
        throw invalidOverride(entry, "checkpointable", reason);
      }
    }
    const added = ["tool", "skill"]
      .flatMap((kind) => entries.filter((entry) => entry.kind === kind))
      .map((entry) => ({ ...entry, origin }));
    for (const placed of added) {
      const present = this.#byTool.get(placed.tool) ?? [];
      present.push(placed);
      this.#byTool.set(placed.tool, present);
    }
    return added;
  }

  /** The overrides of a tool that take effect on this source, weakest first. */
  of(tool: string, source: string): readonly PlacedOverride[] {
    const placed = this.#byTool.get(tool) ?? [];
    if (source !== NEVER_CHECKPOINTABLE) return placed;
    return placed.map((override) => {
      const { checkpointable, ...fields } = override.fields;
      return checkpointable === true ? { ...override, fields } : override;
    });
  }

  all(): readonly PlacedOverride[] {
    return [...this.#byTool.values()].flat();
  }
}

export function unmatchedAmong(
  overrides: readonly PlacedOverride[],
  sourceOf: (tool: string) => string | undefined,
): readonly UnmatchedOverride[] {
  const unmatched: UnmatchedOverride[] = [];
  for (const { tool, origin, fields, positions } of overrides) {
    const source = sourceOf(tool);
    if (source === undefined) {
      unmatched.push({ tool, origin, ...positions.tool, reason: "not_found" });
    } else if (source === NEVER_CHECKPOINTABLE && fields.checkpointable === true) {
      const position = positions.checkpointable;
      unmatched.push({ tool, origin, ...position, reason: "not_checkpointable" });
    }
  }
  return unmatched;
}

/** A document is read again, since it may have been made, or changed, by hand. */
function readSource(source: unknown): readonly ToolOverride[] {
  const entries = isRecord(source) ? source["entries"] : undefined;
  return Array.isArray(entries) ? entries.flatMap(readEntry) : parseOverrides(source).entries;
}

function readEntry(entry: unknown): readonly ToolOverride[] {
  if (!isRecord(entry)) return parseOverrides(entry).entries;
  const { tool: name, fields: overrides, kind, positions } = entry;
  return parseOverrides({ name, overrides }).entries.map((read) => ({
    ...read,
    kind: kind === "skill" ? kind : "tool",
    positions: isRecord(positions) ? { ...positions } : {},
  }));
}
