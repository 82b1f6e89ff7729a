import { type Outcome, runUntil } from "./abort.ts";
import {
  CAPABILITY_FIELDS,
  type CapabilityClaims,
  contradiction,
  declaredCapability,
  type ToolCapability,
} from "./capability.ts";
import type { ToolContent } from "./content.ts";
import { checkSpec } from "./definition.ts";
import { ToolRegistryError } from "./errors.ts";
import { messageOf, quoted } from "./message.ts";
import { type ToolFailure, type ToolResult, type ToolSuccess, toolFailure } from "./result.ts";
import { ArgumentParser, inputSchemaOf } from "./schema-input.ts";
import type { InputOf, OutputOf, StandardSchema } from "./standard-schema.ts";
import type { JsonSchema, ToolCallContext, ToolSpec, ToolValidation } from "./tool.ts";
import { wrapReturn } from "./wrap-return.ts";

/** What an own tool gets beside its arguments. */
export interface OwnToolContext extends ToolCallContext {
  /** Aborts when the caller gives up, or `timeoutMs` is over. */
  readonly signal: AbortSignal;
}

interface OwnTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: Readonly<Record<string, unknown>>;
  /** @defaultValue "own" */
  readonly source?: string;
  readonly sourceMetadata?: Readonly<Record<string, unknown>>;
  /** What the tool may do: the author's word, which counts as trusted, or a whole verdict. */
  readonly capability?: CapabilityClaims | ToolCapability;
  readonly checkpointable?: boolean;
}

export interface SchemaTool<
  Schema extends StandardSchema,
  Returned,
  Context extends ToolCallContext = OwnToolContext,
> extends OwnTool {
  /** Validates the arguments, types them, and yields the JSON Schema that a model is shown. */
  readonly input: Schema;
  /** Gets what the schema made of the arguments: with defaults and transforms. */
  invoke(args: OutputOf<Schema>, context: Context): Returned | Promise<Returned>;
}

export interface JsonSchemaTool<Returned, Context extends ToolCallContext = OwnToolContext>
  extends OwnTool {
  readonly inputSchema: JsonSchema;
  /** Without it any object is accepted, whatever `inputSchema` says. */
  validate?(args: Record<string, unknown>): ToolValidation | Promise<ToolValidation>;
  invoke(args: Record<string, unknown>, context: Context): Returned | Promise<Returned>;
}

/** What `structuredContent` is, given what the function returns. */
export type StructuredReturn<Returned> = unknown extends Returned
  ? unknown
  : Nothing extends Returned
    ? never
    : StructuredValue<Returned>;

type Nothing = ReturnType<() => void>;

type StructuredValue<Returned> = Returned extends ToolFailure | string | undefined | null
  ? never
  : Returned extends ToolSuccess<infer Structured>
    ? Structured
    : Returned extends { readonly content: readonly ToolContent[] }
      ? Returned extends { readonly structuredContent: infer Structured }
        ? Structured
        : never
      : Returned;

type Args<Type> = Type extends Record<string, unknown> ? Type : Record<string, unknown>;

interface AnyTool extends OwnTool {
  readonly input?: StandardSchema;
  readonly inputSchema?: JsonSchema;
  validate?(args: Record<string, unknown>): ToolValidation | Promise<ToolValidation>;
  invoke(args: unknown, context: ToolCallContext): unknown;
}

/**
 * Makes a {@link ToolSpec} of a function. A string, content or any JSON value that it returns, and
 * whatever it throws (`tool_error`), becomes a `ToolResult`; see the README. The registry stops
 * waiting when the caller gives up (`cancelled`) or `timeoutMs` is over (`timeout`), with
 * `ran: "unknown"`, even if the function pays no heed to `context.signal`.
 *
 * @throws ToolRegistryError `invalid_spec`, naming the field
 */
export function defineTool<
  const Schema extends StandardSchema,
  Returned,
  Context extends ToolCallContext = OwnToolContext,
>(
  definition: SchemaTool<Schema, Returned, Context>,
): ToolSpec<Args<InputOf<Schema>>, StructuredReturn<Returned>>;
export function defineTool<Returned, Context extends ToolCallContext = OwnToolContext>(
  definition: JsonSchemaTool<Returned, Context>,
): ToolSpec<Record<string, unknown>, StructuredReturn<Returned>>;
export function defineTool(definition: AnyTool): ToolSpec {
  const { input, inputSchema, validate, invoke, capability, source = "own", ...rest } = definition;
  const place = `tool ${quoted(String(rest.name))}`;
  if (typeof invoke !== "function" || (input === undefined) === (inputSchema === undefined)) {
    const message = `${place}: give invoke and either input or inputSchema`;
    const field = typeof invoke === "function" ? "input" : "invoke";
    throw new ToolRegistryError("invalid_spec", message, { field });
  }
  const parser = input === undefined ? undefined : new ArgumentParser(input);
  const spec: ToolSpec = {
    ...rest,
    source,
    inputSchema: input === undefined ? (inputSchema ?? {}) : inputSchemaOf(input, place),
    ...(capability !== undefined && { capability: toCapability(capability, place) }),
    ...(validate !== undefined && { validate: validate.bind(definition) }),
    ...(parser !== undefined && { validate: (args) => parser.validate(args) }),
    invoke: async (args, context) => {
      const startedAt = performance.now();
      const parsed = parser === undefined ? { value: args } : await parser.take(args);
      if ("issues" in parsed) {
        const message = `validation failed for ${quoted(rest.name)}`;
        return toolFailure("validation", message, { issues: parsed.issues });
      }
      if (context.signal?.aborted) return toolFailure("cancelled", "cancelled by the caller");
      const outcome = await runUntil(
        (signal) => invoke.call(definition, parsed.value, { ...context, signal }),
        context,
      );
      return resultOf(outcome, place, performance.now() - startedAt);
    },
  };
  checkSpec(spec, place);
  return Object.freeze(spec);
}

function resultOf(outcome: Outcome<unknown>, place: string, durationMs: number): ToolResult {
  switch (outcome.end) {
    case "value":
      try {
        return wrapReturn(outcome.value, durationMs);
      } catch (error) {
        const message = `${place} returned what is no JSON: ${messageOf(error)}`;
        return toolFailure("tool_error", message, { ran: "yes", durationMs });
      }
    case "thrown": {
      const message = messageOf(outcome.error) || `${place} failed without a message`;
      return toolFailure("tool_error", message, { ran: "yes", durationMs });
    }
    case "timeout": {
      const message = `timeout: ${place} was not done after ${Math.round(durationMs)} ms`;
      return toolFailure("timeout", message, { ran: "unknown", durationMs });
    }
    case "cancelled":
      return toolFailure("cancelled", "cancelled by the caller", { ran: "unknown", durationMs });
  }
}

function toCapability(given: CapabilityClaims | ToolCapability, place: string): ToolCapability {
  if ("because" in given) return given;
  const unknown = Object.keys(given).find((key) => !CAPABILITY_FIELDS.some((f) => f === key));
  const wrong = unknown ?? contradiction(given);
  if (wrong === undefined) return declaredCapability(given);
  const problem =
    unknown === undefined
      ? "cannot be true beside readOnly: true"
      : `is none of ${CAPABILITY_FIELDS.join(", ")}`;
  const field = `capability.${wrong}`;
  throw new ToolRegistryError("invalid_spec", `${place}: ${field} ${problem}`, { field });
}
