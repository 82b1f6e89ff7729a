import { readFileSync } from "node:fs";
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  type CallResult,
  contentToText,
  errorText,
  isKnownBlock,
  type JsonObject,
  MCPParseError,
  readCallResult,
} from "../src/index.ts";

interface Case {
  readonly id: string;
  readonly toolResult: JsonObject;
  readonly check: {
    readonly isError: boolean;
    readonly modelTextIncludes?: readonly string[];
    readonly modelTextExcludes?: readonly string[];
    readonly inOrder?: boolean;
    readonly parts?: readonly string[];
    readonly structured?: unknown;
    readonly neverIncludes?: readonly string[];
    readonly textExcludesBase64?: boolean;
    readonly outputDefined?: boolean;
    readonly messageNonEmpty?: boolean;
  };
}

const cases = JSON.parse(
  readFileSync(new URL("fixtures/results.json", import.meta.url), "utf8"),
) as readonly Case[];

function caseOf(id: string): JsonObject {
  const found = cases.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no case ${id}`);
  return found.toolResult;
}

/** What a model sees. */
function modelText(result: CallResult): string {
  return result.isError ? errorText(result) : contentToText(result.content, result);
}

function text(value: string): JsonObject {
  return { type: "text", text: value };
}

function codes(result: CallResult): string[] {
  return result.warnings.map(({ code, path }) => `${code} ${path}`);
}

describe("the results that broke other bridges", () => {
  it("are all here", () => {
    expect(cases).toHaveLength(15);
  });

  it.each(cases)("$id: failure or not, and what the model reads", ({ toolResult, check }) => {
    const result = readCallResult(toolResult);
    const shown = modelText(result);
    expect(result.isError).toBe(check.isError);
    expect(shown).toBeTypeOf("string");
    const wanted = check.modelTextIncludes ?? [];
    for (const part of wanted) expect(shown).toContain(part);
    for (const part of check.modelTextExcludes ?? []) expect(shown).not.toContain(part);
    if (check.inOrder === true) {
      const positions = wanted.map((part) => shown.indexOf(part));
      expect(positions).toEqual([...positions].sort((a, b) => a - b));
    }
    if (check.messageNonEmpty === true) expect(shown.trim()).not.toBe("");
  });

  it.each(cases)("$id: what a program gets", ({ toolResult, check }) => {
    const before = JSON.stringify(toolResult);
    const result = readCallResult(toolResult);
    const everything = JSON.stringify([result.content, modelText(result)]);
    const { parts, structured, neverIncludes = [], textExcludesBase64 } = check;
    if (parts !== undefined) expect(result.content.map(({ type }) => type)).toEqual(parts);
    if (structured !== undefined) expect(result.structuredContent).toEqual(structured);
    for (const part of neverIncludes) expect(everything).not.toContain(part);
    if (textExcludesBase64 === true) expect(modelText(result)).not.toContain("iVBORw0KGgo");
    expect(result.raw).toBe(toolResult);
    expect(JSON.stringify(toolResult)).toBe(before);
  });

  it("keep the summary and add the data to it (case 01)", () => {
    const result = readCallResult(caseOf("result-01-summary-plus-data"));
    expect(modelText(result)).toBe(
      '2 berths found.\n{"berths":[{"no":14,"free":true},{"no":15,"free":false}]}',
    );
  });

  it("keep code and hint of a failure beside its text (case 02)", () => {
    const result = readCallResult(caseOf("result-02-error-with-structured"));
    expect(errorText(result)).toBe('ledger is locked\n{"code":"LOCKED","retryAfter":30}');
    expect(result.structuredContent).toEqual({ code: "LOCKED", retryAfter: 30 });
  });

  it("hand on an image exactly as given (case 06)", () => {
    const given = caseOf("result-06-image-and-text");
    const { content, warnings } = readCallResult(given);
    expect(content).toEqual(given["content"]);
    expect(warnings).toEqual([]);
  });

  it("take the data: prefix off an image (case 07)", () => {
    const [image] = readCallResult(caseOf("result-07-data-uri")).content;
    expect(image).toMatchObject({ type: "image", mimeType: "image/png" });
    expect(image?.["data"]).toMatch(/^iVBORw0KGgo/);
  });

  it("name a blob by uri and size and never decode it (case 08)", () => {
    const result = readCallResult(caseOf("result-08-blob-no-mime"));
    expect(modelText(result)).toBe(
      "[resource: vault:///k.bin, application/octet-stream, 5 bytes]\ndone",
    );
  });

  it("correct the type of an image to what its bytes say, bytes unchanged (case 14)", () => {
    const given = caseOf("result-14-mime-mismatch");
    const result = readCallResult(given);
    const [webp, jpeg] = given["content"] as JsonObject[];
    expect(result.content).toEqual([
      { ...webp, mimeType: "image/webp" },
      { ...jpeg, mimeType: "image/jpeg" },
    ]);
    expect(codes(result)).toEqual(["mime_corrected /content/0/mimeType"]);
  });
});

describe("a result without content", () => {
  it.each([
    ["missing", {}],
    ["undefined", { content: undefined }],
    ["null", { content: null }],
  ])("shows its structuredContent as JSON when content is %s", (_, rest) => {
    const result = readCallResult({ ...rest, structuredContent: { sku: "Q-9" } });
    expect(result.content).toEqual([text('{"sku":"Q-9"}')]);
    expect(result.structuredContent).toEqual({ sku: "Q-9" });
    expect(modelText(result)).toBe('{"sku":"Q-9"}');
    expect(codes(result)).toEqual(["content_missing /content"]);
  });

  it("shows the keys it does have, without the envelope", () => {
    const result = readCallResult({
      isError: false,
      _meta: { trace: 1 },
      resultType: "complete",
      rows: [1, 2],
      note: "n",
    });
    expect(result.content).toEqual([text('{"rows":[1,2],"note":"n"}')]);
    expect(codes(result)).toEqual(["content_missing /content"]);
  });

  it("shows own keys that are special to objects", () => {
    const result = readCallResult(JSON.parse('{"__proto__":{"admin":true},"constructor":1}'));
    expect(result.content).toEqual([text('{"__proto__":{"admin":true},"constructor":1}')]);
    expect(({} as JsonObject)["admin"]).toBeUndefined();
  });

  it("is an empty success when there is nothing at all", () => {
    const result = readCallResult({});
    expect(result).toMatchObject({ isError: false, content: [] });
    expect(modelText(result)).toBe("");
    expect(codes(result)).toEqual(["content_missing /content"]);
  });

  it("is an empty success without a word when it says so", () => {
    expect(readCallResult({ content: [] })).toEqual({
      isError: false,
      content: [],
      raw: { content: [] },
      warnings: [],
    });
  });
});

describe("the old toolResult wrapper", () => {
  it.each([
    ["content", { content: [text("zone purged")] }, "zone purged"],
    ["a string", "zone purged", "zone purged"],
    ["an empty string", "", ""],
    ["a number", 3, "3"],
    ["false", false, "false"],
    ["a list", [{ zone: "z" }], '[{"zone":"z"}]'],
    ["data", { zone: "z" }, '{"zone":"z"}'],
    ["structuredContent", { structuredContent: { zone: "z" } }, '{"zone":"z"}'],
  ])("is taken off %s", (_, toolResult, shown) => {
    const result = readCallResult({ toolResult });
    expect(modelText(result)).toBe(shown);
    expect(result.raw).toEqual({ toolResult });
    expect(codes(result)[0]).toBe("legacy_wrapper /toolResult");
  });

  it("is taken off although an SDK put empty content beside it", () => {
    const result = readCallResult({ content: [], toolResult: { content: [text("ok")] } });
    expect(modelText(result)).toBe("ok");
  });

  it("is no wrapper beside real content", () => {
    const result = readCallResult({
      content: [text("answer")],
      toolResult: { content: [text("x")] },
    });
    expect(result.content).toEqual([text("answer")]);
    expect(result.warnings).toEqual([]);
  });

  it.each([null, undefined])("is no wrapper when it is %s", (toolResult) => {
    expect(readCallResult({ content: [], toolResult })).toMatchObject({
      content: [],
      warnings: [],
    });
  });

  it.each([
    ["inside", { toolResult: { isError: true, content: [text("no")] } }],
    ["outside", { isError: true, toolResult: { content: [text("no")] } }],
  ])("keeps the failure that stands %s", (_, value) => {
    expect(readCallResult(value).isError).toBe(true);
  });

  it("keeps structuredContent that stands outside", () => {
    const result = readCallResult({ toolResult: { content: [text("t")] }, structuredContent: [1] });
    expect(result.structuredContent).toEqual([1]);
  });

  it("is taken off once: what is inside twice is data", () => {
    let value: unknown = "core";
    for (let depth = 0; depth < 10_000; depth += 1) value = { toolResult: value };
    const shown = modelText(readCallResult(value));
    expect(shown.startsWith('{"toolResult":{"toolResult":')).toBe(true);
    expect(shown).toContain('"core"');
  });

  it("points its warnings into the wrapper", () => {
    const result = readCallResult({ toolResult: { content: [{ type: "text" }] } });
    expect(codes(result)).toEqual([
      "legacy_wrapper /toolResult",
      "invalid_block /toolResult/content/0",
    ]);
  });
});

describe("isError", () => {
  it.each<[unknown, boolean, string[]]>([
    [true, true, []],
    [false, false, []],
    [undefined, false, []],
    [null, false, []],
    ["true", true, ["invalid_field /isError"]],
    ["false", false, ["invalid_field /isError"]],
    ["", false, ["invalid_field /isError"]],
    [1, true, ["invalid_field /isError"]],
    [0, false, ["invalid_field /isError"]],
    [{}, false, ["invalid_field /isError"]],
  ])("%j counts as %s", (isError, expected, warned) => {
    const result = readCallResult({ content: [], isError });
    expect(result.isError).toBe(expected);
    expect(codes(result)).toEqual(warned);
  });
});

describe("structuredContent", () => {
  it.each([
    ["an object", { a: 1 }],
    ["an empty object", {}],
    ["a list", [1]],
    ["a string", "s"],
    ["an empty string", ""],
    ["zero", 0],
    ["false", false],
  ])("may be %s", (_, structuredContent) => {
    expect(readCallResult({ content: [], structuredContent }).structuredContent).toEqual(
      structuredContent,
    );
  });

  it.each([null, undefined])("is absent when it is %s", (structuredContent) => {
    const result = readCallResult({ content: [text("t")], structuredContent });
    expect(Object.hasOwn(result, "structuredContent")).toBe(false);
    expect(modelText(result)).toBe("t");
  });

  it("is handed on by reference", () => {
    const structuredContent = { deep: { list: [1] } };
    expect(readCallResult({ content: [], structuredContent }).structuredContent).toBe(
      structuredContent,
    );
  });
});

describe("the text of a failure", () => {
  it.each([
    ["no content", { content: [] }],
    ["missing content", {}],
    ["an empty text", { content: [text("")] }],
    ["white space", { content: [text(" \n\t")] }],
    ["several empty texts", { content: [text(""), text("")] }],
  ])("is never empty: %s", (_, rest) => {
    expect(errorText(readCallResult({ isError: true, ...rest }))).toBe("the server gave no reason");
  });

  it("is the data where there are no words", () => {
    const result = readCallResult({ isError: true, content: [], structuredContent: { code: 7 } });
    expect(errorText(result)).toBe('{"code":7}');
  });

  it("is every block", () => {
    const result = readCallResult({ isError: true, content: [text("a"), text("b")] });
    expect(errorText(result)).toBe("a\nb");
  });
});

describe("an answer that is no result", () => {
  it.each([
    [undefined, "undefined"],
    [null, "null"],
    ["done", "string"],
    [5, "number"],
    [true, "boolean"],
    [[text("a")], "an array"],
  ])("%j is a coded error", (value, kind) => {
    expect(() => readCallResult(value)).toThrowError(
      expect.objectContaining({
        name: "MCPParseError",
        code: "invalid_result",
        path: "",
        message: `the result of a call must be an object, got ${kind}`,
      }),
    );
  });

  it("a result that throws when read is a coded error with the cause", () => {
    const cause = new TypeError("boom");
    const hostile = Object.defineProperty({}, "isError", {
      get: () => {
        throw cause;
      },
    });
    expect(() => readCallResult(hostile)).toThrowError(MCPParseError);
    expect(() => readCallResult(hostile)).toThrowError(
      expect.objectContaining({ code: "unreadable", cause }),
    );
  });
});

it("promises its types", () => {
  expectTypeOf(readCallResult).parameter(0).toBeUnknown();
  expectTypeOf<CallResult["raw"]>().toEqualTypeOf<JsonObject>();
  expectTypeOf<CallResult["structuredContent"]>().toBeUnknown();
  const [block] = readCallResult({ content: [] }).content;
  if (block !== undefined && isKnownBlock(block) && block.type === "image") {
    expectTypeOf(block.data).toEqualTypeOf<string>();
  }
});
