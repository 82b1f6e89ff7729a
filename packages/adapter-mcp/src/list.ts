import { collectPages, type Page, readPage } from "@x/mcp-parse";
import type { Calls, ListKind } from "./calls.ts";
import type { AdapterMCPEvent } from "./event.ts";
import { isMethodNotFound, listError } from "./parse-error.ts";

/** Told of what was tolerated. */
export type Warn = (
  method: string,
  warnings: readonly Pick<Extract<AdapterMCPEvent, { type: "warning" }>, "code" | "message">[],
  name?: string,
) => void;

export interface ListOptions {
  readonly signal?: AbortSignal | undefined;
  readonly warn: Warn;
  /** @defaultValue 20_000 */
  readonly maxItems?: number;
  /** Looks at each page before the next one is asked for, and may end the list there. */
  cut?(page: Page): Page;
}

/**
 * One page. A server without this kind of thing has an empty one.
 *
 * @throws McpProtocolError, and what the client rejects with
 */
export async function listPage(
  calls: Calls,
  kind: ListKind,
  cursor?: string,
  signal?: AbortSignal,
): Promise<Page> {
  const capabilities = calls.capabilities();
  if (capabilities !== undefined && !capabilities[kind]) return { items: [] };
  try {
    const answer = await calls.list(kind, cursor, signal);
    return Array.isArray(answer) ? { items: answer } : readPage(answer, kind);
  } catch (error) {
    if (cursor === undefined && isMethodNotFound(error)) return { items: [] };
    throw listError(error);
  }
}

/**
 * The items of all pages, unread.
 *
 * @throws McpProtocolError, and what the client rejects with
 */
export async function listAll(
  calls: Calls,
  kind: ListKind,
  { signal, warn, maxItems, cut = (page) => page }: ListOptions,
): Promise<readonly unknown[]> {
  try {
    const { items, warnings } = await collectPages(
      async (cursor) => cut(await listPage(calls, kind, cursor, signal)),
      maxItems === undefined ? {} : { maxItems },
    );
    warn(`${kind}/list`, warnings);
    return items;
  } catch (error) {
    throw listError(error);
  }
}
