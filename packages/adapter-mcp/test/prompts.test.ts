import { describe, expect, it } from "vitest";
import { type AdapterMCPEvent, createEquipMCP, type MCPClientLike } from "../src/index.ts";
import { fakeClient } from "./fake-client.ts";
import { smallHost } from "./small-host.ts";

const png = "iVBORw0KGgo=";
const image = { type: "image", data: png, mimeType: "image/png" };
const shownImage = { type: "image", image: { url: `data:image/png;base64,${png}` } };

async function promptsOf(
  client: MCPClientLike,
  host = smallHost(),
  events: AdapterMCPEvent[] = [],
) {
  const equipMCP = createEquipMCP(host);
  const onEvent = (event: AdapterMCPEvent) => void events.push(event);
  return (await equipMCP(client, { clientId: "c", tools: [], onEvent })).prompts;
}

async function instructionOf(...messages: unknown[]) {
  const { client } = fakeClient({ getPrompt: () => ({ messages }) });
  return (await (await promptsOf(client)).get("p")).asInstruction();
}

describe("prompts.list", () => {
  it("gathers all pages", async () => {
    const { client, log } = fakeClient({
      listPrompts: (params) =>
        params
          ? { prompts: [{ name: "b", title: "B", description: "Second" }] }
          : {
              prompts: [
                {
                  name: "a",
                  arguments: [
                    { name: "x", required: true },
                    { name: "y", description: "Why" },
                  ],
                },
              ],
              nextCursor: "2",
            },
    });
    const prompts = await promptsOf(client);
    expect(await prompts.list()).toEqual([
      {
        name: "a",
        arguments: [
          { name: "x", required: true },
          { name: "y", description: "Why", required: false },
        ],
      },
      { name: "b", title: "B", description: "Second", arguments: [] },
    ]);
    expect(log).toEqual([
      ["listPrompts", undefined],
      ["listPrompts", { cursor: "2" }],
    ]);
  });

  it("leaves out what cannot be read, and tells", async () => {
    const events: AdapterMCPEvent[] = [];
    const { client } = fakeClient({ listPrompts: () => [{ name: "a" }, { name: "a" }, {}] });
    const prompts = await promptsOf(client, smallHost(), events);
    expect((await prompts.list()).map(({ name }) => name)).toEqual(["a"]);
    expect(events).toMatchObject([
      { type: "warning", method: "prompts/list", code: "duplicate_name" },
      { type: "warning", method: "prompts/list", code: "invalid_name" },
    ]);
  });

  it.each([
    [
      "has no such method",
      { listPrompts: () => Promise.reject(new Error("MCP error -32601: no")) },
    ],
    ["says it has none", { listPrompts: () => ({}), getServerCapabilities: () => ({ tools: {} }) }],
  ])("is empty where the server %s", async (_, answers) => {
    const { client } = fakeClient(answers);
    expect(await (await promptsOf(client)).list()).toEqual([]);
  });

  it.each([
    [{}, { code: "invalid_catalog_shape" }],
    [{ prompts: [], nextCursor: 1 }, { code: "invalid_cursor" }],
  ])("of %j is an error", async (answer, error) => {
    const { client } = fakeClient({ listPrompts: () => answer });
    await expect((await promptsOf(client)).list()).rejects.toMatchObject(error);
  });

  it("throws the server's own error", async () => {
    const { client, log } = fakeClient({ listPrompts: () => Promise.reject(new Error("down")) });
    await expect((await promptsOf(client)).list()).rejects.toThrow("down");
    expect(log).toHaveLength(1);
  });
});

describe("prompts.get", () => {
  it("sends texts, whatever it is given", async () => {
    const { client, log } = fakeClient({ getPrompt: () => ({ messages: [] }) });
    const args = { a: "1", b: 2, c: true, d: { e: [null] }, f: undefined, g: null, h: () => 1 };
    await (await promptsOf(client)).get("p", args);
    const sent = { a: "1", b: "2", c: "true", d: '{"e":[null]}', g: "null" };
    expect(log).toEqual([["getPrompt", { name: "p", arguments: sent }]]);
  });

  it("gives description and messages, content as a list of blocks", async () => {
    const { client } = fakeClient({
      getPrompt: () => ({
        description: "About",
        messages: [
          { role: "user", content: { type: "text", text: "a" } },
          { role: "assistant", content: "b" },
        ],
      }),
    });
    const prompt = await (await promptsOf(client)).get("p");
    expect(prompt).toMatchObject({
      description: "About",
      messages: [
        { role: "user", content: [{ type: "text", text: "a" }] },
        { role: "assistant", content: [{ type: "text", text: "b" }] },
      ],
    });
  });

  it("throws the server's own error, after one request", async () => {
    const { client, log } = fakeClient({
      getPrompt: () => Promise.reject(new Error("no prompt p")),
    });
    await expect((await promptsOf(client)).get("p")).rejects.toThrow("no prompt p");
    expect(log).toHaveLength(1);
  });

  it.each([undefined, {}, { messages: {} }])("of %j is an error", async (answer) => {
    const { client } = fakeClient({ getPrompt: () => answer });
    await expect((await promptsOf(client)).get("p")).rejects.toMatchObject({
      code: "invalid_prompt",
    });
  });

  it("ends with the agent", async () => {
    const { client } = fakeClient({ getPrompt: () => new Promise(() => undefined) });
    const signal = AbortSignal.timeout(10);
    const prompts = await promptsOf(client, smallHost({ signal: () => signal }));
    await expect(prompts.get("p")).rejects.toMatchObject({ name: "TimeoutError" });
  });
});

describe("asInstruction", () => {
  const user = (content: unknown) => ({ role: "user", content });
  it.each([
    ["nothing", [], ""],
    ["a message without content", [{ role: "user" }], ""],
    ["one block", [user({ type: "text", text: "a" })], "a"],
    ["a list of one", [user([{ type: "text", text: "a" }])], "a"],
    ["a string", [user("a")], "a"],
    ["a link", [user({ type: "resource_link", uri: "u:1" })], "[resource link: u:1]"],
    [
      "audio",
      [user({ type: "audio", data: "AAAA", mimeType: "audio/wav" })],
      "[audio: audio/wav, 3 bytes]",
    ],
    [
      "an embedded text",
      [user({ type: "resource", resource: { uri: "u:1", text: "hi" } })],
      "[resource: u:1]\nhi",
    ],
    ["an unknown block", [user({ type: "poll", options: 2 })], '{"type":"poll","options":2}'],
    ["an empty text beside another", [user(""), user("a")], "a"],
    [
      "several texts",
      [user("a"), { role: "assistant", content: "b" }],
      [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
    ],
    ["an image", [user(image)], [shownImage]],
    [
      "an embedded image",
      [user({ type: "resource", resource: { uri: "u:1", mimeType: "image/png", blob: png } })],
      [shownImage],
    ],
    ["text and image", [user(["a"]), user([image])], [{ type: "text", text: "a" }, shownImage]],
  ])("of %s", async (_, messages, expected) => {
    expect(await instructionOf(...messages)).toEqual(expected);
  });
});
