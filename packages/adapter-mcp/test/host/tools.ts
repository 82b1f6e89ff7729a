import type { z } from "zod";
import { context, draftBeforePrompt, findContext } from "./context.ts";
import type {
  ContentPart,
  MessageContent,
  ToolCall,
  ToolContext,
  ToolDefinition,
  ToolMiddleware,
} from "./contract.ts";
import { HostError } from "./errors.ts";
import { assertJson, findNotJson } from "./json.ts";

export const TOOL_CONTENT_KEY = "$rejellyContent";

export function toolContent(parts: ContentPart[]): { $rejellyContent: ContentPart[] } {
  return { $rejellyContent: parts };
}

export function isToolContent(value: unknown): value is { $rejellyContent: ContentPart[] } {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.hasOwn(value, TOOL_CONTENT_KEY) &&
    Array.isArray((value as Record<string, unknown>)[TOOL_CONTENT_KEY])
  );
}

/** Any name goes, once a generation. Middleware given here runs around the tool's own. */
export function equipTool<T extends z.ZodTypeAny>(
  tool: ToolDefinition<T>,
  options?: { middleware?: ToolMiddleware[] },
): void {
  const { tools } = draftBeforePrompt("equipTool");
  if (tools.some(({ name }) => name === tool.name)) {
    throw new HostError("DuplicateToolNameError", `Duplicate tool name "${tool.name}".`, {
      toolName: tool.name,
      site: "equipTool",
    });
  }
  const middlewares = [...(options?.middleware ?? []), ...(tool.middlewares ?? [])];
  const equipped = middlewares.length > 0 ? { ...tool, middlewares } : tool;
  tools.push(equipped as unknown as ToolDefinition);
}

/** What the model gets for its call. Nothing that a tool does makes this throw. */
export async function answerCall(call: ToolCall): Promise<MessageContent> {
  const { tools } = context().draft;
  const tool = tools.find(({ name }) => name === call.name);
  if (!tool) {
    const names = tools.map(({ name }) => name).join(", ");
    return failure(`Tool "${call.name}" not found. Available tools: ${names}`);
  }
  let args: unknown;
  try {
    args = JSON.parse(call.arguments.trim() || "{}");
  } catch (error) {
    const { message } = error as Error;
    return failure(`Invalid JSON arguments for tool "${call.name}": ${message}`);
  }
  try {
    const result = await runTool(tool, args);
    if (isToolContent(result)) return result.$rejellyContent;
    return typeof result === "string" ? result : JSON.stringify(result);
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    const prefix = name === "Error" ? "" : `${name}: `;
    return failure(`Tool "${tool.name}" execution failed: ${prefix}${message}`);
  }
}

/** By hand, within an agent or without one. Here errors are thrown. */
export async function callTool(
  tool: ToolDefinition,
  args: Record<string, unknown>,
): Promise<unknown> {
  assertJson(args, "callTool");
  return runTool(tool, args);
}

async function runTool(tool: ToolDefinition, args: unknown): Promise<unknown> {
  const parsed = tool.parameters.safeParse(args);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    throw new Error(`Invalid arguments for tool "${tool.name}": ${issues.join("; ")}`);
  }
  const input: unknown = parsed.data;
  const toolContext: ToolContext = {
    toolName: tool.name,
    input,
    parameters: tool.parameters,
    description: tool.description,
    metadata: { agentId: findContext()?.agentId ?? "" },
    definition: tool,
  };
  const run = (tool.middlewares ?? []).reduceRight<() => Promise<unknown>>(
    (next, { handler }) =>
      async () =>
        handler(toolContext, next),
    async () => tool.handler(input),
  );
  const result = await run();
  const found = findNotJson(result);
  if (!found) return result;
  throw new HostError(
    "InvalidToolOutputError",
    `Tool "${tool.name}" returned an invalid output at "${found.path}": ${found.reason}.`,
  );
}

function failure(message: string): string {
  return JSON.stringify({ error: true, message });
}
