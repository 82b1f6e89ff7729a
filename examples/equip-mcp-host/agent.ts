import { AsyncLocalStorage } from "node:async_hooks";
import type { AgentHost, ToolDefinition, ToolMiddleware } from "@x/adapter-mcp";

interface Running {
  /** JSON; outlives a turn. */
  readonly memory: Map<string, string>;
  readonly tools: Map<string, { tool: ToolDefinition; middleware: readonly ToolMiddleware[] }>;
  readonly signal: AbortSignal;
}

const running = new AsyncLocalStorage<Running>();

function current(): Running {
  const agent = running.getStore();
  if (agent === undefined) throw new Error("no agent is running");
  return agent;
}

export const host: AgentHost = {
  async memo(key, make, deps) {
    const { memory } = current();
    const slot = JSON.stringify([key, deps]);
    const value = memory.get(slot) ?? JSON.stringify(await make());
    memory.set(slot, value);
    return JSON.parse(value);
  },
  number(key, initial) {
    const { memory } = current();
    return [Number(memory.get(key) ?? initial), (value) => void memory.set(key, String(value))];
  },
  registerTool: (tool, { middleware }) => void current().tools.set(tool.name, { tool, middleware }),
  signal: () => current().signal,
  toolNames: () => current().tools.keys(),
};

/** One turn of an agent; the tools it registers are gone at its end. */
export function runTurn<T>(memory: Map<string, string>, turn: () => Promise<T>): Promise<T> {
  return running.run({ memory, tools: new Map(), signal: AbortSignal.timeout(60_000) }, turn);
}

/** What a model gets for its call: a text, parts, or an error in words. */
export async function callTool(toolName: string, args: unknown): Promise<unknown> {
  const found = current().tools.get(toolName);
  if (found === undefined) return `there is no tool ${toolName}`;
  const { parameters, description, handler } = found.tool;
  const read = parameters.safeParse(args);
  if (!read.success) return `invalid arguments: ${read.error.issues[0]?.message}`;
  const about = { toolName, description, parameters, metadata: { agentId: "example" } };
  const context = { ...about, input: read.data, definition: found.tool };
  const run = found.middleware.reduceRight<() => Promise<unknown>>(
    (next, middleware) => () => middleware.handler(context, next),
    () => handler(read.data),
  );
  return run().catch((error: unknown) => `failed: ${String(error)}`);
}
