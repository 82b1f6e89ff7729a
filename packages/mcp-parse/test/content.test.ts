import { describe, expect, expectTypeOf, it } from "vitest";
import { type ContentBlock, isKnownBlock, type KnownBlock, readContent } from "../src/index.ts";

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const jpeg = "/9j/4AAQSkZJRgABAQAAAQABAAD/2Q==";
const gif = "R0lGODlhAQABAAAAACwAAAAAAQABAAA=";
const oldGif = "R0lGODdhAQABAAAAACwAAAAAAQABAAA=";
const webp = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==";
const wav = "UklGRiQAAABXQVZFZm10IBAAAAA=";

function only(item: unknown): { block: ContentBlock; warned: string[] } {
  const { content, warnings } = readContent([item]);
  const [block] = content;
  if (block === undefined || content.length !== 1) throw new Error("not one block");
  return { block, warned: warnings.map(({ code, path }) => `${code} ${path}`) };
}

function throwing(key: string): object {
  return Object.defineProperty({ type: "text", text: "t" }, key, {
    enumerable: true,
    get: () => {
      throw new Error("boom");
    },
  });
}

describe("content", () => {
  it.each([undefined, null, []])("%j is an empty list", (content) => {
    expect(readContent(content)).toEqual({ content: [], warnings: [] });
  });

  it("keeps sound blocks by reference, in order", () => {
    const blocks = [
      { type: "text", text: "a", annotations: { audience: ["user"] } },
      { type: "image", data: png, mimeType: "image/png", _meta: { k: 1 } },
      { type: "audio", data: wav, mimeType: "audio/wav" },
      { type: "resource_link", uri: "file:///a", name: "a" },
      { type: "text", text: "" },
    ];
    const { content, warnings } = readContent(blocks);
    expect(warnings).toEqual([]);
    expect(content).toHaveLength(blocks.length);
    for (const [index, block] of blocks.entries()) expect(content[index]).toBe(block);
  });

  it.each([
    { type: "json", json: { doi: "10.1/x" } },
    { type: "video", data: "AAAA", mimeType: "video/mp4" },
    { type: "tool_use", id: "x" },
    { type: "", odd: true },
    { type: "__proto__" },
    { type: "TEXT", text: "types are case-sensitive" },
  ])("hands on %j, whose type it does not know, untouched and without a warning", (block) => {
    const { block: read, warned } = only(block);
    expect(read).toBe(block);
    expect(warned).toEqual([]);
    expect(isKnownBlock(read)).toBe(false);
  });

  it.each([
    ["a string", "hello", [{ type: "text", text: "hello" }], "string"],
    ["one block", { type: "text", text: "a" }, [{ type: "text", text: "a" }], "object"],
    ["a number", 5, [{ type: "unknown", value: 5 }], "number"],
    ["false", false, [{ type: "unknown", value: false }], "boolean"],
  ])("that is %s instead of a list counts as one block", (_, content, blocks, kind) => {
    const read = readContent(content);
    expect(read.content).toEqual(blocks);
    expect(read.warnings[0]).toEqual({
      code: "invalid_content",
      message: `content must be an array, got ${kind}; it is read as one block`,
      path: "/content",
    });
  });

  it.each([
    ["string", "plain", { type: "text", text: "plain" }],
    ["null", null, { type: "unknown", value: null }],
    ["undefined", undefined, { type: "unknown", value: undefined }],
    ["number", 0, { type: "unknown", value: 0 }],
    ["an array", [1], { type: "unknown", value: [1] }],
    ["one without", { text: "a" }, { type: "unknown", value: { text: "a" } }],
    ["one without", { type: 3 }, { type: "unknown", value: { type: 3 } }],
    ["one without", { type: null }, { type: "unknown", value: { type: null } }],
  ])("keeps an item that is no block: %s", (came, item, expected) => {
    const { content, warnings } = readContent([{ type: "text", text: "before" }, item]);
    expect(content).toEqual([{ type: "text", text: "before" }, expected]);
    expect(warnings).toEqual([
      {
        code: "invalid_block",
        message: `a content block must be an object with a type, got ${came}`,
        path: "/content/1",
      },
    ]);
  });

  it.each([
    { type: "text" },
    { type: "text", text: null },
    { type: "text", text: 5 },
    { type: "text", text: ["a"] },
    { type: "image", mimeType: "image/png" },
    { type: "image", data: null, mimeType: "image/png" },
    { type: "audio", data: 5 },
    { type: "resource" },
    { type: "resource", resource: null },
    { type: "resource", resource: "file:///a" },
    { type: "resource_link", name: "no uri" },
    { type: "resource_link", uri: 4 },
  ])("keeps %j, which breaks its own type, as data", (item) => {
    const { block, warned } = only(item);
    expect(block).toBe(item);
    expect(isKnownBlock(block)).toBe(false);
    expect(warned).toEqual(["invalid_block /content/0"]);
  });

  it("loses only the block that throws when read", () => {
    const { content, warnings } = readContent([
      { type: "text", text: "a" },
      throwing("type"),
      throwing("text"),
      { type: "text", text: "z" },
    ]);
    expect(content.map((block) => block["text"])).toEqual([
      "a",
      "[content that cannot be read]",
      "[content that cannot be read]",
      "z",
    ]);
    expect(warnings.map(({ code, path }) => [code, path])).toEqual([
      ["unreadable", "/content/1"],
      ["unreadable", "/content/2"],
    ]);
  });

  it("survives a proxy that refuses everything", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(readContent(proxy).content).toEqual([
      { type: "text", text: "[content that cannot be read]" },
    ]);
    expect(readContent([proxy]).warnings.map(({ code }) => code)).toEqual(["unreadable"]);
  });

  it("changes neither prototypes nor the given blocks", () => {
    const block = JSON.parse(
      `{"type":"image","data":"data:image/png;base64,${png}","__proto__":{"admin":true}}`,
    ) as unknown;
    const before = JSON.stringify(block);
    const { block: read } = only(block);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(Object.hasOwn(read, "__proto__")).toBe(true);
    expect(JSON.stringify(block)).toBe(before);
    expect(({} as Record<string, unknown>)["admin"]).toBeUndefined();
  });

  it("points its warnings to where it stands", () => {
    expect(readContent([1], "/messages/3/content").warnings[0]?.path).toBe("/messages/3/content/0");
  });

  it("takes 100,000 blocks in linear time", () => {
    const blocks = Array.from({ length: 100_000 }, (_, index) => ({
      type: index % 2 === 0 ? "text" : "json",
      text: String(index),
    }));
    const start = performance.now();
    expect(readContent(blocks).content).toHaveLength(100_000);
    expect(performance.now() - start).toBeLessThan(8_000);
  });
});

describe("the data of an image or a sound", () => {
  it.each([
    ["a data: URI", `data:image/png;base64,${png}`, png],
    ["a data: URI in capitals", `DATA:image/png;BASE64,${png}`, png],
    ["a data: URI with parameters", `data:image/png;charset=x;base64,${png}`, png],
    ["line breaks", `${png.slice(0, 76)}\r\n${png.slice(76)}\n`, png],
    ["spaces around it", `  ${png} `, png],
    ["no padding", png.replace(/=+$/, ""), png],
    ["the URL-safe alphabet", jpeg.replaceAll("/", "_").replaceAll("+", "-"), jpeg],
  ])("is repaired from %s, byte for byte", (_, data, bare) => {
    const { block, warned } = only({ type: "image", data, mimeType: "image/png", extra: 1 });
    expect(block["data"]).toBe(bare);
    expect(block["extra"]).toBe(1);
    expect(warned[0]).toBe("media_repaired /content/0/data");
  });

  it.each([
    ["empty", ""],
    ["only padding", "=="],
    ["only white space", " \n"],
    ["text", "not base64!"],
    ["cut inside a group", "AAAAA"],
    ["padded too much", "AAAA===="],
    ["a data: URI that is not base64", "data:image/svg+xml,<svg/>"],
    ["a data: URI of a data: URI", `data:image/png;base64,data:image/png;base64,${png}`],
    ["a file name", "C:\\image.png"],
    ["a url", "https://h.example/image.png"],
  ])("that is none (%s) becomes a text that says so", (_, data) => {
    const { block, warned } = only({ type: "image", data, mimeType: "image/png" });
    expect(block).toEqual({ type: "text", text: "[image: its data is not base64]" });
    expect(warned).toEqual(["media_invalid /content/0/data"]);
  });

  it("that is none is called by its kind", () => {
    const { block } = only({ type: "audio", data: "?", mimeType: "audio/wav" });
    expect(block).toEqual({ type: "text", text: "[audio: its data is not base64]" });
  });

  it("of 8 MB is checked in linear time", () => {
    const data = "A".repeat(8_000_000);
    const start = performance.now();
    expect(only({ type: "audio", data, mimeType: "audio/wav" }).block["data"]).toBe(data);
    expect(only({ type: "image", data: `${data}!`, mimeType: "image/png" }).block.type).toBe(
      "text",
    );
    expect(performance.now() - start).toBeLessThan(8_000);
  });
});

describe("the type of an image", () => {
  it.each([
    [png, "image/png"],
    [jpeg, "image/jpeg"],
    [gif, "image/gif"],
    [oldGif, "image/gif"],
    [webp, "image/webp"],
  ])("%s is what its bytes say", (data, mimeType) => {
    expect(only({ type: "image", data, mimeType })).toEqual({
      block: { type: "image", data, mimeType },
      warned: [],
    });
    const wrong = only({ type: "image", data, mimeType: "image/bmp" });
    expect(wrong.block).toEqual({ type: "image", data, mimeType });
    expect(wrong.warned).toEqual(["mime_corrected /content/0/mimeType"]);
    expect(only({ type: "image", data }).block["mimeType"]).toBe(mimeType);
    expect(only({ type: "image", data, mimeType: 5 }).block["mimeType"]).toBe(mimeType);
  });

  it("is what is declared where the bytes say nothing", () => {
    expect(only({ type: "image", data: "PHN2Zy8+", mimeType: "image/svg+xml" })).toEqual({
      block: { type: "image", data: "PHN2Zy8+", mimeType: "image/svg+xml" },
      warned: [],
    });
  });

  it("is not mistaken for WebP because the bytes begin with RIFF", () => {
    const { block } = only({ type: "image", data: wav, mimeType: "image/x-riff" });
    expect(block["mimeType"]).toBe("image/x-riff");
  });

  it.each([
    ["image/jpg", jpeg, "image/jpeg"],
    ["IMAGE/PNG", png, "image/png"],
    ["image/png; charset=binary", png, "image/png"],
  ])("%s is normalised without a word", (mimeType, data, normal) => {
    expect(only({ type: "image", data, mimeType })).toEqual({
      block: { type: "image", data, mimeType: normal },
      warned: [],
    });
  });

  it("comes from the data: URI when there is no other", () => {
    const svg = only({ type: "image", data: "data:image/svg+xml;base64,PHN2Zy8+" });
    expect(svg.block).toEqual({ type: "image", data: "PHN2Zy8+", mimeType: "image/svg+xml" });
  });

  it("is any bytes when nobody says what it is", () => {
    const { block, warned } = only({ type: "image", data: "AAAA" });
    expect(block["mimeType"]).toBe("application/octet-stream");
    expect(warned).toEqual(["mime_corrected /content/0/mimeType"]);
  });

  it("of a sound is left alone, parameters included", () => {
    const mimeType = "audio/L16;rate=16000";
    expect(only({ type: "audio", data: png, mimeType })).toEqual({
      block: { type: "audio", data: png, mimeType },
      warned: [],
    });
  });
});

describe("an embedded resource", () => {
  const embed = (resource: unknown): { block: ContentBlock; warned: string[] } =>
    only({ type: "resource", resource, annotations: { priority: 1 } });

  it("keeps its fields and the keys beside them", () => {
    const resource = { uri: "repo://a", mimeType: "text/markdown", text: "# N", _meta: {}, odd: 1 };
    expect(embed(resource)).toEqual({
      block: { type: "resource", resource, annotations: { priority: 1 } },
      warned: [],
    });
  });

  it("may be text of no length", () => {
    const { block } = embed({ uri: "a:b", text: "" });
    expect(isKnownBlock(block)).toBe(true);
  });

  it("without a uri is still shown", () => {
    for (const uri of [undefined, null]) {
      const { block, warned } = embed({ uri, text: "t" });
      expect(block["resource"]).toEqual({ uri: "", text: "t" });
      expect(warned).toEqual(["invalid_field /content/0/resource/uri"]);
    }
    const { block, warned } = embed({ uri: 5, text: "t" });
    expect(block["resource"]).toEqual({ uri: "", text: "t" });
    expect(warned).toEqual(["invalid_field /content/0/resource/uri"]);
  });

  it.each([
    ["mimeType", { uri: "a:b", text: "t", mimeType: 4 }],
    ["blob", { uri: "a:b", text: "t", blob: [1, 2] }],
    ["text", { uri: "a:b", text: { t: 1 }, blob: "AAEC" }],
  ])("loses a %s of the wrong type, with a warning", (field, resource) => {
    const { block, warned } = embed(resource);
    expect(block["resource"]).not.toHaveProperty(field);
    expect(warned).toEqual([`invalid_field /content/0/resource/${field}`]);
    expect(isKnownBlock(block)).toBe(true);
  });

  it("reads null as absent", () => {
    expect(embed({ uri: "a:b", text: "t", blob: null, mimeType: null })).toEqual({
      block: {
        type: "resource",
        resource: { uri: "a:b", text: "t" },
        annotations: { priority: 1 },
      },
      warned: [],
    });
  });

  it("has a blob of plain base64", () => {
    const { block, warned } = embed({ uri: "a:b", blob: "data:application/x-k;base64,AAEC" });
    expect(block["resource"]).toEqual({ uri: "a:b", mimeType: "application/x-k", blob: "AAEC" });
    expect(warned).toEqual(["media_repaired /content/0/resource/blob"]);
  });

  it("keeps the declared type over the one of a data: URI", () => {
    const { block } = embed({ uri: "a:b", mimeType: "a/b", blob: "data:c/d;base64,AAEC" });
    expect(block["resource"]).toMatchObject({ mimeType: "a/b" });
  });

  it("with a blob that is not base64 says so, under its uri", () => {
    const { block, warned } = embed({ uri: "a:b", mimeType: "image/png", blob: "\u0000ÿ" });
    expect(block["resource"]).toEqual({
      uri: "a:b",
      mimeType: "text/plain",
      text: "[blob: its data is not base64]",
    });
    expect(warned).toEqual(["media_invalid /content/0/resource/blob"]);
  });

  it("with neither text nor blob is kept as data", () => {
    const { block, warned } = embed({ uri: "a:b", size: 3 });
    expect(block["resource"]).toEqual({ uri: "a:b", size: 3 });
    expect(isKnownBlock(block)).toBe(false);
    expect(warned).toEqual(["invalid_block /content/0"]);
  });
});

it("promises its types", () => {
  expectTypeOf(readContent).parameter(0).toBeUnknown();
  expectTypeOf(readContent).returns.toHaveProperty("content").toEqualTypeOf<ContentBlock[]>();
  const block = only({ type: "text", text: "a" }).block;
  if (isKnownBlock(block)) {
    expectTypeOf(block).toEqualTypeOf<KnownBlock>();
    if (block.type === "resource") expectTypeOf(block.resource.uri).toEqualTypeOf<string>();
  }
  expect(isKnownBlock(block)).toBe(true);
});
