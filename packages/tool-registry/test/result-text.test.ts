import { describe, expect, it } from "vitest";
import {
  type ResultPart,
  resultParts,
  resultText,
  type ToolContent,
  type ToolResult,
  toolFailure,
  toolSuccess,
} from "../src/index.ts";
import resultCases from "./fixtures/result-cases.json" with { type: "json" };
import { thrownBy } from "./sample-tools.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

const of = (content: unknown, structuredContent?: unknown): ToolResult =>
  toolSuccess({
    content: content as ToolContent[],
    ...(structuredContent !== undefined && { structuredContent }),
  });

const text = (value: string): ToolContent => ({ type: "text", text: value });

interface RawResult {
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

/** A server's answer as an adapter hands it on. */
function resultOf(raw: RawResult): ToolResult {
  const { content = [], structuredContent, isError } = raw;
  const parts = { content, ...(structuredContent !== undefined && { structuredContent }) };
  const data = raw as Record<string, unknown>;
  const message = content.map((block) => block.text ?? "").join("\n") || 'the tool "t" failed';
  return isError === true
    ? { ...toolFailure("server_error", `server error: ${message}`, { ...parts, ran: "yes" }), data }
    : { ...toolSuccess(parts), data };
}

interface Check {
  readonly isError: boolean;
  readonly modelTextIncludes?: readonly string[];
  readonly modelTextExcludes?: readonly string[];
  readonly inOrder?: boolean;
  readonly parts?: readonly string[];
  readonly structured?: unknown;
  readonly neverIncludes?: readonly string[];
  readonly textExcludesBase64?: boolean;
  readonly messageNonEmpty?: boolean;
}

function expectShown(shown: string, { modelTextIncludes = [], inOrder = false }: Check): void {
  let from = 0;
  for (const wanted of modelTextIncludes) {
    const at = shown.indexOf(wanted, inOrder ? from : 0);
    expect(at, `${wanted} in ${shown}`).toBeGreaterThanOrEqual(0);
    from = at + 1;
  }
}

function expectHidden(shown: string, parts: unknown, check: Check): void {
  const { modelTextExcludes = [], neverIncludes = [], textExcludesBase64 = false } = check;
  const unwanted = [...modelTextExcludes, "undefined", ...(textExcludesBase64 ? [PNG] : [])];
  for (const text of unwanted) expect(shown).not.toContain(text);
  for (const text of neverIncludes) expect(shown + JSON.stringify(parts)).not.toContain(text);
}

describe("case", () => {
  it.each(resultCases)("$id ($source)", ({ toolResult, check: given }) => {
    const check: Check = given;
    const result = resultOf(toolResult as RawResult);
    const shown = resultText(result);
    const parts = resultParts(result);
    expect(result.success).toBe(!check.isError);
    expectShown(shown, check);
    expectHidden(shown, parts, check);
    expect(parts.map(({ type }) => type)).toEqual(check.parts ?? expect.any(Array));
    expect(result.structuredContent).toEqual(check.structured ?? result.structuredContent);
    if (check.messageNonEmpty) expect(shown).toContain('"t"');
  });

  it("03 and 02: an error shows its message, and its data beside it", () => {
    const error = resultOf({
      isError: true,
      content: [text("ledger is locked") as never],
      structuredContent: { code: "LOCKED", retryAfter: 30 },
    });
    expect(resultText(error)).toBe(
      'Error: server error: ledger is locked\n{"code":"LOCKED","retryAfter":30}',
    );
  });
});

describe("resultParts", () => {
  const cases: [what: string, block: unknown, part: ResultPart, shown: string][] = [
    ["text", text("hi"), { type: "text", text: "hi" }, "hi"],
    ["empty text", text(""), { type: "text", text: "" }, ""],
    [
      "an image",
      { type: "image", data: PNG, mimeType: "image/png" },
      { type: "image", data: PNG, mediaType: "image/png" },
      "[image: image/png, 70 bytes]",
    ],
    [
      "an image in a data URI with line breaks",
      {
        type: "image",
        data: `data:image/png;base64,${PNG.slice(0, 60)}\r\n${PNG.slice(60)}`,
        mimeType: "image/png",
      },
      { type: "image", data: PNG, mediaType: "image/png" },
      "[image: image/png, 70 bytes]",
    ],
    [
      "a WebP that is said to be a PNG",
      {
        type: "image",
        data: "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==",
        mimeType: "image/png",
      },
      {
        type: "image",
        data: "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==",
        mediaType: "image/webp",
      },
      "[image: image/webp, 34 bytes]",
    ],
    [
      "a GIF without a type",
      { type: "image", data: "R0lGODlhAQABAAAAACw=" },
      { type: "image", data: "R0lGODlhAQABAAAAACw=", mediaType: "image/gif" },
      "[image: image/gif, 14 bytes]",
    ],
    [
      "an image/jpg",
      { type: "image", data: "AAAA", mimeType: "image/jpg" },
      { type: "image", data: "AAAA", mediaType: "image/jpeg" },
      "[image: image/jpeg, 3 bytes]",
    ],
    [
      "an image that is no base64",
      { type: "image", data: "a picture!", mimeType: "image/png" },
      { type: "text", text: "[image: its data is not base64]" },
      "[image: its data is not base64]",
    ],
    [
      "an image without data",
      { type: "image", mimeType: "image/png" },
      { type: "text", text: '{"type":"image","mimeType":"image/png"}' },
      '{"type":"image","mimeType":"image/png"}',
    ],
    [
      "audio",
      { type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
      { type: "audio", data: "UklGRg==", mediaType: "audio/wav" },
      "[audio: audio/wav, 4 bytes]",
    ],
    [
      "a resource of text",
      { type: "resource", resource: { uri: "repo://a/notes.md", text: "# Notes" } },
      { type: "text", text: "[resource: repo://a/notes.md]\n# Notes" },
      "[resource: repo://a/notes.md]\n# Notes",
    ],
    [
      "a resource of bytes without a type",
      { type: "resource", resource: { uri: "vault:///k.bin", blob: "/wD+AYA=" } },
      {
        type: "file",
        data: "/wD+AYA=",
        mediaType: "application/octet-stream",
        uri: "vault:///k.bin",
      },
      "[file: vault:///k.bin, application/octet-stream, 5 bytes]",
    ],
    [
      "a resource that is an image",
      { type: "resource", resource: { uri: "x://p", blob: PNG, mimeType: "image/png" } },
      { type: "image", data: PNG, mediaType: "image/png", uri: "x://p" },
      "[image: x://p, image/png, 70 bytes]",
    ],
    [
      "a resource that is a sound",
      { type: "resource", resource: { blob: "AAAA", mimeType: "audio/ogg" } },
      { type: "audio", data: "AAAA", mediaType: "audio/ogg" },
      "[audio: audio/ogg, 3 bytes]",
    ],
    [
      "a resource that is no base64",
      { type: "resource", resource: { uri: "x://p", blob: "!" } },
      { type: "text", text: "[resource: x://p, its data is not base64]" },
      "[resource: x://p, its data is not base64]",
    ],
    [
      "a resource that holds nothing",
      { type: "resource", resource: { uri: "x://p" } },
      { type: "text", text: '{"uri":"x://p"}' },
      '{"uri":"x://p"}',
    ],
    [
      "a link",
      {
        type: "resource_link",
        uri: "x://p",
        name: "p",
        title: "The P",
        description: "All of it.",
        mimeType: "text/plain",
      },
      {
        type: "link",
        uri: "x://p",
        name: "The P",
        description: "All of it.",
        mediaType: "text/plain",
      },
      "[link: The P, x://p, text/plain] All of it.",
    ],
    [
      "a bare link",
      { type: "resource_link", uri: "x://p", name: 5 },
      { type: "link", uri: "x://p" },
      "[link: x://p]",
    ],
    [
      "a block of an unknown type",
      { type: "json", json: { doi: "10.1/x" } },
      { type: "text", text: '{"type":"json","json":{"doi":"10.1/x"}}' },
      '{"type":"json","json":{"doi":"10.1/x"}}',
    ],
    [
      "a block of an unknown type that holds media",
      { type: "video", data: "AAAAIGZ0eXA=", mimeType: "video/mp4" },
      { type: "file", data: "AAAAIGZ0eXA=", mediaType: "video/mp4" },
      "[file: video/mp4, 8 bytes]",
    ],
    [
      "a block whose data is a word",
      { type: "json", data: "hello" },
      { type: "text", text: '{"type":"json","data":"hello"}' },
      '{"type":"json","data":"hello"}',
    ],
    [
      "text that is no text",
      { type: "text", text: 5 },
      { type: "text", text: '{"type":"text","text":5}' },
      '{"type":"text","text":5}',
    ],
    ["a block of no type", { a: 1 }, { type: "text", text: '{"a":1}' }, '{"a":1}'],
    ["null", null, { type: "text", text: "null" }, "null"],
    ["a bare string", "hi", { type: "text", text: '"hi"' }, '"hi"'],
    [
      "a block that throws when read",
      {
        get type(): string {
          throw new Error("trap");
        },
      },
      { type: "text", text: "[content that cannot be read]" },
      "[content that cannot be read]",
    ],
  ];

  it.each(cases)("turns %s into its part, and its text", (_what, block, part, shown) => {
    const result = of([text("before"), block, text("after")]);
    expect(resultParts(result)).toEqual([text("before"), part, text("after")]);
    expect(resultText(result)).toBe(`before\n${shown}\nafter`);
  });

  it("shows no base64 as text, wherever it hides", () => {
    const long = PNG.replace("==", "").repeat(3);
    const uri = `data:image/png;name=x;base64,${PNG}`;
    const shown = resultText(
      of([{ type: "odd", deep: [{ preview: uri, raw: long }] }], { raw: long, uri }),
    );
    expect(shown).not.toContain(PNG.slice(0, 20));
    expect(shown).toContain("[data URI: image/png, 70 bytes]");
    expect(shown).toContain("[base64: ");
  });

  it("leaves long words that are no base64 in the JSON", () => {
    for (const word of ["a".repeat(2_000), "0123456789".repeat(200), `${"Ab1 ".repeat(500)}`]) {
      expect(resultText(of([{ type: "odd", word }]))).toContain(word);
    }
  });

  it("says so where data cannot be JSON", () => {
    const cyclic: Record<string, unknown> = { type: "odd" };
    cyclic["self"] = cyclic;
    expect(resultText(of([cyclic]))).toMatch(/^\[data that cannot be shown as JSON: .*circular/);
    expect(resultText(of([text("x")], 5n))).toContain("BigInt");
    expect(resultText(of([], () => 1))).toBe("null");
  });

  it("has no parts, and the empty text, for a result that says nothing", () => {
    expect(resultParts(of([]))).toEqual([]);
    expect(resultText(of([]))).toBe("");
  });

  it("shows the payload of an answer of another shape", () => {
    const odd: ToolResult = {
      ...of([]),
      data: { toolResult: "zone purged", _meta: {}, isError: false },
    };
    expect(resultText(odd)).toBe('{"toolResult":"zone purged"}');
  });
});

describe("structured content", () => {
  const long = 'line one\nline two: "quoted" äöü '.repeat(100);
  const shownAlready: [what: string, texts: string[], structured: unknown][] = [
    ["the same JSON", ['{"a":1,"b":[true,null]}'], { a: 1, b: [true, null] }],
    ["the same JSON, indented and in another order", ['{\n  "b": 2,\n  "a": 1\n}'], { a: 1, b: 2 }],
    ["the same JSON beside other text", ["Found:", '{"a":{"b":"x"}}'], { a: { b: "x" } }],
    ["a long text as its one value", [long], { content: long }],
    ["values in a sentence", ["Berth 14 is free: true"], { no: 14, free: true }],
    ["a string in a sentence", ["It is called Ada Lovelace."], { name: "Ada Lovelace" }],
    ["a string with a line break, in JSON", ['Result: {"t":"a\\nb","n":1}'], { t: "a\nb", n: 1 }],
    ["a negative fraction", ["-1.5 degrees"], { degrees: -1.5 }],
    ["nothing in it", ["None."], { items: [], more: {} }],
    ["an empty string", ["None."], { note: "" }],
  ];

  it.each(shownAlready)("is not repeated where the text holds %s", (_what, texts, structured) => {
    const result = of(texts.map(text), structured);
    expect(resultText(result)).toBe(texts.join("\n"));
  });

  const notShown: [what: string, texts: string[], structured: unknown][] = [
    ["only a summary", ["2 berths found."], { berths: [{ no: 14, free: true }] }],
    ["a number inside another", ["114 of 1400"], { no: 14 }],
    ["a word inside another", ["cartwheel"], { kind: "cart" }],
    ["a word inside another with umlauts", ["größer"], { kind: "gr" }],
    ["another number's digits", ["3.14"], { no: 14 }],
    ["half of the values", ["a is 1"], { a: 1, b: 2 }],
    ["no word for the flag", ["done"], { ok: true }],
    ["no word for null", ["done"], { owner: null }],
    ["JSON of something else", ['{"a":1}'], { a: 2 }],
    ["half JSON", ['{"a":'], { a: 2 }],
    ["a long text that is longer still", [`${long}!`], { content: long }],
  ];

  it.each(notShown)("is added where the text holds %s", (_what, texts, structured) => {
    const result = of(texts.map(text), structured);
    expect(resultText(result)).toBe([...texts, JSON.stringify(structured)].join("\n"));
    expect(resultParts(result).at(-1)).toEqual({ type: "text", text: JSON.stringify(structured) });
  });

  it("is shown where there is no text, whatever it holds", () => {
    expect(resultText(of([], {}))).toBe("{}");
    expect(resultText(of([], { a: 0 }))).toBe('{"a":0}');
    expect(resultText(of([{ type: "image", data: PNG }], { a: 0 }))).toBe(
      '[image: image/png, 70 bytes]\n{"a":0}',
    );
  });

  it("is looked for in links and resources too, but not in media", () => {
    const link = { type: "resource_link", uri: "x://a", name: "Ada" };
    expect(resultText(of([link], { name: "Ada", uri: "x://a" }))).toBe("[link: Ada, x://a]");
    const image = { type: "image", data: PNG, mimeType: "image/png" };
    expect(resultText(of([text("ok"), image], { bytes: 70 }))).toContain('{"bytes":70}');
  });

  it("costs bounded time to look for", () => {
    const values = Array.from({ length: 100_000 }, (_, i) => `value ${i}`);
    const hostile: [ToolContent[], unknown][] = [
      [[text("a".repeat(1_000_000))], { values }],
      [[text("a".repeat(1_000_000))], { value: `b${"a".repeat(100_000)}` }],
      [
        [text("a ".repeat(500_000))],
        { values: Array.from({ length: 19 }, (_, i) => `b${"a ".repeat(400)}${i}`) },
      ],
      [[text(JSON.stringify(values))], { values }],
    ];
    for (const [content, structured] of hostile) {
      const started = performance.now();
      resultText(of(content, structured));
      expect(performance.now() - started).toBeLessThan(3_000);
    }
  });

  it("that is cyclic is shown as what it is", () => {
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    expect(resultText(of([text("x")], cyclic))).toContain("cannot be shown");
  });
});

describe("an error", () => {
  it("comes first, and what it repeats of the content comes once", () => {
    const failure = toolFailure("server_error", "server error: disk full", {
      content: [text("disk full\n"), text("see the log"), { type: "image", data: "AAAA" }],
    });
    expect(resultParts(failure).map((part) => part.type)).toEqual(["text", "text", "image"]);
    expect(resultText(failure)).toBe(
      "Error: server error: disk full\nsee the log\n[image: application/octet-stream, 3 bytes]",
    );
    expect(resultText(toolFailure("denied", "denied: not approved"))).toBe(
      "Error: denied: not approved",
    );
  });

  it("does not show its data twice", () => {
    const failure = toolFailure("tool_error", "code 7: locked", { structuredContent: { code: 7 } });
    expect(resultText(failure)).toBe("Error: code 7: locked");
  });
});

describe("maxBytes", () => {
  const bytes = (value: string): number => new TextEncoder().encode(value).length;

  it("keeps what fits as it is, to the byte", () => {
    for (const value of ["x".repeat(100), "ü".repeat(50), "\u{1F600}".repeat(25)]) {
      expect(bytes(value)).toBe(100);
      expect(resultText(of([text(value)]), { maxBytes: 100 })).toBe(value);
      expect(resultText(of([text(`${value}x`)]), { maxBytes: 100 })).not.toBe(`${value}x`);
    }
  });

  it("keeps head and tail and says how much is cut between them", () => {
    const value = `HEAD${"-".repeat(10_000)}TAIL`;
    const shown = resultText(of([text(value)]), { maxBytes: 200 });
    expect(shown.startsWith("HEAD---")).toBe(true);
    expect(shown.endsWith("---TAIL")).toBe(true);
    const [, cut] = /\n\[… (\d+) bytes cut …\]\n/.exec(shown) ?? [];
    const kept = shown.replace(/\n\[….*…\]\n/, "");
    expect(Number(cut) + bytes(kept)).toBe(bytes(value));
    expect(bytes(shown)).toBeLessThanOrEqual(200);
    expect(bytes(shown)).toBeGreaterThan(190);
  });

  it("never splits a character, at any length", () => {
    for (const letter of ["x", "ü", "€", "\u{1F600}"]) {
      for (let maxBytes = 64; maxBytes < 84; maxBytes++) {
        const value = `a${letter.repeat(500)}b`;
        const shown = resultText(of([text(value)]), { maxBytes });
        expect(bytes(shown)).toBeLessThanOrEqual(maxBytes);
        expect(shown).not.toContain("\ufffd");
        expect(shown).toMatch(/^a.*\n\[… \d+ bytes cut …\]\n.*b$/u);
        const [, cut] = /(\d+) bytes cut/.exec(shown) ?? [];
        expect(Number(cut) + bytes(shown.replace(/\n\[….*…\]\n/, ""))).toBe(bytes(value));
      }
    }
  });

  it.each([63, 0, -1, 100.5, Number.NaN, Number.POSITIVE_INFINITY, "100"])(
    "refuses %j",
    (maxBytes) => {
      const error = thrownBy(() => resultText(of([]), { maxBytes: maxBytes as number }));
      expect(error).toMatchObject({ code: "invalid_spec", field: "maxBytes" });
    },
  );
});
