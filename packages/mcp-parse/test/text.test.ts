import { describe, expect, expectTypeOf, it } from "vitest";
import { contentToText, type JsonObject, readContent } from "../src/index.ts";

function text(value: string): JsonObject {
  return { type: "text", text: value };
}

describe("content as text", () => {
  it.each([
    ["nothing", [], ""],
    ["missing", undefined, ""],
    ["null", null, ""],
    ["one text", [text("a")], "a"],
    ["an empty text", [text("")], ""],
    ["texts by lines", [text("a"), text("b\n"), text("c")], "a\nb\n\nc"],
    ["the text null", [text("null")], "null"],
    ["a plain string", "a", "a"],
    ["one block", text("a"), "a"],
    ["strings among blocks", ["a", text("b")], "a\nb"],
  ])("is %s", (_, content, expected) => {
    expect(contentToText(content)).toBe(expected);
  });

  it.each([
    [{ type: "image", data: "AAEC", mimeType: "image/bmp" }, "[image: image/bmp, 3 bytes]"],
    [{ type: "image", data: "AAECAw==", mimeType: "image/bmp" }, "[image: image/bmp, 4 bytes]"],
    [{ type: "audio", data: "UklGRg==", mimeType: "audio/wav" }, "[audio: audio/wav, 4 bytes]"],
    [{ type: "audio", data: "UklGRgA=" }, "[audio: application/octet-stream, 5 bytes]"],
    [{ type: "image", data: "??", mimeType: "image/png" }, "[image: its data is not base64]"],
    [
      { type: "resource", resource: { uri: "v:k", blob: "/wD+AYA=" } },
      "[resource: v:k, application/octet-stream, 5 bytes]",
    ],
    [
      { type: "resource", resource: { uri: "v:k", blob: "aGVsbG8=", mimeType: "text/plain" } },
      "[resource: v:k, text/plain, 5 bytes]",
    ],
    [
      { type: "resource", resource: { uri: "v:k", blob: "~", mimeType: "a/b" } },
      "[resource: v:k, text/plain]\n[blob: its data is not base64]",
    ],
  ])("shows the data of %j by its type and size", (block, expected) => {
    expect(contentToText([block])).toBe(expected);
  });

  it.each([
    [
      { uri: "repo://a/notes.md", mimeType: "text/markdown", text: "# Notes\nkeep me" },
      "[resource: repo://a/notes.md, text/markdown]\n# Notes\nkeep me",
    ],
    [{ uri: "a:b", text: "t" }, "[resource: a:b]\nt"],
    [{ uri: "a:b", text: "" }, "[resource: a:b]\n"],
    [{ uri: "a:b", text: "t", blob: "AAEC" }, "[resource: a:b]\nt"],
  ])("shows the text of the resource %j under its uri", (resource, expected) => {
    expect(contentToText([{ type: "resource", resource }])).toBe(expected);
  });

  it.each([
    [{ uri: "file:///a" }, "[resource link: file:///a]"],
    [{ uri: "file:///a", name: "a.txt" }, "[resource link: file:///a, a.txt]"],
    [{ uri: "file:///a", name: "file:///a" }, "[resource link: file:///a]"],
    [
      {
        uri: "file:///a",
        name: "a.txt",
        title: "The A",
        description: "All about A.",
        mimeType: "text/plain",
        size: 120,
      },
      "[resource link: file:///a, The A, a.txt, text/plain, 120 bytes] All about A.",
    ],
    [{ uri: "u", name: 5, size: "big", description: "" }, "[resource link: u]"],
  ])("reads the link %j out", (link, expected) => {
    expect(contentToText([{ type: "resource_link", ...link }])).toBe(expected);
  });

  it.each([
    [{ type: "json", json: { doi: "10.1/x" } }, '{"type":"json","json":{"doi":"10.1/x"}}'],
    [{ type: "text", text: 42 }, '{"type":"text","text":42}'],
    [{ type: "resource_link", name: "n" }, '{"type":"resource_link","name":"n"}'],
    [null, '{"type":"unknown","value":null}'],
    [{ text: "no type" }, '{"type":"unknown","value":{"text":"no type"}}'],
  ])("shows %j, which it does not know, as JSON", (block, expected) => {
    expect(contentToText([text("hits: 1"), block])).toBe(`hits: 1\n${expected}`);
  });

  it("is the same for content that was read before", () => {
    const content = [
      { type: "image", data: "data:image/png;base64,iVBORw0KGgo=" },
      null,
      text("t"),
      { type: "resource", resource: { uri: "a:b", blob: "AAEC" } },
    ];
    expect(contentToText(readContent(content).content)).toBe(contentToText(content));
  });
});

describe("structuredContent beside the text", () => {
  const shown = (content: unknown, structuredContent: unknown): string =>
    contentToText(content, { structuredContent });

  it.each<[string, string, unknown]>([
    ["the text is its JSON", '{"total":3}', { total: 3 }],
    ["the text is its JSON in another order", '{"b":1,"a":[true]}', { a: [true], b: 1 }],
    ["the text is its JSON, spread out", '{\n  "a": [\n    1,\n    2\n  ]\n}', { a: [1, 2] }],
    ["the JSON text holds more", '{"a":1,"b":2}', { a: 1 }],
    [
      "the text is its one value",
      'file\nbody with "quotes"',
      { content: 'file\nbody with "quotes"' },
    ],
    ["the text is a list of it", "[1,2]", { result: [1, 2] }],
    [
      "words name it",
      "Temperature: 22.5, Partly cloudy, humidity 65",
      { t: 22.5, c: "Partly cloudy", h: 65 },
    ],
    ["a negative number stands there", "it is -5 outside", { t: -5 }],
    ["the number ends a sentence", "You have 3.", { n: 3 }],
    ["a flag stands there", "open: true", { open: true }],
    ["nothing of it says anything", "ok", { note: null, name: "" }],
    ["it is empty", "ok", {}],
    ["it is an empty list", "ok", []],
    ["it is a scalar of the text", "42", 42],
    ["it is a string of the text", "done", "done"],
  ])("is left out when %s", (_, words, structuredContent) => {
    expect(shown([text(words)], structuredContent)).toBe(words);
  });

  it.each<[string, string, unknown]>([
    ["the text is a summary", "2 berths found.", { berths: [{ no: 14 }, { no: 15 }] }],
    ["a number only looks like one in the text", "took 13 ms", { n: 3 }],
    ["a number is the beginning of another", "3.5 km", { n: 3 }],
    ["a number is the beginning of a thousand", "3,500 km", { n: 3 }],
    ["a number is the end of another", "1.5 km", { n: 5 }],
    ["a number is negative in the text", "-5", { n: 5 }],
    ["a number is part of a word", "h264", { n: 264 }],
    ["a string is part of a word", "another", { s: "not" }],
    ["a string is in other words", "Done", { s: "done" }],
    ["a flag occurs less often than it should", "ok: true", { a: true, b: true }],
    ["a number occurs less often than it should", "3 of them", { a: 3, b: 3 }],
    ["one of many values is missing", '{"a":1}', { a: 1, b: 2 }],
    ["a number stands as a string in the JSON text", '{"a":"1"}', { a: 1, b: 2 }],
  ])("is added when %s", (_, words, structuredContent) => {
    expect(shown([text(words)], structuredContent)).toBe(
      `${words}\n${JSON.stringify(structuredContent)}`,
    );
  });

  it.each([
    ["no blocks", []],
    ["an empty text", [text("")]],
    ["missing content", undefined],
  ])("is all there is with %s", (_, content) => {
    expect(shown(content, { a: 1 })).toBe('{"a":1}');
    expect(shown(content, {})).toBe("{}");
    expect(shown(content, false)).toBe("false");
  });

  it.each([null, undefined])("counts as absent when it is %s", (structuredContent) => {
    expect(shown([], structuredContent)).toBe("");
    expect(shown([text("t")], structuredContent)).toBe("t");
  });

  it("may be told by several blocks together", () => {
    const content = [text('{"a":1}'), text("b is 2"), { type: "json", json: 3 }];
    expect(shown(content, { a: 1, b: 2, c: 3 })).toBe(contentToText(content));
  });

  it("is found in a text of the same length as itself, whatever the two are", () => {
    // The worst case of a search that goes back: all letters match but the first.
    const structured = { x: `b${"a".repeat(1_000_000)}` };
    const start = performance.now();
    const result = shown([text("a".repeat(2_000_000))], structured);
    expect(result.endsWith(JSON.stringify(structured))).toBe(true);
    expect(performance.now() - start).toBeLessThan(8_000);
  });

  it("is compared in bounded time when it has many values", () => {
    const values = Array.from({ length: 100_000 }, (_, index) => `value ${index}`);
    const start = performance.now();
    const summary = shown([text("many values")], { values });
    expect(summary).toContain('"value 99999"');
    const full = JSON.stringify({ values }, undefined, 1);
    expect(shown([text(full)], { values })).toBe(full);
    expect(performance.now() - start).toBeLessThan(8_000);
  });

  it("is compared in bounded time when the words name all of many values", () => {
    const values = Array.from({ length: 20_000 }, (_, index) => `value ${index}`);
    const words = values.join("\n");
    const start = performance.now();
    expect(shown([text(words)], { values })).toBe(`${words}\n${JSON.stringify({ values })}`);
    expect(performance.now() - start).toBeLessThan(8_000);
  });

  it("is added without being compared when it is too large for that", () => {
    const numbers = Array.from({ length: 210_000 }, () => 1);
    const json = JSON.stringify(numbers);
    expect(shown([text(json)], numbers)).toBe(`${json}\n${json}`);
  });

  it.each([
    ["cyclic", (value: JsonObject) => Object.assign(value, { self: value }), '"[circular]"'],
    [
      "throwing",
      (value: JsonObject) =>
        Object.defineProperty(value, "trap", {
          enumerable: true,
          get: () => {
            throw new Error("boom");
          },
        }),
      '"[unreadable]"',
    ],
  ])("is shown with a mark where it is %s", (_, spoil, mark) => {
    const value: JsonObject = { a: 1 };
    spoil(value);
    expect(shown([text("t")], value)).toBe(`t\n{"a":1,"${Object.keys(value)[1]}":${mark}}`);
  });

  it("may be 10,000 levels deep", () => {
    let deep: unknown = "bottom";
    for (let level = 0; level < 10_000; level += 1) deep = level % 2 === 0 ? [deep] : { deep };
    expect(shown([text("the bottom is here")], deep)).toBe("the bottom is here");
    expect(shown([text("x")], deep)).toContain('"bottom"');
  });
});

describe("blocks that JSON.stringify refuses", () => {
  it("are shown with a mark at the spot that is cyclic", () => {
    const block: JsonObject = { type: "graph", nodes: [1, { leaf: null }] };
    block["self"] = block;
    expect(contentToText([block])).toBe(
      '{"type":"graph","nodes":[1,{"leaf":null}],"self":"[circular]"}',
    );
  });

  it("show what is shared but not cyclic as often as it occurs", () => {
    const shared = { a: 1n };
    expect(contentToText([{ type: "graph", x: shared, y: [shared] }])).toBe(
      '{"type":"graph","x":{"a":1},"y":[{"a":1}]}',
    );
  });

  it("are shown whole when they are 10,000 levels deep", () => {
    let deep: unknown = "bottom";
    for (let level = 0; level < 10_000; level += 1) deep = { deep };
    const shown = contentToText([{ type: "tree", deep }]);
    expect(shown.startsWith('{"type":"tree","deep":{"deep":')).toBe(true);
    expect(shown).toContain('"bottom"');
    expect(shown).toHaveLength('{"type":"tree","deep":}'.length + 10_000 * '{"deep":}'.length + 8);
  });

  it("are shown with a mark at the property that throws", () => {
    const block = Object.defineProperty({ type: "odd", a: 1 }, "b", {
      enumerable: true,
      get: () => {
        throw new Error("boom");
      },
    });
    expect(contentToText([block])).toBe('{"type":"odd","a":1,"b":"[unreadable]"}');
  });

  it("are shown with a mark where a proxy refuses", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(contentToText([{ type: "odd", proxy }])).toBe('{"type":"odd","proxy":"[unreadable]"}');
  });

  it("are cut where they never end", () => {
    const endless = (): object => ({
      get next() {
        return endless();
      },
    });
    const shown = contentToText([{ type: "odd", endless: endless() }]);
    expect(shown.startsWith('{"type":"odd","endless":{"next":{"next":')).toBe(true);
    expect(shown).toContain('"[cut]"');
    expect(shown.length).toBeLessThan(20_000_000);
  });

  it("leave out what JSON has no word for", () => {
    const block = { type: "odd", f: () => 1, u: undefined, s: Symbol("s"), n: Number.NaN, big: 1n };
    expect(contentToText([block])).toBe(
      '{"type":"odd","f":null,"u":null,"s":null,"n":null,"big":1}',
    );
  });

  it("cannot change between reading and showing into something that throws", () => {
    let reads = 0;
    const block = new Proxy(
      { type: "text", text: "t" },
      {
        get(target, key) {
          reads += 1;
          if (reads > 2) throw new Error("boom");
          return Reflect.get(target, key);
        },
      },
    );
    expect(contentToText([block, { type: "text", text: "next" }])).toMatch(/\nnext$/);
  });
});

it("promises its types", () => {
  expectTypeOf(contentToText).parameter(0).toBeUnknown();
  expectTypeOf(contentToText).returns.toBeString();
});
