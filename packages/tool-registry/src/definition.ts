import {
  CAPABILITY_FIELDS,
  effectOf,
  type ToolCapability,
  UNKNOWN_CAPABILITY,
} from "./capability.ts";
import { isRecord, jsonData } from "./data.ts";
import { ToolRegistryError } from "./errors.ts";
import { kindOf, messageOf, quoted } from "./message.ts";
import type { ToolResult } from "./result.ts";
import type { JsonSchema, ToolSpec, ToolValidation } from "./tool.ts";

/** The data of a spec: a frozen copy, so that nobody changes a tool behind the registry's back. */
export interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly source: string;
  readonly sourceMetadata?: Readonly<Record<string, unknown>>;
  readonly capability: ToolCapability;
  readonly checkpointable: boolean;
}

/** The functions of a spec, as they were when it was registered. */
export interface ToolHandlers {
  readonly validate?: (args: Record<string, unknown>) => ToolValidation | Promise<ToolValidation>;
  readonly invoke: (args: Record<string, unknown>, context: object) => Promise<ToolResult>;
}

export interface CheckedSpec {
  readonly definition: ToolDefinition;
  readonly handlers: ToolHandlers;
}

/** A spec as it may come from code that no compiler has seen. */
export type UncheckedSpec = Readonly<Partial<Record<keyof ToolSpec, unknown>>>;

/** The source whose calls go to another process and cannot be rolled back. */
export const NEVER_CHECKPOINTABLE = "mcp";

/**
 * @param place names the spec in messages, such as `specs[3]`
 * @throws ToolRegistryError `invalid_spec`, naming the field
 */
export function checkSpec(spec: UncheckedSpec, place: string): CheckedSpec {
  if (typeof spec !== "object" || spec === null) {
    throw new ToolRegistryError("invalid_spec", `${place} must be an object, got ${kindOf(spec)}`);
  }
  try {
    return read(spec, place);
  } catch (error) {
    if (error instanceof ToolRegistryError) throw error;
    const message = `${place} cannot be read: ${messageOf(error)}`;
    throw new ToolRegistryError("invalid_spec", message, { cause: error });
  }
}

/**
 * Specs by name.
 *
 * @throws ToolRegistryError `duplicate` if a name occurs twice, or as {@link checkSpec}
 */
export function checkSpecs(specs: unknown): ReadonlyMap<string, CheckedSpec> {
  if (!Array.isArray(specs)) {
    const message = `specs must be an array, got ${kindOf(specs)}`;
    throw new ToolRegistryError("invalid_spec", message, { field: "specs" });
  }
  const checked = new Map<string, CheckedSpec>();
  for (const [index, spec] of specs.entries()) {
    const read = checkSpec(spec, `specs[${index}]`);
    const { name } = read.definition;
    if (checked.has(name)) {
      const message = `specs[${index}]: the name ${quoted(name)} occurs twice`;
      throw new ToolRegistryError("duplicate", message);
    }
    checked.set(name, read);
  }
  return checked;
}

function read(spec: UncheckedSpec, unnamed: string): CheckedSpec {
  const { name, title, description, inputSchema, outputSchema, annotations } = spec;
  const { source, sourceMetadata, capability, checkpointable, validate, invoke } = spec;
  if (typeof name !== "string" || name === "") throw wrong(unnamed, "name", FULL_TEXT, name);
  const place = `${unnamed} (${quoted(name)})`;
  if (typeof source !== "string" || source === "") throw wrong(place, "source", FULL_TEXT, source);
  if (typeof invoke !== "function") throw wrong(place, "invoke", "a function", invoke);
  if (validate !== undefined && typeof validate !== "function") {
    throw wrong(place, "validate", "a function", validate);
  }
  const definition: ToolDefinition = {
    name,
    ...(title !== undefined && { title: text(place, "title", title) }),
    ...(description !== undefined && { description: text(place, "description", description) }),
    inputSchema: record(place, "inputSchema", inputSchema),
    ...(outputSchema !== undefined && {
      outputSchema: record(place, "outputSchema", outputSchema),
    }),
    ...(annotations !== undefined && { annotations: record(place, "annotations", annotations) }),
    source,
    ...(sourceMetadata !== undefined && {
      sourceMetadata: record(place, "sourceMetadata", sourceMetadata),
    }),
    capability: readCapability(place, capability),
    checkpointable: readCheckpointable(place, checkpointable, source),
  };
  const handlers: ToolHandlers = {
    ...(validate !== undefined && { validate: validate.bind(spec) }),
    invoke: invoke.bind(spec),
  };
  return { definition: Object.freeze(definition), handlers };
}

const FULL_TEXT = "a string that is not empty";

function wrong(place: string, field: string, expected: string, value: unknown): ToolRegistryError {
  const message = `${place}: ${field} must be ${expected}, got ${kindOf(value)}`;
  return new ToolRegistryError("invalid_spec", message, { field });
}

function text(place: string, field: string, value: unknown): string {
  if (typeof value === "string") return value;
  throw wrong(place, field, "a string", value);
}

function record(place: string, field: string, value: unknown): Record<string, unknown> {
  if (!isRecord(value)) throw wrong(place, field, "a plain object", value);
  try {
    return jsonData(value);
  } catch (error) {
    const message = `${place}: ${field} must be JSON data: ${messageOf(error)}`;
    throw new ToolRegistryError("invalid_spec", message, { field, cause: error });
  }
}

function readCheckpointable(place: string, value: unknown, source: string): boolean {
  if (value === undefined) return false;
  if (typeof value !== "boolean") throw wrong(place, "checkpointable", "a boolean", value);
  if (value && source === NEVER_CHECKPOINTABLE) {
    const message = `${place}: checkpointable must be false where the source is "${source}": its calls cannot be rolled back`;
    throw new ToolRegistryError("invalid_spec", message, { field: "checkpointable" });
  }
  return value;
}

const ORIGINS: readonly unknown[] = ["name", "annotations", "override"];

function readCapability(place: string, value: unknown): ToolCapability {
  if (value === undefined) return UNKNOWN_CAPABILITY;
  const capability = record(place, "capability", value);
  for (const field of CAPABILITY_FIELDS) {
    const given = capability[field];
    const nullable = field !== "readOnly" && field !== "writes";
    if (typeof given === "boolean" || (nullable && given === null)) continue;
    throw wrong(place, `capability.${field}`, nullable ? "a boolean or null" : "a boolean", given);
  }
  const { because, conflicts } = capability;
  if (!Array.isArray(because) || !because.every(isEvidence)) {
    throw wrong(place, "capability.because", "a list of evidence", because);
  }
  if (conflicts !== undefined && !Array.isArray(conflicts)) {
    throw wrong(place, "capability.conflicts", "an array", conflicts);
  }
  const checked = capability as unknown as ToolCapability;
  requireConsistent(place, checked);
  return checked;
}

function requireConsistent(place: string, { effect, readOnly, writes }: ToolCapability): void {
  const expected = effectOf(readOnly, writes);
  if (effect === expected && !(readOnly && writes)) return;
  const message = `${place}: capability.effect must be "${expected}" and at most one of readOnly and writes true, got ${quoted(String(effect))}, readOnly ${readOnly}, writes ${writes}`;
  throw new ToolRegistryError("invalid_spec", message, { field: "capability.effect" });
}

function isEvidence(value: unknown): boolean {
  return (
    isRecord(value) &&
    CAPABILITY_FIELDS.some((field) => field === value["about"]) &&
    typeof value["says"] === "boolean" &&
    ORIGINS.includes(value["from"]) &&
    typeof value["trusted"] === "boolean" &&
    typeof value["detail"] === "string"
  );
}
