import { isRecord } from "./data.ts";
import { ToolRegistryError } from "./errors.ts";
import { kindOf, messageOf } from "./message.ts";
import type { ToolIssue } from "./result.ts";
import type { StandardIssue, StandardSchema } from "./standard-schema.ts";
import type { ToolValidation } from "./tool.ts";

/** The dialects to ask a schema for, the preferred one first. */
const TARGETS: readonly string[] = ["draft-2020-12", "draft-07"];

/**
 * The JSON Schema of the arguments.
 *
 * @throws ToolRegistryError `invalid_spec`: no Standard Schema, none with JSON Schema output, not
 * representable as JSON Schema, or not a schema of objects
 */
export function inputSchemaOf(input: StandardSchema, place: string): Record<string, unknown> {
  requireStandardSchema(input, place);
  const { jsonSchema } = input["~standard"];
  const causes: unknown[] = [];
  for (const target of TARGETS) {
    try {
      return requireObjects(jsonSchema.input({ target }), place);
    } catch (error) {
      if (error instanceof ToolRegistryError) throw error;
      causes.push(error);
    }
  }
  const cause = causes[0];
  throw invalidInput(place, `has no JSON Schema: ${messageOf(cause)}`, cause);
}

function requireStandardSchema(input: unknown, place: string): void {
  const standard: unknown =
    (typeof input === "object" || typeof input === "function") && input !== null
      ? Reflect.get(input, "~standard")
      : undefined;
  const { version, validate, jsonSchema } = isRecord(standard) ? standard : {};
  if (version !== 1 || typeof validate !== "function") {
    throw invalidInput(place, `must be a Standard Schema, got ${kindOf(input)}`);
  }
  if (isRecord(jsonSchema) && typeof jsonSchema["input"] === "function") return;
  throw invalidInput(place, "has no JSON Schema output (Zod has it since 4.2); give inputSchema");
}

function requireObjects(schema: unknown, place: string): Record<string, unknown> {
  if (!isRecord(schema)) {
    throw invalidInput(place, `yields ${kindOf(schema)} instead of a JSON Schema`);
  }
  const { type } = schema;
  if (type === undefined || type === "object") return schema;
  throw invalidInput(
    place,
    `must describe an object, since arguments are one; its type is ${type}`,
  );
}

function invalidInput(place: string, problem: string, cause?: unknown): ToolRegistryError {
  const message = `${place}: input ${problem}`;
  return new ToolRegistryError("invalid_spec", message, { field: "input", cause });
}

/** Parses arguments when they are validated, and hands out what came of it when they are used. */
export class ArgumentParser {
  readonly #input: StandardSchema;
  readonly #parsed = new WeakMap<object, { readonly value: unknown }>();

  constructor(input: StandardSchema) {
    this.#input = input;
  }

  async validate(args: Record<string, unknown>): Promise<ToolValidation> {
    const result = await this.#input["~standard"].validate(args);
    if (result.issues !== undefined) return { ok: false, issues: issuesOf(result.issues) };
    this.#parsed.set(args, { value: result.value });
    return { ok: true };
  }

  /** What the arguments were parsed to, once; later, or without a validation before, anew. */
  async take(
    args: Record<string, unknown>,
  ): Promise<{ readonly value: unknown } | { readonly issues: readonly ToolIssue[] }> {
    if (!this.#parsed.has(args)) {
      const verdict = await this.validate(args);
      if (!verdict.ok) return verdict;
    }
    const parsed = this.#parsed.get(args);
    this.#parsed.delete(args);
    return { value: parsed?.value };
  }
}

function issuesOf(issues: readonly StandardIssue[]): readonly ToolIssue[] {
  return issues.map(({ message, path }) => ({
    message,
    ...(path !== undefined && {
      path: path.map((segment) => (typeof segment === "object" ? segment.key : segment)),
    }),
  }));
}
