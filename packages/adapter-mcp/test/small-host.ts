import type { AgentHost, ToolDefinition, ToolMiddleware } from "../src/index.ts";

export interface SmallHost extends AgentHost {
  readonly registered: readonly { tool: ToolDefinition; middleware: readonly ToolMiddleware[] }[];
  /** What is remembered, as JSON. */
  readonly memory: Map<string, string>;
}

/** A host that remembers as JSON and takes any tool. */
export function smallHost(overrides: Partial<AgentHost> = {}): SmallHost {
  const memory = new Map<string, string>();
  const registered: { tool: ToolDefinition; middleware: readonly ToolMiddleware[] }[] = [];
  return {
    memory,
    registered,
    async memo(key, make, deps) {
      const kept = memory.get(key);
      if (kept !== undefined) {
        const { value, deps: before } = JSON.parse(kept);
        if (JSON.stringify(before) === JSON.stringify(deps)) return value;
      }
      const value = await make();
      memory.set(key, JSON.stringify({ value, deps }));
      return value;
    },
    number: (key, initial) => [
      Number(memory.get(key) ?? initial),
      (value) => void memory.set(key, String(value)),
    ],
    registerTool: (tool, { middleware }) => void registered.push({ tool, middleware }),
    ...overrides,
  };
}
