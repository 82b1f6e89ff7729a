import { collectPages, type Page } from "@x/mcp-parse";
import { type MCPConnection, MCPTransportError, type RequestOptions } from "@x/mcp-transport";
import type { ResultWarning } from "./result.ts";

export interface ListLimits {
  readonly maxPages: number;
  readonly maxItems: number;
  readonly maxBytes: number;
}

export interface ListTimeouts {
  /** For the whole walk, all pages together. */
  readonly timeoutMs: number;
  /** For each page, without a sign of progress. */
  readonly idleTimeoutMs?: number;
}

export interface RawList {
  readonly items: readonly unknown[];
  readonly warnings: readonly ResultWarning[];
}

const METHOD_NOT_FOUND = -32601;

/**
 * All items of a list, unread. A server that does not have the capability is not asked, and one
 * that refuses the method has an empty list; both leave a warning.
 */
export async function readList(
  connection: MCPConnection,
  capability: "tools" | "resources" | "prompts",
  fetchPage: (cursor: string | undefined, options: RequestOptions) => Promise<Page>,
  limits: ListLimits,
  { timeoutMs, idleTimeoutMs }: ListTimeouts,
): Promise<RawList> {
  if (connection.info.capabilities[capability] === undefined) {
    return empty("no_capability", `the server does not offer ${capability}`);
  }
  const endsAt = performance.now() + timeoutMs;
  try {
    return await collectPages(
      (cursor) =>
        fetchPage(cursor, {
          timeoutMs: Math.max(1, endsAt - performance.now()),
          ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
        }),
      limits,
    );
  } catch (error) {
    if (error instanceof MCPTransportError && error.rpcCode === METHOD_NOT_FOUND) {
      return empty("list_refused", `the server offers ${capability} but refuses to list them`);
    }
    throw error;
  }
}

function empty(code: string, message: string): RawList {
  return { items: [], warnings: [{ code, message }] };
}
