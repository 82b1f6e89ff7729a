import type { TestTool } from "@x/mcp-testkit";

type Json = Record<string, unknown>;

export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Json;
}

/** A tool as a server lists it; by default it takes a number `a`. */
export function listed(
  name: string,
  inputSchema: Json = { type: "object", properties: { a: { type: "number" } } },
  rest: Json = {},
): ListedTool {
  return { name, description: `does ${name}`, inputSchema, ...rest };
}

/** A tool of a test server; without `result` it echoes its arguments. */
export function tool(name: string, inputSchema?: Json, result?: Json): TestTool {
  return { listed: listed(name, inputSchema), ...(result && { result }) };
}

/** The tool `t`, which answers with these content blocks. */
export function answering(content: unknown, rest: Json = {}): TestTool {
  return tool("t", { type: "object" }, { content, ...rest });
}
