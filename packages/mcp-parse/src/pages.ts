import { guarded, MCPParseError } from "./errors.ts";
import { isObject, kindOf, own, quoted } from "./json.ts";
import { writeJson } from "./json-text.ts";
import type { Warning } from "./warnings.ts";

/** One answer to a list request, its items unchecked. */
export interface Page {
  readonly items: readonly unknown[];
  /** Missing or null ends the list; `""` is a cursor. */
  readonly nextCursor?: string | null;
}

/** Passing one of these is an error, never a shorter list. */
export interface PageLimits {
  /** @defaultValue 1_000 */
  readonly maxPages?: number;
  /** @defaultValue 20_000 */
  readonly maxItems?: number;
  /** UTF-8 bytes of all pages as JSON. @defaultValue 67_108_864 (64 MiB) */
  readonly maxBytes?: number;
}

/**
 * The answer to a list request as a page.
 *
 * @throws MCPParseError `invalid_page` if there is no list under `key` (`{}` is no empty list) or
 * `nextCursor` is neither a string nor null; `unreadable`
 */
export function readPage(
  result: unknown,
  key: "tools" | "resources" | "resourceTemplates" | "prompts",
): Page {
  return guarded(`the list of ${key}`, () => {
    if (!isObject(result)) {
      throw new MCPParseError("invalid_page", `a list must be an object, got ${kindOf(result)}`);
    }
    const items = own(result, key);
    const cursor = own(result, "nextCursor");
    return checkedPage(items, cursor, key);
  });
}

function checkedPage(items: unknown, cursor: unknown, key: string): Page {
  if (!Array.isArray(items)) {
    const message = `${key} must be an array, got ${kindOf(items)}`;
    throw new MCPParseError("invalid_page", message, { path: `/${key}` });
  }
  if (cursor === undefined || cursor === null) return { items };
  if (typeof cursor === "string") return { items, nextCursor: cursor };
  const message = `nextCursor must be a string, got ${kindOf(cursor)}: the list has no known end`;
  throw new MCPParseError("invalid_page", message, { path: "/nextCursor" });
}

/**
 * Walks a list to its end. A server that answers the same cursor with the same page again is going
 * round in a circle: the list is what came until then, each page once, with the warning
 * `cursor_cycle`. A cursor that comes again with another page is followed.
 *
 * Rejects with whatever `fetchPage` rejects with, unchanged.
 *
 * @throws MCPParseError `limit`, `invalid_page`, or `config` if a limit is not a positive integer
 * (or `Infinity`)
 */
export async function collectPages(
  fetchPage: (cursor: string | undefined) => Promise<Page>,
  limits: PageLimits = {},
): Promise<{ items: unknown[]; warnings: Warning[] }> {
  const { maxPages, maxItems, maxBytes } = checkedLimits(limits);
  const pages: Answer[] = [];
  const askedFor = new Map<string, Set<string | undefined>>();
  let cursor: string | undefined;
  let count = 0;
  let bytes = 0;
  for (;;) {
    if (pages.length >= maxPages) throw passed("maxPages", maxPages);
    const { items, nextCursor } = await nextPage(fetchPage, cursor);
    const { text, complete } = writeJson([nextCursor ?? null, items]);
    const cursors = askedFor.get(text);
    if (cursors?.has(cursor)) return { items: flat(pages, true), warnings: [cycle(cursor)] };
    pages.push({ items, repeats: cursors !== undefined });
    askedFor.set(text, (cursors ?? new Set()).add(cursor));
    count += items.length;
    if (count > maxItems) throw passed("maxItems", maxItems);
    bytes += new TextEncoder().encode(text).byteLength;
    if (bytes > maxBytes || !complete) throw passed("maxBytes", maxBytes);
    if (nextCursor === undefined || nextCursor === null) {
      return { items: flat(pages, false), warnings: [] };
    }
    cursor = nextCursor;
  }
}

interface Answer {
  readonly items: readonly unknown[];
  /** An earlier page had the same items and the same cursor. */
  readonly repeats: boolean;
}

function flat(pages: readonly Answer[], withoutRepeats: boolean): unknown[] {
  return pages.flatMap(({ items, repeats }) => (withoutRepeats && repeats ? [] : items));
}

async function nextPage(
  fetchPage: (cursor: string | undefined) => Promise<Page>,
  cursor: string | undefined,
): Promise<Page> {
  const page: unknown = await fetchPage(cursor);
  return guarded("a page", () => {
    if (isObject(page)) return checkedPage(own(page, "items"), own(page, "nextCursor"), "items");
    throw new MCPParseError("invalid_page", `a page must be an object, got ${kindOf(page)}`);
  });
}

function checkedLimits(limits: PageLimits): Required<PageLimits> {
  const checked = { maxPages: 1_000, maxItems: 20_000, maxBytes: 64 * 1024 * 1024 };
  for (const key of ["maxPages", "maxItems", "maxBytes"] as const) {
    const value = limits[key];
    if (value === undefined) continue;
    if (value !== Number.POSITIVE_INFINITY && !(Number.isInteger(value) && value > 0)) {
      const message = `${key} must be a positive integer or Infinity, got ${String(value)}`;
      throw new MCPParseError("config", message, { path: `/${key}` });
    }
    checked[key] = value;
  }
  return checked;
}

function passed(limit: keyof PageLimits, value: number): MCPParseError {
  return new MCPParseError("limit", `the list does not end within ${limit} (${value})`);
}

function cycle(cursor: string | undefined): Warning {
  const request = cursor === undefined ? "the first request" : `cursor ${quoted(cursor)}`;
  const message = `the server answered ${request} with the same page again; the list ends there`;
  return { code: "cursor_cycle", message };
}
