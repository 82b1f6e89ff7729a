import type { MCPToolDescriptor } from "@x/mcp-parse";
import { messageOf } from "./errors.ts";
import type { CompileSchema, SchemaValidator, ToolCapability, ValidationIssue } from "./ports.ts";
import type { MCPQuarantined } from "./quarantine.ts";

/** A tool the server lists, with what is needed to call it. */
export interface CatalogTool {
  readonly descriptor: MCPToolDescriptor;
  readonly capability: ToolCapability;
  readonly input: SchemaValidator;
  readonly output: SchemaValidator | undefined;
}

export type Verdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly issues: readonly ValidationIssue[] }
  | { readonly ok: false; readonly broken: MCPQuarantined }
  /** Why these arguments cannot be judged; others can. */
  | { readonly ok: false; readonly unjudged: string };

/** Codes of `ToolSchemaError` that are about one value, not about the schema. */
const ofTheValue: ReadonlySet<string> = new Set(["timeout", "too_complex", "unreadable"]);

/**
 * Compiles the schemas of a tool. Without a usable input schema the tool is set aside; an output
 * schema that cannot be used costs only the check of the output, and `outputProblem` says so.
 */
export function prepareTool(
  descriptor: MCPToolDescriptor,
  capability: ToolCapability,
  compile: CompileSchema,
): { tool: CatalogTool; outputProblem?: string } | { quarantined: MCPQuarantined } {
  let input: SchemaValidator;
  try {
    input = compile(descriptor.inputSchema);
  } catch (error) {
    return { quarantined: quarantine(descriptor.name, "/inputSchema", error) };
  }
  if (descriptor.outputSchema === undefined) {
    return { tool: { descriptor, capability, input, output: undefined } };
  }
  try {
    const output = compile(descriptor.outputSchema);
    return { tool: { descriptor, capability, input, output } };
  } catch (error) {
    return {
      tool: { descriptor, capability, input, output: undefined },
      outputProblem: messageOf(error),
    };
  }
}

/** A schema is compiled when it is first used, so that a broken one may show only here. */
export function checkInput(tool: CatalogTool, args: Record<string, unknown>): Verdict {
  try {
    return tool.input.validate(args);
  } catch (error) {
    const broken = quarantine(tool.descriptor.name, "/inputSchema", error);
    return ofTheValue.has(broken.code)
      ? { ok: false, unjudged: broken.message }
      : { ok: false, broken };
  }
}

/** The reason why `value` is not what the output schema promises, or why that cannot be told. */
export function outputMismatch(tool: CatalogTool, value: unknown): string | undefined {
  if (tool.output === undefined) return undefined;
  if (value === undefined) return "the tool has an output schema and sent no structured content";
  try {
    const verdict = tool.output.validate(value);
    if (verdict.ok) return undefined;
    return verdict.issues.map(({ message }) => message).join("; ");
  } catch (error) {
    return `not checked: ${messageOf(error)}`;
  }
}

function quarantine(name: string, base: string, error: unknown): MCPQuarantined {
  const { code, path } = codedError(error);
  return { name, code, path: `${base}${path}`, message: messageOf(error) };
}

/** `ToolSchemaError` bears a code and a JSON pointer; another compiler's error may not. */
function codedError(error: unknown): { code: string; path: string } {
  const fields: { code?: unknown; path?: unknown } =
    typeof error === "object" && error !== null ? error : {};
  return {
    code: typeof fields.code === "string" ? fields.code : "schema",
    path: typeof fields.path === "string" ? fields.path : "",
  };
}
