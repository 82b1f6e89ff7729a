import { AdapterMCPError, messageOf } from "./errors.ts";
import type { AgentHost } from "./ports.ts";
import type { ToolDefinition, ToolMiddleware } from "./tool-definition.ts";

/**
 * Registers tools, all or, where the host can tell what it has, none.
 *
 * @throws AdapterMCPError `duplicate_name`, `partly_registered`; what the host throws at the first
 */
export function registerAll(
  host: AgentHost,
  tools: readonly ToolDefinition[],
  middleware: readonly ToolMiddleware[],
): void {
  checkNames(tools, new Set(host.toolNames?.()));
  const registered: string[] = [];
  for (const tool of tools) {
    try {
      host.registerTool(tool, { middleware });
    } catch (cause) {
      throw registered.length === 0 ? cause : partlyRegistered(tool.name, registered, cause);
    }
    registered.push(tool.name);
  }
}

function checkNames(tools: readonly ToolDefinition[], taken: Set<string>): void {
  const clashing = tools.filter(({ name }) => taken.has(name) || !taken.add(name));
  const [first] = clashing;
  if (first === undefined) return;
  const names = clashing.map(({ name }) => name).join(", ");
  const message = `nothing is registered: the agent would have two tools of the name ${names}; give each equipMCP a namespace of its own`;
  throw new AdapterMCPError("duplicate_name", message, { toolName: first.name });
}

/** It has the name of what the host threw, by which a host tells its errors. */
function partlyRegistered(
  toolName: string,
  registered: readonly string[],
  cause: unknown,
): AdapterMCPError {
  const message = `${messageOf(cause)} (tool ${toolName}; already registered: ${registered.join(", ")})`;
  const error = new AdapterMCPError("partly_registered", message, { toolName, registered, cause });
  if (cause instanceof Error) Object.defineProperty(error, "name", { value: cause.name });
  return error;
}
