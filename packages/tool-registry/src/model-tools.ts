import { ToolRegistryError } from "./errors.ts";
import type { ToolFilter } from "./filter.ts";
import { messageOf, quoted } from "./message.ts";
import { modelNames, type NameClash } from "./model-names.ts";
import { type ToolResult, toolFailure } from "./result.ts";
import type { JsonSchema, RegisteredTool, ToolCallContext, ToolTypes } from "./tool.ts";

/** A tool as a model is told of it. */
export interface ModelTool<Context extends ToolCallContext = ToolCallContext> {
  /** See {@link modelNames}. */
  readonly name: string;
  /** The description, else the title, else `""`. */
  readonly description: string;
  /** The tool's own schema, frozen: take a `structuredClone` to change it. */
  readonly inputSchema: JsonSchema;
  readonly tool: RegisteredTool<ToolTypes, Context>;
}

export interface ModelToolsOptions {
  /** @defaultValue all tools */
  readonly filter?: ToolFilter;
  /** More tools than this are refused, not cut. @defaultValue no limit */
  readonly maxTools?: number;
}

/** The tools of a registry as they were at one moment, for one model. */
export interface ModelTools<Context extends ToolCallContext = ToolCallContext>
  extends Iterable<ModelTool<Context>> {
  /** Sorted by id, in the order of code units. */
  readonly tools: readonly ModelTool<Context>[];
  /** Tools left out, since they would get the same name: always a sign of forgery. */
  readonly clashes: readonly NameClash[];
  get(name: string): ModelTool<Context> | undefined;
  /**
   * Calls a tool for a model. Never throws: a name that is not here is `not_found`, JSON of over
   * 1 MiB is `too_large`, text that is no JSON object is `validation`; the messages tell the model
   * what to do. Empty text counts as no arguments.
   *
   * @param args - as the model's API hands them over: an object, or its JSON text
   */
  call(name: string, args?: unknown, context?: Context): Promise<ToolResult>;
}

/** What `modelTools` needs of a registry. */
export interface ToolLister<Context extends ToolCallContext> {
  list(filter?: ToolFilter): readonly RegisteredTool<ToolTypes, Context>[];
}

/** The longest JSON text of arguments, in bytes of UTF-8. */
const MAX_JSON_BYTES = 1_048_576;
const MAX_NAMES_SHOWN = 20;

/**
 * @throws ToolRegistryError `too_many_tools` naming the largest namespaces, `invalid_spec` for a
 * wrong option
 */
export function modelTools<Context extends ToolCallContext = ToolCallContext>(
  registry: ToolLister<Context>,
  { filter, maxTools }: ModelToolsOptions = {},
): ModelTools<Context> {
  const listed = [...registry.list(filter)].sort((a, b) => (a.id < b.id ? -1 : 1));
  requireFew(listed, maxTools);
  const names = modelNames(listed.map(({ id }) => id));
  const clashing = new Set(names.clashes.flatMap(({ ids }) => ids));
  const tools = Object.freeze(
    listed
      .filter(({ id }) => !clashing.has(id))
      .map((tool) => {
        const { title, description = title ?? "", inputSchema } = tool;
        return Object.freeze({ name: names.toModel(tool.id), description, inputSchema, tool });
      }),
  );
  const byName = new Map(tools.map((entry) => [entry.name, entry]));
  return Object.freeze({
    tools,
    clashes: names.clashes,
    get: (name: string) => byName.get(name),
    call: async (name: string, args?: unknown, context?: Context): Promise<ToolResult> => {
      const entry = byName.get(name);
      if (entry === undefined) return toolFailure("not_found", notFound(name, tools));
      const read = typeof args === "string" ? readJson(args) : readObject(args);
      return "failure" in read ? read.failure : invoke(entry.tool, read.args, context);
    },
    [Symbol.iterator]: () => tools[Symbol.iterator](),
  });
}

/** The registry checks the arguments: what is no object becomes a `validation` result there. */
function invoke<Context extends ToolCallContext>(
  tool: RegisteredTool<ToolTypes, Context>,
  args: unknown,
  context: Context | undefined,
): Promise<ToolResult> {
  return tool.invoke(args as Record<string, unknown>, context);
}

function requireFew(listed: readonly RegisteredTool[], maxTools: number | undefined): void {
  if (maxTools === undefined) return;
  if (!Number.isInteger(maxTools) || maxTools < 0) {
    const message = `maxTools must be a whole number, got ${String(maxTools)}`;
    throw new ToolRegistryError("invalid_spec", message, { field: "maxTools" });
  }
  if (listed.length <= maxTools) return;
  const counts = new Map<string, number>();
  for (const { namespace } of listed) counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
  const largest = [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 5)
    .map(([namespace, count]) => `${quoted(namespace)} ${count}`);
  const message = `${listed.length} tools where at most ${maxTools} are allowed; the largest namespaces: ${largest.join(", ")}; narrow the filter`;
  throw new ToolRegistryError("too_many_tools", message, { field: "maxTools" });
}

function notFound(name: unknown, tools: readonly { readonly name: string }[]): string {
  const start = `tool ${quoted(String(name))} not found`;
  if (tools.length > MAX_NAMES_SHOWN) return `${start}; use one of the ${tools.length} given names`;
  if (tools.length === 0) return `${start}; there are no tools`;
  return `${start}; the tools are ${tools.map((tool) => tool.name).join(", ")}`;
}

type Reading = { readonly args: unknown } | { readonly failure: ToolResult };

function tooLarge(): Reading {
  const message = `too large: the arguments are over ${MAX_JSON_BYTES} bytes; send less`;
  return { failure: toolFailure("too_large", message) };
}

function readObject(args: unknown): Reading {
  return isOver(jsonOf(args), MAX_JSON_BYTES) ? tooLarge() : { args };
}

/** `""` for what is no JSON, which the registry judges. */
function jsonOf(args: unknown): string {
  try {
    return JSON.stringify(args) ?? "";
  } catch {
    return "";
  }
}

function readJson(text: string): Reading {
  if (isOver(text, MAX_JSON_BYTES)) return tooLarge();
  if (text.trim() === "") return { args: {} };
  try {
    const args: unknown = JSON.parse(text);
    return { args };
  } catch (error) {
    const message = `the arguments are no valid JSON: ${messageOf(error)}; send one JSON object`;
    const failure = toolFailure("validation", `validation failed: ${message}`, {
      issues: [{ message }],
    });
    return { failure };
  }
}

function isOver(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return true;
  return text.length * 3 > maxBytes && new TextEncoder().encode(text).length > maxBytes;
}
