import type { AgentHost, ToolDefinition } from "@x/adapter-mcp";

/** An agent of a few lines: it remembers, offers tools, and checks arguments as Rejelly does. */
export function createAgent() {
  const memory = new Map<string, string>();
  const tools = new Map<string, ToolDefinition>();
  const host: AgentHost = {
    async memo(key, make, deps) {
      const slot = `${key} ${JSON.stringify(deps)}`;
      const value = memory.get(slot) ?? (await make());
      memory.set(slot, value);
      return value;
    },
    number: (_key, initial) => [initial, () => {}],
    registerTool: (tool) => void tools.set(tool.name, tool),
  };
  return {
    host,
    /** What the model is told of its call. */
    async call(name: string, args: unknown): Promise<string> {
      const tool = tools.get(name);
      if (tool === undefined) return `there is no tool ${name}`;
      const read = tool.parameters.safeParse(args);
      if (!read.success) return `invalid arguments: ${read.error.message}`;
      return tool.handler(read.data).then((answer) => JSON.stringify(answer), String);
    },
  };
}
