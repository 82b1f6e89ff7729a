import { type CapabilityField, contradiction } from "./capability.ts";
import { isRecord } from "./data.ts";
import { ToolRegistryError } from "./errors.ts";
import { kindOf, quoted } from "./message.ts";

export type OverrideField = CapabilityField | "title" | "description" | "checkpointable";

/** What an override sets; a field that is absent stays as it is. */
export type OverrideFields = Readonly<
  Partial<Record<CapabilityField | "checkpointable", boolean>> & {
    title?: string;
    description?: string;
  }
>;

/** Where something stands in a file, for messages and provenance; lines count from 1. */
export interface OverridePosition {
  readonly file: string;
  readonly line: number;
}

export interface ToolOverride {
  /** The id of a tool, `{namespace}/{name}`. */
  readonly tool: string;
  /** Within one document, what a skill says beats what the tool's own file says. */
  readonly kind: "tool" | "skill";
  readonly fields: OverrideFields;
  readonly positions: Readonly<Partial<Record<OverrideField | "tool", OverridePosition>>>;
}

/** What `readOverrides` and {@link parseOverrides} make of override files. */
export interface OverrideDocument {
  readonly entries: readonly ToolOverride[];
}

/** Finds the position of a field such as `tools[0].overrides.read_only`. */
export type Locate = (field: string) => OverridePosition | undefined;

const FIELDS: ReadonlyMap<string, OverrideField> = new Map([
  ["title", "title"],
  ["description", "description"],
  ["read_only", "readOnly"],
  ["readOnly", "readOnly"],
  ["writes", "writes"],
  ["destructive", "destructive"],
  ["idempotent", "idempotent"],
  ["open_world", "openWorld"],
  ["openWorld", "openWorld"],
  ["checkpointable", "checkpointable"],
]);

const TEXTS: ReadonlySet<OverrideField> = new Set(["title", "description"]);
const BESIDE_CAPABILITY: ReadonlySet<OverrideField> = new Set([...TEXTS, "checkpointable"]);

/**
 * Reads the data of a tool file, `{ name, overrides }`, of a skill file, `{ name?, tools: [{ name,
 * overrides? }] }`, or of a list of such.
 *
 * @throws ToolRegistryError `invalid_override`, naming field, file and line where they are known
 */
export function parseOverrides(value: unknown, locate: Locate = () => undefined): OverrideDocument {
  const parts = Array.isArray(value)
    ? value.map((part: unknown, index) => parsePart(part, `[${index}]`, locate))
    : [parsePart(value, "", locate)];
  return { entries: parts.flat() };
}

function parsePart(value: unknown, path: string, locate: Locate): readonly ToolOverride[] {
  const part = requireRecord(value, path, locate);
  if (!Object.hasOwn(part, "tools")) {
    requireKeys(part, path, ["name", "overrides"], locate);
    return [parseEntry(part, path, "tool", locate)];
  }
  requireKeys(part, path, ["name", "tools"], locate);
  const { name, tools } = part;
  if (name !== undefined) requireText(name, join(path, "name"), locate);
  if (!Array.isArray(tools)) throw wrong(join(path, "tools"), "a list", tools, locate);
  return tools.map((item: unknown, index) => {
    const at = join(path, `tools[${index}]`);
    const entry = requireRecord(item, at, locate);
    requireKeys(entry, at, ["name", "overrides"], locate);
    return parseEntry({ overrides: {}, ...entry }, at, "skill", locate);
  });
}

function parseEntry(
  entry: Readonly<Record<string, unknown>>,
  path: string,
  kind: "tool" | "skill",
  locate: Locate,
): ToolOverride {
  const tool = requireText(entry["name"], join(path, "name"), locate);
  const position = locate(join(path, "name"));
  const block = requireRecord(entry["overrides"], join(path, "overrides"), locate);
  const reading: FieldReading = { fields: {}, positions: {}, locate };
  readFields(block, join(path, "overrides"), reading);
  requireNoContradiction(reading, join(path, "overrides"));
  const positions = { ...(position && { tool: position }), ...reading.positions };
  return { tool, kind, fields: reading.fields, positions };
}

interface FieldReading {
  readonly fields: Partial<Record<OverrideField, unknown>> & OverrideFields;
  readonly positions: Partial<Record<OverrideField, OverridePosition>>;
  readonly locate: Locate;
}

function readFields(
  block: Readonly<Record<string, unknown>>,
  path: string,
  reading: FieldReading,
  inCapability = false,
): void {
  for (const [key, value] of Object.entries(block)) {
    const at = join(path, key);
    if (key === "capability" && !inCapability) {
      readFields(requireRecord(value, at, reading.locate), at, reading, true);
      continue;
    }
    const field = FIELDS.get(key);
    if (field === undefined || (inCapability && BESIDE_CAPABILITY.has(field))) {
      throw unknownKey(at, reading.locate);
    }
    readField(field, value, at, reading);
  }
}

function readField(
  field: OverrideField,
  value: unknown,
  at: string,
  { fields, positions, locate }: FieldReading,
): void {
  if (Object.hasOwn(fields, field)) throw invalid(`${at} is given twice`, at, locate);
  if (TEXTS.has(field) && typeof value !== "string") throw wrong(at, "a string", value, locate);
  if (!TEXTS.has(field) && typeof value !== "boolean") {
    throw wrong(at, "true or false", value, locate);
  }
  Object.assign(fields, { [field]: value });
  const position = locate(at);
  if (position !== undefined) positions[field] = position;
}

function requireNoContradiction({ fields, positions, locate }: FieldReading, path: string): void {
  const field = contradiction(fields);
  if (field === undefined) return;
  const message = `${path}: read_only and ${field} cannot both be true`;
  throw invalid(message, join(path, field), () => positions[field] ?? locate(path));
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

function requireKeys(
  record: Readonly<Record<string, unknown>>,
  path: string,
  allowed: readonly string[],
  locate: Locate,
): void {
  for (const key of Object.keys(record)) {
    if (!allowed.includes(key)) throw unknownKey(join(path, key), locate);
  }
}

function requireRecord(value: unknown, path: string, locate: Locate): Record<string, unknown> {
  if (isRecord(value)) return value;
  throw wrong(path, "a mapping", value, locate);
}

function requireText(value: unknown, path: string, locate: Locate): string {
  if (typeof value === "string" && value !== "") return value;
  throw wrong(path, "a string that is not empty", value, locate);
}

function unknownKey(path: string, locate: Locate): ToolRegistryError {
  return invalid(`${quoted(path)} is no key that is known here`, path, locate);
}

function wrong(path: string, expected: string, value: unknown, locate: Locate): ToolRegistryError {
  const subject = path === "" ? "the document" : path;
  return invalid(`${subject} must be ${expected}, got ${kindOf(value)}`, path, locate);
}

function invalid(message: string, field: string, locate: Locate): ToolRegistryError {
  const position = locate(field) ?? locate(field.slice(0, Math.max(field.lastIndexOf("."), 0)));
  const where = position === undefined ? "" : `${position.file}:${position.line}: `;
  return new ToolRegistryError("invalid_override", where + message, { field, ...position });
}
