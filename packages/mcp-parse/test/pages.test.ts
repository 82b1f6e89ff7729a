import { describe, expect, expectTypeOf, it } from "vitest";
import { collectPages, MCPParseError, type Page, type PageLimits, readPage } from "../src/index.ts";

/** A server with pages by cursor; counts what it is asked. */
function listOf(pages: Record<string, Page>): {
  fetchPage: (cursor: string | undefined) => Promise<Page>;
  asked: (string | undefined)[];
} {
  const byCursor = new Map(Object.entries(pages));
  const asked: (string | undefined)[] = [];
  return {
    asked,
    async fetchPage(cursor) {
      asked.push(cursor);
      const page = byCursor.get(cursor ?? "first");
      if (page === undefined) throw new Error(`no page for ${cursor}`);
      return page;
    },
  };
}

/** Answers in order, whatever the cursor. */
function inOrder(...pages: Page[]): (cursor: string | undefined) => Promise<Page> {
  let next = 0;
  return async () => {
    const page = pages[next];
    next += 1;
    if (page === undefined) throw new Error("asked too often");
    return page;
  };
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable("it resolved"),
    (error: unknown) => error,
  );
}

describe("one page", () => {
  it.each(["tools", "resources", "resourceTemplates", "prompts"] as const)(
    "is read from %s",
    (key) => {
      const items = [{ name: "a" }, null, 3];
      expect(readPage({ [key]: items }, key)).toEqual({ items });
      expect(readPage({ [key]: items, nextCursor: "c" }, key)).toEqual({ items, nextCursor: "c" });
      expect(readPage({ [key]: items }, key).items).toBe(items);
    },
  );

  it("may be empty, when it says so", () => {
    expect(readPage({ tools: [] }, "tools")).toEqual({ items: [] });
  });

  it.each([
    ["missing", {}],
    ["undefined", { nextCursor: undefined }],
    ["null", { nextCursor: null }],
  ])("is the last one when its cursor is %s", (_, rest) => {
    expect(readPage({ tools: [], ...rest }, "tools").nextCursor).toBeUndefined();
  });

  it('is not the last one when its cursor is ""', () => {
    expect(readPage({ tools: [], nextCursor: "" }, "tools").nextCursor).toBe("");
  });

  it.each([
    [undefined, "", "a list must be an object, got undefined"],
    [null, "", "a list must be an object, got null"],
    [[], "", "a list must be an object, got an array"],
    ["tools", "", "a list must be an object, got string"],
    [{}, "/tools", "tools must be an array, got undefined"],
    [{ tools: null }, "/tools", "tools must be an array, got null"],
    [{ tools: {} }, "/tools", "tools must be an array, got object"],
    [{ tools: "a,b" }, "/tools", "tools must be an array, got string"],
    [{ prompts: [] }, "/tools", "tools must be an array, got undefined"],
    [Object.create({ tools: [] }), "/tools", "tools must be an array, got undefined"],
  ])("%j is an error, never an empty list", (result, path, message) => {
    expect(() => readPage(result, "tools")).toThrowError(
      expect.objectContaining({ name: "MCPParseError", code: "invalid_page", path, message }),
    );
  });

  it.each([
    [2, "number"],
    [0, "number"],
    [false, "boolean"],
    [{ page: 2 }, "object"],
    [["c"], "an array"],
  ])("with the cursor %j is an error: its list has no known end", (nextCursor, kind) => {
    expect(() => readPage({ tools: [], nextCursor }, "tools")).toThrowError(
      expect.objectContaining({
        code: "invalid_page",
        path: "/nextCursor",
        message: `nextCursor must be a string, got ${kind}: the list has no known end`,
      }),
    );
  });

  it("that throws when it is read is a coded error with the cause", () => {
    const cause = new Error("boom");
    const result = {
      get tools(): unknown {
        throw cause;
      },
    };
    expect(() => readPage(result, "tools")).toThrowError(
      expect.objectContaining({ code: "unreadable", cause }),
    );
  });
});

describe("a walk over pages", () => {
  it("ends with a page that has no cursor", async () => {
    const list = listOf({
      first: { items: [1, 2], nextCursor: "b" },
      b: { items: [], nextCursor: "c" },
      c: { items: [3] },
    });
    expect(await collectPages(list.fetchPage)).toEqual({ items: [1, 2, 3], warnings: [] });
    expect(list.asked).toEqual([undefined, "b", "c"]);
  });

  it("ends with a page whose cursor is null", async () => {
    const list = listOf({ first: { items: [1], nextCursor: null } });
    expect(await collectPages(list.fetchPage)).toEqual({ items: [1], warnings: [] });
    expect(list.asked).toEqual([undefined]);
  });

  it('follows the cursor ""', async () => {
    const list = listOf({ first: { items: [1], nextCursor: "" }, "": { items: [2] } });
    expect(await collectPages(list.fetchPage)).toEqual({ items: [1, 2], warnings: [] });
    expect(list.asked).toEqual([undefined, ""]);
  });

  it.each(["__proto__", "constructor", "toString"])("follows the cursor %s", async (cursor) => {
    const fetchPage = inOrder({ items: [1], nextCursor: cursor }, { items: [2] });
    expect((await collectPages(fetchPage)).items).toEqual([1, 2]);
  });

  it("asks for one page at a time, in order", async () => {
    let open = 0;
    const pages = inOrder(
      { items: [1], nextCursor: "b" },
      { items: [2], nextCursor: "c" },
      { items: [3] },
    );
    const { items } = await collectPages(async (cursor) => {
      open += 1;
      expect(open).toBe(1);
      await Promise.resolve();
      open -= 1;
      return pages(cursor);
    });
    expect(items).toEqual([1, 2, 3]);
  });

  it("keeps arrays among the items whole", async () => {
    const { items } = await collectPages(inOrder({ items: [[1, [2]], []] }));
    expect(items).toEqual([[1, [2]], []]);
  });

  it("rejects with the very error of a failing page (case server-06)", async () => {
    const offline = new Error("catalogue offline");
    const fetchPage = async (cursor: string | undefined): Promise<Page> => {
      if (cursor === "p2") throw offline;
      return { items: [{ name: "first" }], nextCursor: "p2" };
    };
    expect(await failure(collectPages(fetchPage))).toBe(offline);
  });

  it.each([
    ["no object", null, "a page must be an object, got null"],
    ["a list", [1], "a page must be an object, got an array"],
    ["items missing", {}, "items must be an array, got undefined"],
    [
      "a number as cursor",
      { items: [], nextCursor: 1 },
      "nextCursor must be a string, got number: the list has no known end",
    ],
  ])("rejects on a page that is none: %s", async (_, page, message) => {
    const fetchPage = async (): Promise<Page> => page as Page;
    expect(await failure(collectPages(fetchPage))).toMatchObject({ code: "invalid_page", message });
  });
});

describe("a list that goes round in a circle", () => {
  it("ends with its pages once each and a warning (case server-05)", async () => {
    const a = { name: "a" };
    const b = { name: "b" };
    const list = listOf({
      first: { items: [a, b], nextCursor: "end" },
      end: { items: [a, b], nextCursor: "end" },
    });
    const { items, warnings } = await collectPages(list.fetchPage);
    expect(items).toEqual([a, b]);
    expect(list.asked).toEqual([undefined, "end", "end"]);
    expect(warnings).toEqual([
      {
        code: "cursor_cycle",
        message: 'the server answered cursor "end" with the same page again; the list ends there',
      },
    ]);
  });

  it("ends when the circle is longer than a page", async () => {
    const list = listOf({
      first: { items: [1], nextCursor: "b" },
      b: { items: [2], nextCursor: "c" },
      c: { items: [1], nextCursor: "b" },
    });
    const { items, warnings } = await collectPages(list.fetchPage);
    expect(items).toEqual([1, 2]);
    expect(warnings.map(({ code }) => code)).toEqual(["cursor_cycle"]);
    expect(list.asked).toEqual([undefined, "b", "c", "b"]);
  });

  it("keeps what came before the circle begins", async () => {
    const list = listOf({
      first: { items: [1], nextCursor: "b" },
      b: { items: [2], nextCursor: "c" },
      c: { items: [3], nextCursor: "b" },
    });
    expect((await collectPages(list.fetchPage)).items).toEqual([1, 2, 3]);
  });

  it("is none when the same cursor brings another page: a server may count by itself", async () => {
    const fetchPage = inOrder(
      { items: [1], nextCursor: "next" },
      { items: [2], nextCursor: "next" },
      { items: [3], nextCursor: "next" },
      { items: [4] },
    );
    expect(await collectPages(fetchPage)).toEqual({ items: [1, 2, 3, 4], warnings: [] });
  });

  it("is none when another cursor brings an equal page", async () => {
    const fetchPage = inOrder(
      { items: ["x"], nextCursor: "b" },
      { items: ["x"], nextCursor: "c" },
      { items: ["x"] },
    );
    expect(await collectPages(fetchPage)).toEqual({ items: ["x", "x", "x"], warnings: [] });
  });

  it("shows only the beginning of a long cursor, escaped", async () => {
    const cursor = `\n\u001b${"c".repeat(10_000)}`;
    const page = { items: [1], nextCursor: cursor };
    const { warnings } = await collectPages(inOrder(page, page, page));
    expect(warnings[0]?.message.length).toBeLessThan(250);
    expect(warnings[0]?.message).not.toMatch(/\p{Control}/u);
  });

  it("is recognised although its items refuse JSON.stringify", async () => {
    const cyclic: Record<string, unknown> = { name: "c" };
    cyclic["self"] = cyclic;
    const page = { items: [cyclic, { big: 1n }], nextCursor: "x" };
    const { items, warnings } = await collectPages(inOrder(page, page, page));
    expect(items).toEqual([cyclic, { big: 1n }]);
    expect(warnings).toHaveLength(1);
  });
});

describe("the limits of a walk", () => {
  const endless = (): ((cursor: string | undefined) => Promise<Page>) => {
    let page = 0;
    return async () => {
      page += 1;
      return { items: [page], nextCursor: String(page) };
    };
  };

  it.each<[keyof PageLimits, PageLimits, string]>([
    ["maxPages", { maxPages: 3 }, "the list does not end within maxPages (3)"],
    ["maxItems", { maxItems: 3 }, "the list does not end within maxItems (3)"],
    ["maxBytes", { maxBytes: 100 }, "the list does not end within maxBytes (100)"],
  ])("make passing %s an error, never a shorter list", async (_, limits, message) => {
    const error = await failure(collectPages(endless(), limits));
    expect(error).toBeInstanceOf(MCPParseError);
    expect(error).toMatchObject({ code: "limit", message });
  });

  it("let a list end exactly there", async () => {
    const pages = (): ((cursor: string | undefined) => Promise<Page>) =>
      inOrder({ items: ["é"], nextCursor: "b" }, { items: ["é"] });
    const bytes = '["b",["é"]]'.length + 1 + '[null,["é"]]'.length + 1;
    const limits = { maxPages: 2, maxItems: 2, maxBytes: bytes };
    expect((await collectPages(pages(), limits)).items).toEqual(["é", "é"]);
    for (const key of ["maxPages", "maxItems", "maxBytes"] as const) {
      const tighter = { ...limits, [key]: limits[key] - 1 };
      expect(await failure(collectPages(pages(), tighter))).toMatchObject({ code: "limit" });
    }
  });

  it("are 1,000 pages by default", async () => {
    let asked = 0;
    const pages = endless();
    const counted = async (cursor: string | undefined): Promise<Page> => {
      asked += 1;
      return pages(cursor);
    };
    expect(await failure(collectPages(counted))).toMatchObject({
      code: "limit",
      message: "the list does not end within maxPages (1000)",
    });
    expect(asked).toBe(1_000);
  });

  it("are 20,000 items by default", async () => {
    const items = Array.from({ length: 20_000 }, (_, index) => index);
    expect((await collectPages(inOrder({ items }))).items).toHaveLength(20_000);
    expect(await failure(collectPages(inOrder({ items: [...items, 0] })))).toMatchObject({
      message: "the list does not end within maxItems (20000)",
    });
  });

  it("are 64 MiB by default, over all pages together", async () => {
    const third = "x".repeat(22 * 1024 * 1024);
    const two = inOrder({ items: [third], nextCursor: "b" }, { items: [third, "b"] });
    expect((await collectPages(two)).items).toHaveLength(3);
    const three = inOrder(
      { items: [third], nextCursor: "b" },
      { items: [third, "b"], nextCursor: "c" },
      { items: [third, "c"] },
    );
    expect(await failure(collectPages(three))).toMatchObject({
      message: `the list does not end within maxBytes (${64 * 1024 * 1024})`,
    });
  });

  it("can be lifted with Infinity", async () => {
    const items = Array.from({ length: 30_000 }, (_, index) => index);
    const limits = { maxItems: Number.POSITIVE_INFINITY };
    expect((await collectPages(inOrder({ items }), limits)).items).toHaveLength(30_000);
  });

  it.each([
    ["maxPages", 0],
    ["maxPages", -1],
    ["maxItems", 1.5],
    ["maxItems", Number.NaN],
    ["maxBytes", Number.NEGATIVE_INFINITY],
    ["maxBytes", "64" as unknown as number],
    ["maxPages", null as unknown as number],
  ])("refuse %s: %j before anything is fetched", async (key, value) => {
    const fetchPage = (): Promise<Page> => expect.unreachable("fetched");
    expect(await failure(collectPages(fetchPage, { [key]: value }))).toMatchObject({
      code: "config",
      path: `/${key}`,
      message: `${key} must be a positive integer or Infinity, got ${value}`,
    });
  });

  it("count the whole of an item that refuses JSON.stringify, in bounded time", async () => {
    const wide = Array.from({ length: 210_000 }, () => 1n);
    expect(await failure(collectPages(inOrder({ items: [wide] })))).toMatchObject({
      code: "limit",
    });
  });
});

it("promises its types", () => {
  expectTypeOf(readPage).parameter(0).toBeUnknown();
  expectTypeOf(readPage).returns.toEqualTypeOf<Page>();
  // A page of mcp-transport fits as it is.
  expectTypeOf<{
    readonly items: readonly unknown[];
    readonly nextCursor?: string;
    readonly ttlMs?: number;
  }>().toExtend<Page>();
});
