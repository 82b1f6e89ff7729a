import { type Quarantined, readTool } from "@x/mcp-parse";
import { modelNames } from "@x/tool-registry";
import { type Calls, callsOf } from "./calls.ts";
import { AdapterMCPError, McpProtocolError } from "./errors.ts";
import { isObject, quoted } from "./json.ts";
import type { Warn } from "./list.ts";
import { parametersOf } from "./parameters.ts";
import type { MCPClientLike } from "./ports.ts";
import { rejellySignal } from "./rejelly-core.ts";
import { handlerResult } from "./results.ts";
import { isTaskRequired } from "./task.ts";
import type { ToolDefinition } from "./tool-definition.ts";

/** A tool as `tools/list` gives it; more keys do no harm. */
export interface MCPToolDescriptor {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** Without one the tool takes any object. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  readonly execution?: { readonly taskSupport?: string };
}

export interface FromMCPToolOptions {
  /** @defaultValue the tool's own name, made fit for model APIs */
  readonly name?: string;
}

/**
 * One tool of a server as a tool of an agent, without a kit. A call ends with the signal of the
 * Rejelly agent that makes it.
 *
 * @throws McpProtocolError for what is no tool; ToolSchemaError if the schema cannot be used
 */
export function fromMCPTool(
  tool: MCPToolDescriptor,
  client: MCPClientLike,
  options: FromMCPToolOptions = {},
): ToolDefinition {
  const reading = readTool(tool);
  if (!reading.ok) throw unreadable(reading.quarantined);
  const { name } = reading.tool;
  return toolOver(reading.tool, {
    calls: callsOf(client),
    name: options.name ?? modelNames([name], { kind: "plain" }).toModel(name),
    signal: rejellySignal,
    maxTextBytes: undefined,
    warn: () => undefined,
  });
}

function unreadable({ code, name, message }: Quarantined): McpProtocolError {
  return new McpProtocolError(message, {
    code: code === "invalid_schema" ? "invalid_tool_schema" : "invalid_tool_name",
    ...(name !== undefined && { toolName: name }),
  });
}

export interface ToolSite {
  readonly calls: Calls;
  /** The name to register. */
  readonly name: string;
  /** Asked for at each call. */
  signal(): AbortSignal | undefined | Promise<AbortSignal | undefined>;
  readonly maxTextBytes: number | undefined;
  readonly warn: Warn;
}

/** @throws ToolSchemaError */
export function toolOver(tool: MCPToolDescriptor, site: ToolSite): ToolDefinition {
  const { name: toolName, title, description, inputSchema = { type: "object" } } = tool;
  const target = { name: toolName, inputSchema, isTask: isTaskRequired(tool.execution) };
  const { calls, maxTextBytes, warn } = site;
  return {
    name: site.name,
    description: description || title || `MCP tool: ${toolName}`,
    parameters: parametersOf(inputSchema),
    handler: async (args: unknown) => {
      if (!isObject(args)) {
        const message = `tool ${quoted(toolName)}: the arguments must be an object`;
        throw new AdapterMCPError("invalid_arguments", message, { toolName });
      }
      const answer = await calls.callTool(target, args, await site.signal());
      return handlerResult(answer, { toolName, maxTextBytes, warn });
    },
  };
}
