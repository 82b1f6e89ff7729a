import { describe, expect, it } from "vitest";
import { zodToJsonSchema } from "zod-to-json-schema";
import { type AdapterMCPEvent, createEquipMCP, type EquipMCPOptions } from "../src/index.ts";
import { fakeClient } from "./fake-client.ts";
import { smallHost } from "./small-host.ts";

const png = "iVBORw0KGgo=";

async function toolsOver(
  answers: Parameters<typeof fakeClient>[0],
  options: Partial<EquipMCPOptions> = {},
  host = smallHost(),
) {
  const { client, log } = fakeClient(answers);
  const equipMCP = createEquipMCP(host);
  const kit = await equipMCP(client, {
    clientId: "c",
    tools: [],
    enableResources: true,
    ...options,
  });
  const [list, read] = kit.resourceTools;
  if (list === undefined || read === undefined) throw new Error("no resource tools");
  return { list, read, log };
}

describe("the tools for resources", () => {
  it("are not there unless asked for", async () => {
    const kit = await createEquipMCP(smallHost())(fakeClient({}).client, { clientId: "c" });
    expect(kit.resourceTools).toEqual([]);
    expect(Object.keys(kit.resourceToolMap)).toEqual([]);
  });

  it("show a model what they take", async () => {
    const { list, read } = await toolsOver({});
    const schemaOf = ({ parameters }: typeof list) =>
      zodToJsonSchema(parameters as unknown as Parameters<typeof zodToJsonSchema>[0], {
        $refStrategy: "none",
      });
    expect(schemaOf(list)).toMatchObject({
      type: "object",
      properties: { cursor: { type: "string", description: expect.any(String) } },
    });
    expect(schemaOf(list)).not.toHaveProperty("required");
    expect(schemaOf(read)).toMatchObject({
      properties: { uri: { type: "string", description: expect.any(String) } },
      required: ["uri"],
    });
    expect(read.parameters.safeParse({}).success).toBe(false);
  });
});

describe("list_resources", () => {
  it("gives one page as JSON, and the cursor of the next", async () => {
    const { list, log } = await toolsOver({
      listResources: (params) =>
        params
          ? { resources: [{ uri: "u:2", name: "two" }] }
          : {
              resources: [{ uri: "u:1", name: "one", description: "First", size: 3 }],
              nextCursor: "2",
            },
    });
    expect(await list.handler({})).toBe(
      '{"resources":[{"uri":"u:1","name":"one","description":"First"}],"nextCursor":"2"}',
    );
    expect(await list.handler({ cursor: "2" })).toBe('{"resources":[{"uri":"u:2","name":"two"}]}');
    expect(log).toEqual([
      ["listResources", undefined],
      ["listResources", { cursor: "2" }],
    ]);
  });

  it.each([
    ["a bare array", [{ uri: "u:1" }], '{"resources":[{"uri":"u:1","name":"u:1"}]}'],
    ["an empty list", { resources: [], nextCursor: null }, '{"resources":[]}'],
    ["an empty cursor", { resources: [], nextCursor: "" }, '{"resources":[],"nextCursor":""}'],
  ])("of %s", async (_, answer, expected) => {
    const { list } = await toolsOver({ listResources: () => answer });
    expect(await list.handler({})).toBe(expected);
  });

  it.each([
    ["has no such method", { listResources: () => Promise.reject(new Error("MCP error -32601")) }],
    ["says it has none", { listResources: () => ({}), getServerCapabilities: () => ({}) }],
  ])("is empty where the server %s", async (_, answers) => {
    const { list } = await toolsOver(answers);
    expect(await list.handler({})).toBe('{"resources":[]}');
  });

  it("tells of items that cannot be read", async () => {
    const events: AdapterMCPEvent[] = [];
    const onEvent = (event: AdapterMCPEvent) => void events.push(event);
    const { list } = await toolsOver({ listResources: () => [{}, { uri: "u:1" }] }, { onEvent });
    expect(await list.handler({})).toContain("u:1");
    expect(events).toMatchObject([{ method: "resources/list", code: "invalid_uri" }]);
  });

  it("throws the server's own error, after one request", async () => {
    const { list, log } = await toolsOver({
      listResources: () => Promise.reject(new Error("bad cursor")),
    });
    await expect(list.handler({ cursor: "x" })).rejects.toThrow("bad cursor");
    expect(log).toHaveLength(1);
  });
});

describe("read_resource", () => {
  it.each([
    ["text", [{ uri: "u:1", text: "hi" }], "hi"],
    [
      "several texts",
      [
        { uri: "u:1", text: "a" },
        { uri: "u:2", text: "b" },
      ],
      "a\nb",
    ],
    ["nothing", [], ""],
    [
      "a file",
      [{ uri: "u:1", blob: "AAAA", mimeType: "application/zip" }],
      "[resource: u:1, application/zip, 3 bytes]",
    ],
    ["contents without either", [{ uri: "u:1" }], '{"type":"resource","resource":{"uri":"u:1"}}'],
  ])("of %s is a string", async (_, contents, expected) => {
    const { read, log } = await toolsOver({ readResource: () => ({ contents }) });
    expect(await read.handler({ uri: "u:1" })).toBe(expected);
    expect(log).toEqual([["readResource", { uri: "u:1" }]]);
  });

  it("of an image is parts", async () => {
    const contents = [
      { uri: "u:1", text: "a" },
      { uri: "u:2", blob: png, mimeType: "image/png" },
    ];
    const { read } = await toolsOver({ readResource: () => ({ contents }) });
    expect(await read.handler({ uri: "u:1" })).toEqual({
      $rejellyContent: [
        { type: "text", text: "a" },
        { type: "image", image: { url: `data:image/png;base64,${png}` } },
      ],
    });
  });

  it("is bounded by maxTextBytes", async () => {
    const contents = [{ uri: "u:1", text: "x".repeat(1_000) }];
    const { read } = await toolsOver({ readResource: () => ({ contents }) }, { maxTextBytes: 100 });
    expect(String(await read.handler({ uri: "u:1" })).length).toBeLessThanOrEqual(100);
  });

  it("throws the server's own error, after one request", async () => {
    const { read, log } = await toolsOver({
      readResource: () => Promise.reject(new Error("no such resource")),
    });
    await expect(read.handler({ uri: "u:9" })).rejects.toThrow("no such resource");
    expect(log).toHaveLength(1);
  });

  it.each([{}, { uri: 3 }, null, "u:1"])("refuses %j", async (args) => {
    const { read, log } = await toolsOver({ readResource: () => ({ contents: [] }) });
    await expect(read.handler(args)).rejects.toMatchObject({ code: "invalid_arguments" });
    expect(log).toEqual([]);
  });

  it("of an answer that is none is an error", async () => {
    const { read } = await toolsOver({ readResource: () => ({}) });
    await expect(read.handler({ uri: "u:1" })).rejects.toMatchObject({ code: "invalid_resource" });
  });

  it("ends with the agent", async () => {
    const host = smallHost({ signal: () => AbortSignal.timeout(10) });
    const { read } = await toolsOver(
      { readResource: () => new Promise(() => undefined) },
      {},
      host,
    );
    await expect(read.handler({ uri: "u:1" })).rejects.toMatchObject({ name: "TimeoutError" });
  });
});
