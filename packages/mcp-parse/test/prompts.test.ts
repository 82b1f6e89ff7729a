import { describe, expect, expectTypeOf, it } from "vitest";
import {
  contentToText,
  type JsonObject,
  type Prompt,
  readPrompt,
  readPromptDescriptor,
  readPromptDescriptors,
} from "../src/index.ts";

describe("a prompt in a list", () => {
  it("keeps every field the protocol names, and the whole item as raw", () => {
    const item = {
      name: "daily",
      title: "Daily round",
      description: "The round.",
      arguments: [
        { name: "harbour", title: "Harbour", description: "Which.", required: true },
        { name: "day" },
      ],
      icons: [{ src: "data:," }],
      _meta: { k: 1 },
      vendor: true,
    };
    expect(readPromptDescriptor(item)).toEqual({
      ok: true,
      warnings: [],
      prompt: {
        name: "daily",
        title: "Daily round",
        description: "The round.",
        arguments: [
          { name: "harbour", title: "Harbour", description: "Which.", required: true },
          { name: "day", description: "", required: false },
        ],
        icons: item.icons,
        _meta: item._meta,
        raw: item,
      },
    });
  });

  it("needs no more than a name", () => {
    expect(readPromptDescriptor({ name: "p", arguments: null })).toMatchObject({
      ok: true,
      warnings: [],
      prompt: { name: "p", description: "", arguments: [] },
    });
  });

  it.each([
    [null, "not_an_object", ""],
    [{}, "invalid_name", "/name"],
    [{ name: "" }, "invalid_name", "/name"],
    [{ name: 4 }, "invalid_name", "/name"],
  ])("%j is quarantined", (item, code, path) => {
    expect(readPromptDescriptor(item)).toMatchObject({ ok: false, quarantined: { code, path } });
  });

  it.each([
    ["arguments that are no list", { arguments: { a: {} } }, [], "/arguments"],
    ["an argument that is no object", { arguments: ["a", { name: "b" }] }, ["b"], "/arguments/0"],
    ["an argument without a name", { arguments: [{ name: "a" }, {}] }, ["a"], "/arguments/1"],
    ["an argument with an empty name", { arguments: [{ name: "" }] }, [], "/arguments/0"],
    [
      "a description of an argument",
      { arguments: [{ name: "a", description: 1 }] },
      ["a"],
      "/arguments/0/description",
    ],
    ["a title", { title: [] }, [], "/title"],
  ])("loses no more than %s", (_, rest, names, path) => {
    const reading = readPromptDescriptor({ name: "p", ...rest });
    expect(reading).toMatchObject({ ok: true, warnings: [{ code: "invalid_field", path }] });
    if (reading.ok) expect(reading.prompt.arguments.map(({ name }) => name)).toEqual(names);
  });

  it.each([
    [true, true],
    [false, false],
    ["true", false],
    [1, false],
    [null, false],
  ])("requires an argument only if required is true, not %j", (required, expected) => {
    const reading = readPromptDescriptor({ name: "p", arguments: [{ name: "a", required }] });
    expect(reading).toMatchObject({ prompt: { arguments: [{ required: expected }] } });
  });

  it("does not take the others of its list along", () => {
    const { prompts, quarantined, warnings } = readPromptDescriptors([
      { name: "a" },
      5,
      { name: "a", title: "again" },
      { name: "__proto__" },
      { name: "b", icons: 1 },
    ]);
    expect(prompts.map(({ name }) => name)).toEqual(["a", "__proto__", "b"]);
    expect(quarantined.map(({ code, message }) => [code, message])).toEqual([
      ["not_an_object", "prompt 1 of the list must be an object, got number"],
      ["duplicate_name", 'prompt "a" is listed twice; the first one is kept'],
    ]);
    expect(warnings.map(({ message }) => message)).toEqual([
      'prompt "b": icons must be an array, got number; it is left out',
    ]);
  });
});

describe("the messages of a prompt", () => {
  it("are all there, in order, with their roles (case server-28)", () => {
    const raw = {
      messages: [
        { role: "user", content: { type: "text", text: "Check the moorings." } },
        {
          role: "user",
          content: {
            type: "resource",
            resource: { uri: "notes://today", mimeType: "text/plain", text: "buoy 4 is loose" },
          },
        },
        { role: "assistant", content: { type: "text", text: "I will start at buoy 1." } },
        { role: "user", content: { type: "audio", data: "UklGRg==", mimeType: "audio/wav" } },
      ],
    };
    const prompt = readPrompt(raw);
    expect(prompt.warnings).toEqual([]);
    expect(prompt.raw).toBe(raw);
    expect(prompt.messages.map(({ role, content }) => [role, contentToText(content)])).toEqual([
      ["user", "Check the moorings."],
      ["user", "[resource: notes://today, text/plain]\nbuoy 4 is loose"],
      ["assistant", "I will start at buoy 1."],
      ["user", "[audio: audio/wav, 4 bytes]"],
    ]);
  });

  it("come with the description, if it is a text", () => {
    expect(readPrompt({ description: "d", messages: [] })).toEqual({
      description: "d",
      messages: [],
      raw: { description: "d", messages: [] },
      warnings: [],
    });
    const odd = readPrompt({ description: 5, messages: [] });
    expect(Object.hasOwn(odd, "description")).toBe(false);
    expect(odd.warnings).toMatchObject([{ code: "invalid_field", path: "/description" }]);
  });

  it.each([
    ["one block", { type: "text", text: "a" }, "a", []],
    [
      "a list of blocks",
      [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
      "a\nb",
      [],
    ],
    ["an empty list", [], "", []],
    ["a string", "a", "a", ["invalid_content /messages/0/content"]],
    ["null", null, "", ["content_missing /messages/0/content"]],
    ["missing", undefined, "", ["content_missing /messages/0/content"]],
    ["of an unknown type", { type: "x", y: 1 }, '{"type":"x","y":1}', []],
    [
      "an image that is none",
      { type: "image", data: "?", mimeType: "image/png" },
      "[image: its data is not base64]",
      ["media_invalid /messages/0/content/0/data"],
    ],
  ])("may have content that is %s", (_, content, shown, warned) => {
    const { messages, warnings } = readPrompt({ messages: [{ role: "user", content }] });
    expect(messages).toHaveLength(1);
    expect(contentToText(messages[0]?.content)).toBe(shown);
    expect(warnings.map(({ code, path }) => `${code} ${path}`)).toEqual(warned);
  });

  it("have an image as bare base64, so that a data: URI can be made of it", () => {
    const png = "iVBORw0KGgo=";
    const { messages } = readPrompt({
      messages: [
        { role: "user", content: { type: "image", data: `data:image/png;base64,${png}` } },
      ],
    });
    expect(messages[0]?.content).toEqual([{ type: "image", data: png, mimeType: "image/png" }]);
  });

  it.each([
    ["missing", { content: { type: "text", text: "a" } }],
    ["empty", { role: "", content: { type: "text", text: "a" } }],
    ["a number", { role: 1, content: { type: "text", text: "a" } }],
  ])("are the user's when their role is %s", (_, message) => {
    const { messages, warnings } = readPrompt({ messages: [message] });
    expect(messages).toEqual([{ role: "user", content: [{ type: "text", text: "a" }] }]);
    expect(warnings).toMatchObject([{ code: "invalid_field", path: "/messages/0/role" }]);
  });

  it("keep a role that MCP does not know", () => {
    const { messages, warnings } = readPrompt({ messages: [{ role: "system", content: [] }] });
    expect(messages[0]?.role).toBe("system");
    expect(warnings).toEqual([]);
  });

  it.each(["hello", 5, null])("are kept when one of them is only %j", (message) => {
    const { messages } = readPrompt({
      messages: [message, { role: "assistant", content: { type: "text", text: "z" } }],
    });
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(contentToText(messages[1]?.content)).toBe("z");
    if (message === "hello") expect(contentToText(messages[0]?.content)).toBe("hello");
  });

  it.each([
    [null, "", "a prompt must be an object, got null"],
    ["text", "", "a prompt must be an object, got string"],
    [[], "", "a prompt must be an object, got an array"],
    [{}, "/messages", "the messages of a prompt must be an array, got undefined"],
    [{ messages: {} }, "/messages", "the messages of a prompt must be an array, got object"],
    [{ messages: "hi" }, "/messages", "the messages of a prompt must be an array, got string"],
  ])("that are not there are a coded error: %j", (value, path, message) => {
    expect(() => readPrompt(value)).toThrowError(
      expect.objectContaining({ name: "MCPParseError", code: "invalid_prompt", path, message }),
    );
  });

  it("that throw when read are a coded error with the cause", () => {
    const cause = new Error("boom");
    const hostile = Object.defineProperty({}, "messages", {
      get: () => {
        throw cause;
      },
    });
    expect(() => readPrompt(hostile)).toThrowError(
      expect.objectContaining({ code: "unreadable", cause }),
    );
  });
});

it("promises its types", () => {
  expectTypeOf(readPrompt).parameter(0).toBeUnknown();
  expectTypeOf(readPrompt).returns.toEqualTypeOf<Prompt>();
  expectTypeOf<Prompt["raw"]>().toEqualTypeOf<JsonObject>();
});
