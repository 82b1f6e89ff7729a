import {
  type ToolCapability,
  ToolRegistryError,
  type ToolResult,
  type ToolSpec,
  toolSuccess,
} from "../src/index.ts";

export const READS: ToolCapability = {
  effect: "read",
  readOnly: true,
  writes: false,
  destructive: null,
  idempotent: null,
  openWorld: null,
  because: [{ about: "readOnly", says: true, from: "name", trusted: false, detail: "list" }],
};

export const WRITES: ToolCapability = {
  effect: "write",
  readOnly: false,
  writes: true,
  destructive: true,
  idempotent: null,
  openWorld: null,
  because: [{ about: "writes", says: true, from: "name", trusted: false, detail: "delete" }],
};

/** A spec whose result says which one it is and what it got. */
export function spec(name: string, more: Partial<ToolSpec> & { says?: string } = {}): ToolSpec {
  const { says = name, ...rest } = more;
  return {
    name,
    description: `Does ${name}.`,
    inputSchema: { type: "object" },
    source: "test",
    invoke: async (args): Promise<ToolResult> =>
      toolSuccess({ content: [{ type: "text", text: says }], structuredContent: args }),
    ...rest,
  };
}

/** What the spec above says, `undefined` for a failure. */
export function said(result: ToolResult): unknown {
  const [block] = result.success ? result.content : [];
  return block !== undefined && "text" in block ? block.text : undefined;
}

/** The error of our own that an action throws. */
export function thrownBy(action: () => unknown): ToolRegistryError {
  try {
    action();
  } catch (error) {
    if (error instanceof ToolRegistryError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
