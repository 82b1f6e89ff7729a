import { describe, expect, expectTypeOf, it } from "vitest";
import {
  type ToolContent,
  type ToolFailure,
  type ToolSuccess,
  toolFailure,
  toolSuccess,
} from "../src/index.ts";
import {
  type AnthropicPart,
  aiSDKTools,
  anthropicParts,
  type ImageType,
  type OpenAIPart,
  openAIParts,
} from "../src/providers.ts";

const PNG = "iVBORw0KGgo=";
const JPEG = "/9j/4AAQ";
const GIF = "R0lGODlh";
const WEBP = "UklGRgAAAABXRUJQ";
const PDF = "JVBERi0xLjQ=";

const image = (data: string, mimeType: string): ToolContent => ({ type: "image", data, mimeType });
const file = (blob: string, mimeType?: string): ToolContent => ({
  type: "resource",
  resource: { uri: "file:///a", blob, ...(mimeType !== undefined && { mimeType }) },
});
const text = (value: string): ToolContent => ({ type: "text", text: value });
const of = (...content: ToolContent[]): ToolSuccess => toolSuccess({ content });

const content: ToolContent[] = [
  text("look"),
  image(PNG, "image/png"),
  image("Qk0=", "image/bmp"),
  { type: "audio", data: "AAAA", mimeType: "audio/wav" },
  file(PDF, "application/pdf"),
  {
    type: "resource_link",
    uri: "file:///b.txt",
    name: "b",
    mimeType: "text/plain",
    description: "Notes.",
  },
];
const texts = {
  bitmap: "[image: image/bmp, 2 bytes]",
  audio: "[audio: audio/wav, 3 bytes]",
  link: "[link: b, file:///b.txt, text/plain] Notes.",
};

const toModelOutput = (result: ToolSuccess | ToolFailure): unknown => {
  const call = async (): Promise<ToolSuccess | ToolFailure> => result;
  const one = { name: "a", description: "", inputSchema: {}, tool: Object({}) };
  const tools = { tools: [one], clashes: [], get: () => one, call };
  const iterable = { ...tools, [Symbol.iterator]: () => tools.tools.values() };
  return aiSDKTools(iterable, (schema) => schema)["a"]?.toModelOutput({ output: result });
};

describe("the parts of a result", () => {
  it("are OpenAI's", () => {
    expect(openAIParts(of(...content))).toEqual([
      { type: "input_text", text: "look" },
      { type: "input_image", image_url: `data:image/png;base64,${PNG}`, detail: "auto" },
      { type: "input_text", text: texts.bitmap },
      { type: "input_text", text: texts.audio },
      {
        type: "input_file",
        filename: "result.pdf",
        file_data: `data:application/pdf;base64,${PDF}`,
      },
      { type: "input_text", text: texts.link },
    ]);
  });

  it("are Anthropic's", () => {
    const source = { type: "base64" };
    expect(anthropicParts(of(...content))).toEqual([
      { type: "text", text: "look" },
      { type: "image", source: { ...source, media_type: "image/png", data: PNG } },
      { type: "text", text: texts.bitmap },
      { type: "text", text: texts.audio },
      { type: "document", source: { ...source, media_type: "application/pdf", data: PDF } },
      { type: "text", text: texts.link },
    ]);
  });

  it("are those of the AI SDK", () => {
    expect(toModelOutput(of(...content))).toEqual({
      type: "content",
      value: [
        { type: "text", text: "look" },
        { type: "image-data", data: PNG, mediaType: "image/png" },
        { type: "text", text: texts.bitmap },
        { type: "text", text: texts.audio },
        { type: "file-data", data: PDF, mediaType: "application/pdf" },
        { type: "text", text: texts.link },
      ],
    });
  });

  it("hold structured content that no text says", () => {
    const result = toolSuccess({ content: [], structuredContent: { celsius: 7 } });
    expect(anthropicParts(result)).toEqual([{ type: "text", text: '{"celsius":7}' }]);
  });

  it("promise their shapes by their types", () => {
    expectTypeOf(openAIParts).returns.toEqualTypeOf<OpenAIPart[]>();
    expectTypeOf(anthropicParts).returns.toEqualTypeOf<AnthropicPart[]>();
    expectTypeOf<Extract<AnthropicPart, { type: "image" }>["source"]["media_type"]>().toEqualTypeOf<
      "image/png" | "image/jpeg" | "image/gif" | "image/webp"
    >();
    expectTypeOf<ImageType>().toExtend<string>();
  });
});

describe("media that a provider would refuse the whole request over", () => {
  const shown = (block: ToolContent): unknown => {
    const [part] = openAIParts(of(block));
    if (part?.type === "input_text") return part.text;
    return part?.type === "input_image" ? part.image_url : part?.file_data;
  };

  it.each<[what: string, block: ToolContent, shown: string]>([
    ["a png", image(PNG, "image/png"), `data:image/png;base64,${PNG}`],
    ["a jpeg", image(JPEG, "image/jpg"), `data:image/jpeg;base64,${JPEG}`],
    ["a gif", image(GIF, "image/gif"), `data:image/gif;base64,${GIF}`],
    ["a webp", image(WEBP, "image/webp"), `data:image/webp;base64,${WEBP}`],
    ["a jpeg called png", image(JPEG, "image/png"), `data:image/jpeg;base64,${JPEG}`],
    ["a png as a file", file(PNG, "image/png"), `data:image/png;base64,${PNG}`],
    ["a png of no type", file(PNG), `data:image/png;base64,${PNG}`],
    ["a png as bytes", file(PNG, "application/octet-stream"), `data:image/png;base64,${PNG}`],
    ["no image called png", image("AAAA", "image/png"), "[image: image/png, 3 bytes]"],
    ["an svg", image("PHN2Zz4=", "image/svg+xml"), "[image: image/svg+xml, 5 bytes]"],
    [
      "a RIFF that is no webp",
      image("UklGRgAAAABXQVZF", "image/webp"),
      "[image: image/webp, 12 bytes]",
    ],
    ["no base64", image("<svg>", "image/png"), "[image: its data is not base64]"],
    ["the alphabet of URLs", image("_9j_4AAQ", "image/jpeg"), `data:image/jpeg;base64,${JPEG}`],
    ["more of it", image("iVBORw0KGgo-", "x"), "data:image/png;base64,iVBORw0KGgo+"],
    ["no padding", image("iVBORw0KGgo", "image/png"), `data:image/png;base64,${PNG}`],
    ["wrong padding", image("/9j/4AA=", "image/jpeg"), "data:image/jpeg;base64,/9j/4AA="],
    ["too much padding", image("/9j/4AAQ==", "image/jpeg"), `data:image/jpeg;base64,${JPEG}`],
    ["a data URI", image(`data:image/png;base64,${PNG}`, "x"), `data:image/png;base64,${PNG}`],
    ["a pdf", file(PDF, "application/pdf"), `data:application/pdf;base64,${PDF}`],
    ["a pdf of no type", file(PDF), `data:application/pdf;base64,${PDF}`],
    [
      "no pdf called so",
      file("AAAA", "application/pdf"),
      "[file: file:///a, application/pdf, 3 bytes]",
    ],
    ["a zip", file("UEsDBA==", "application/zip"), "[file: file:///a, application/zip, 4 bytes]"],
    [
      "a pdf called audio",
      { type: "audio", data: PDF, mimeType: "audio/wav" },
      "[audio: audio/wav, 8 bytes]",
    ],
  ])("%s", (_, block, expected) => {
    expect(shown(block)).toBe(expected);
  });

  it.each<[what: string, block: unknown]>([
    ["null", null],
    ["a number", 7],
    ["a getter that throws", Object.defineProperty({ type: "image" }, "data", { get: thrown })],
    ["an unknown type", { type: "__proto__", data: 1 }],
  ])("stands as a text for itself: %s", (_, block) => {
    const result: ToolSuccess = { ...of(), content: [block as ToolContent] };
    expect(openAIParts(result).map(({ type }) => type)).toEqual(["input_text"]);
    expect(anthropicParts(result).map(({ type }) => type)).toEqual(["text"]);
  });
});

function thrown(): never {
  throw new Error("no");
}

describe("texts that Anthropic refuses", () => {
  it.each(["", " ", "\n\t"])("%j is left out, also by the AI SDK, and kept by OpenAI", (blank) => {
    const result = of(text(blank), text("a"), text(blank));
    expect(anthropicParts(result)).toEqual([{ type: "text", text: "a" }]);
    expect(toModelOutput(result)).toEqual({
      type: "content",
      value: [{ type: "text", text: "a" }],
    });
    expect(openAIParts(result)).toHaveLength(3);
  });

  it("may be all: the content is empty then", () => {
    expect(anthropicParts(of(text("")))).toEqual([]);
    expect(anthropicParts(of())).toEqual([]);
  });
});

describe("a failure", () => {
  const failure = toolFailure("server_error", "server error: blurred", {
    content: [image(PNG, "image/png"), file(PDF, "application/pdf")],
  });

  it("is all text for Anthropic, which takes nothing else along with is_error", () => {
    expect(anthropicParts(failure)).toEqual([
      { type: "text", text: "Error: server error: blurred" },
      { type: "text", text: "[image: image/png, 8 bytes]" },
      { type: "text", text: "[file: file:///a, application/pdf, 8 bytes]" },
    ]);
  });

  it("keeps its images for OpenAI, which has no mark for it", () => {
    expect(openAIParts(failure).map(({ type }) => type)).toEqual([
      "input_text",
      "input_image",
      "input_file",
    ]);
  });

  it("is one text for the AI SDK", () => {
    expect(toModelOutput(failure)).toEqual({
      type: "error-text",
      value: expect.stringMatching(
        /^Error: server error: blurred\n\[image: image\/png, 8 bytes\]\n/,
      ),
    });
  });
});
