import type { McpServer } from "@modelcontextprotocol/server";

export function modernServer(): {
  factory: () => McpServer;
  seen: { calls: string[]; aborted: number; states: unknown[] };
};
