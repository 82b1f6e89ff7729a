import { describe, expect, it } from "vitest";
import { fromMCPTool } from "../src/index.ts";
import { handlerResult } from "../src/results.ts";
import { text } from "./fake-client.ts";

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABeim5nwAAAABJRU5ErkJggg==";
const wav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEA";
const image = { type: "image", data: png, mimeType: "image/png" };
const shownImage = { type: "image", image: { url: `data:image/png;base64,${png}` } };

const shown = (answer: unknown, maxTextBytes?: number) =>
  handlerResult(answer, { toolName: "t", maxTextBytes, warn: () => undefined });

const content = (...blocks: unknown[]) => ({ content: blocks });
const resource = (contents: object) => ({ type: "resource", resource: contents });

describe("a result that is text alone is a string", () => {
  it.each([
    ["one text", text("a"), "a"],
    ["several", text("a", "", "b"), "a\n\nb"],
    ["an empty text", text(""), ""],
    ["nothing", text(), "(no content)"],
    ["nothing at all", {}, "(no content)"],
    ["content that is a string", { content: "a" }, "a"],
    ["content that is one block", { content: { type: "text", text: "a" } }, "a"],
    ["the old wrapper", { toolResult: { content: [{ type: "text", text: "a" }] } }, "a"],
    ["the old wrapper of a string", { toolResult: "a" }, "a"],
    ["keys of its own", { rows: [1] }, '{"rows":[1]}'],
    [
      "audio",
      content({ type: "audio", data: wav, mimeType: "audio/wav" }),
      "[audio: audio/wav, 24 bytes]",
    ],
    [
      "an embedded text",
      content(resource({ uri: "file:///a", mimeType: "text/plain", text: "hi" })),
      "[resource: file:///a, text/plain]\nhi",
    ],
    [
      "an embedded file",
      content(resource({ uri: "file:///a", mimeType: "application/pdf", blob: wav })),
      "[resource: file:///a, application/pdf, 24 bytes]",
    ],
    [
      "a link",
      content({ type: "resource_link", uri: "file:///a", name: "a.txt", mimeType: "text/plain" }),
      "[resource link: file:///a, a.txt, text/plain]",
    ],
    [
      "a block of an unknown type",
      content({ type: "chart", points: [1] }),
      '{"type":"chart","points":[1]}',
    ],
    [
      "a block without a type",
      content({ rows: 1 }, 7),
      '{"type":"unknown","value":{"rows":1}}\n{"type":"unknown","value":7}',
    ],
    [
      "an image whose data is none",
      content({ ...image, data: "%" }),
      "[image: its data is not base64]",
    ],
  ])("%s", (_, answer, expected) => {
    expect(shown(answer)).toBe(expected);
  });
});

describe("a result with an image is parts", () => {
  it.each([
    ["an image", content(image), [shownImage]],
    [
      "a data url in place of base64",
      content({ ...image, data: `data:image/png;base64,${png}` }),
      [shownImage],
    ],
    ["a type that is wrong", content({ ...image, mimeType: "image/jpeg" }), [shownImage]],
    ["no type", content({ type: "image", data: png }), [shownImage]],
    [
      "an embedded image",
      content(resource({ uri: "u:1", mimeType: "image/png", blob: png })),
      [shownImage],
    ],
    [
      "an embedded image that does not say so",
      content(resource({ uri: "u:1", blob: png })),
      [shownImage],
    ],
    [
      "text around it, in order",
      content({ type: "text", text: "before" }, image, { type: "text", text: "after" }),
      [{ type: "text", text: "before" }, shownImage, { type: "text", text: "after" }],
    ],
    [
      "audio beside it",
      content(image, { type: "audio", data: wav, mimeType: "audio/wav" }),
      [shownImage, { type: "text", text: "[audio: audio/wav, 24 bytes]" }],
    ],
  ])("%s", (_, answer, expected) => {
    expect(shown(answer)).toEqual({ $rejellyContent: expected });
  });
});

describe("structured content", () => {
  const structuredContent = { city: "Oslo", days: [{ high: 4 }, { high: 7 }] };
  const json = JSON.stringify(structuredContent);
  it.each([
    ["alone", content(), json],
    ["beside an empty text", text(""), json],
    ["beside a text that does not hold it", text("2 days found"), `2 days found\n${json}`],
    [
      "beside its own JSON",
      text(JSON.stringify(structuredContent, null, 2)),
      JSON.stringify(structuredContent, null, 2),
    ],
    ["beside its values", text("Oslo: 4, then 7"), "Oslo: 4, then 7"],
    ["beside half of them", text("Oslo: 4"), `Oslo: 4\n${json}`],
  ])("%s", (_, answer, expected) => {
    expect(shown({ ...answer, structuredContent })).toBe(expected);
  });

  it("beside an image is a part after it", () => {
    expect(shown({ ...content(image), structuredContent })).toEqual({
      $rejellyContent: [shownImage, { type: "text", text: json }],
    });
  });

  it.each([[[1, 2]], ["x"], [3], [false]])("may be any JSON: %j", (value) => {
    expect(shown({ content: [], structuredContent: value })).toContain(
      typeof value === "string" ? value : JSON.stringify(value),
    );
  });

  it("that is null is none", () => {
    expect(shown({ ...text("a"), structuredContent: null })).toBe("a");
  });
});

describe("an error of the server", () => {
  it.each([
    ["its text", text("disk full"), "MCP tool error: disk full"],
    ["all of its text", text("disk full", "try later"), "MCP tool error: disk full\ntry later"],
    [
      "its structured content",
      { ...text("locked"), structuredContent: { code: "LOCKED", after: 30 } },
      'MCP tool error: locked\n{"code":"LOCKED","after":30}',
    ],
    ["an image as a placeholder", content(image), `MCP tool error: [image: image/png, 70 bytes]`],
    [
      "that it gave no reason, and of which tool",
      content(),
      'MCP tool error: the server gave no reason (tool "t")',
    ],
    ["that a blank is none", text(" "), 'MCP tool error: the server gave no reason (tool "t")'],
  ])("says %s", (_, answer, message) => {
    expect(() => shown({ ...answer, isError: true })).toThrow(
      expect.objectContaining({ message, name: "Error", code: "tool_error", toolName: "t" }),
    );
  });

  it.each([undefined, null, "text", 3, []])("differs from an answer that is none: %j", (answer) => {
    expect(() => shown(answer)).toThrow(
      expect.objectContaining({
        name: "McpProtocolError",
        code: "invalid_call_result",
        toolName: "t",
        message: expect.stringContaining('tool "t"'),
      }),
    );
  });
});

describe("maxTextBytes", () => {
  const long = "ä".repeat(5_000);
  const bytes = (value: unknown) => new TextEncoder().encode(String(value)).length;

  it("keeps head and tail of a text, and whole characters", () => {
    const cut = shown(text(`head ${long} tail`), 200);
    expect(bytes(cut)).toBeLessThanOrEqual(200);
    expect(cut).toMatch(/^head ä+\n\[… \d+ bytes cut …\]\nä+ tail$/);
  });

  it("leaves alone what is short enough", () => {
    expect(shown(text("a".repeat(64)), 64)).toBe("a".repeat(64));
    expect(shown(content(image), 64)).toEqual({ $rejellyContent: [shownImage] });
  });

  it("holds for all texts together, however many, and keeps every image", () => {
    const blocks = Array.from({ length: 500 }, (_, at) => ({ type: "text", text: `line ${at}` }));
    const cut = shown(content(...blocks.slice(0, 250), image, ...blocks.slice(250), image), 100);
    expect(cut).toEqual({
      $rejellyContent: [
        { type: "text", text: expect.stringMatching(/^line 0\n.*bytes cut.*line 499$/s) },
        shownImage,
        shownImage,
      ],
    });
    expect(JSON.stringify(cut).length - 2 * JSON.stringify(shownImage).length).toBeLessThan(200);
  });

  it("holds for errors and structured content", () => {
    expect(() => shown({ ...text(long), isError: true }, 100)).toThrow(/bytes cut/);
    expect(bytes(shown({ content: [], structuredContent: { long } }, 100))).toBeLessThanOrEqual(
      100,
    );
  });
});

describe("hostile results", () => {
  const deep = JSON.parse(`${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`);
  const cyclic: Record<string, unknown> = { type: "chart" };
  cyclic["self"] = cyclic;
  const throwing = Object.defineProperty({ type: "text" }, "text", {
    get: () => {
      throw new Error("no");
    },
  });

  it.each([
    ["a deep block", content({ type: "chart", deep })],
    ["deep structured content", { ...text("a"), structuredContent: deep }],
    ["a cycle", content(cyclic)],
    ["a getter that throws", content(throwing)],
    ["own __proto__", JSON.parse('{"content":[{"type":"x","__proto__":{"polluted":1}}]}')],
    ["own toString", content({ type: "x", toString: 1, constructor: null })],
    ["undefined in it", content({ type: "x", a: undefined }, undefined)],
  ])("%s becomes a text", (_, answer) => {
    const result = shown(answer);
    expect(typeof result).toBe("string");
    expect(result).not.toBe("");
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  it("hold no undefined and nothing but JSON", async () => {
    const client = {
      listTools: async () => [],
      callTool: async (_: string, __: object) => ({
        content: [
          { ...image, annotations: undefined },
          { type: "text", text: "a", _meta: undefined },
        ],
        isError: undefined,
        structuredContent: undefined,
      }),
    };
    const result = await fromMCPTool({ name: "t" }, client).handler({});
    expect(result).toStrictEqual(JSON.parse(JSON.stringify(result)));
  });
});
