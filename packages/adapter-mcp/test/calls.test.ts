import { describe, expect, it } from "vitest";
import { callsOf } from "../src/calls.ts";
import { fromMCPTool, toClientFacade } from "../src/index.ts";
import { fakeClient, instrumented, text } from "./fake-client.ts";

const sdk1 = { getServerCapabilities: () => ({ tools: {} }), request: () => text("by request") };
const sdk2 = { ...sdk1, getNegotiatedProtocolVersion: () => "2025-11-25" };
const like2 = {
  getServerCapabilities: () => ({ tools: {} }),
  getNegotiatedProtocolVersion: () => "2025-11-25",
};
const signal = expect.any(AbortSignal);
const params = { name: "t", arguments: { a: 1 } };
const live = () => new AbortController().signal;

describe("callTool takes its arguments in the client's way", () => {
  it.each([
    ["a foreign object client", {}, 1, [params]],
    ["a foreign client of no parameters", {}, 0, [params]],
    ["a facade by name and arguments", {}, 2, ["t", { a: 1 }]],
    ["a facade that takes options too", {}, 3, ["t", { a: 1 }, { signal }]],
    ["SDK v1, options third", sdk1, 3, [params, expect.anything(), { signal }]],
    ["SDK v2, options second", sdk2, 2, [params, { signal, toolDefinition: expect.anything() }]],
    ["adapter.client, options second", like2, 2, [params, { signal }]],
  ])("%s", async (_, marks, arity, expected) => {
    const { client, log } = fakeClient(marks, { callTool: arity });
    await callsOf(client).callTool({ name: "t" }, { a: 1 }, live());
    expect(log).toEqual([["callTool", ...expected]]);
  });

  it.each([
    ["SDK v1", sdk1, [params, expect.anything()]],
    ["SDK v2", sdk2, [params, { toolDefinition: { name: "t", inputSchema: { type: "object" } } }]],
    ["adapter.client", like2, [params]],
  ])("%s gets no signal where there is none", async (_, marks, expected) => {
    const { client, log } = fakeClient(marks);
    await callsOf(client).callTool({ name: "t" }, { a: 1 });
    expect(log).toEqual([["callTool", ...expected]]);
  });

  it("SDK v2 is told of the tool as far as it is known, so that it judges no answer", async () => {
    const { client, log } = fakeClient(sdk2);
    const target = { name: "t", inputSchema: { type: "object" } };
    await callsOf(client).callTool(target, { a: 1 }, live());
    expect(log).toEqual([["callTool", params, { signal, toolDefinition: target }]]);
  });

  it.each([
    ["SDK v1", sdk1],
    ["SDK v2", sdk2],
    ["adapter.client", like2],
  ])("%s is known behind a proxy", async (_, marks) => {
    const { client, log } = fakeClient(marks, { callTool: 2 });
    await callsOf(instrumented(client)).callTool({ name: "t" }, { a: 1 });
    expect(log[0]?.[1]).toEqual(params);
  });

  it("a facade behind a proxy needs to be told", async () => {
    const { client, log } = fakeClient({}, { callTool: 2 });
    const hidden = instrumented(client);
    await callsOf(hidden).callTool({ name: "t" }, { a: 1 });
    await callsOf(hidden, "positional").callTool({ name: "t" }, { a: 1 });
    expect(log).toEqual([
      ["callTool", params],
      ["callTool", "t", { a: 1 }],
    ]);
  });

  it("an object client of two parameters can be told apart by callStyle", async () => {
    const { client, log } = fakeClient({}, { callTool: 2 });
    await callsOf(client, "object").callTool({ name: "t" }, { a: 1 });
    expect(log).toEqual([["callTool", params]]);
  });

  it("callStyle does not mislead about a facade of this package", async () => {
    const { client, log } = fakeClient({});
    await callsOf(toClientFacade(client), "object").callTool({ name: "t" }, { a: 1 });
    expect(log).toEqual([["callTool", params]]);
  });

  it.each([
    ["throws", () => Promise.reject(new Error("no such name"))],
    ["answers what is no result", () => "done"],
  ])("once, also where the client %s", async (_, callTool) => {
    for (const arity of [0, 1, 2]) {
      const { client, log } = fakeClient({ callTool }, { callTool: arity });
      await expect(fromMCPTool({ name: "t" }, client).handler({})).rejects.toThrow();
      expect(log).toHaveLength(1);
    }
  });
});

describe("the other methods", () => {
  it.each([
    ["SDK v1", sdk1, 3, [{ uri: "u:1" }, { signal }]],
    ["SDK v2", sdk2, 2, [{ uri: "u:1" }, { signal }]],
    ["an object client", {}, 1, [{ uri: "u:1" }]],
    ["a positional client", {}, 2, ["u:1"]],
  ])("readResource of %s", async (_, marks, arity, expected) => {
    const answers = { ...marks, readResource: () => ({ contents: [] }) };
    const { client, log } = fakeClient(answers, { callTool: arity });
    await callsOf(client).readResource("u:1", live());
    expect(log).toEqual([["readResource", ...expected]]);
  });

  const named = { name: "p", arguments: { a: "1" } };
  it.each([
    ["SDK v1, though it declares two", sdk1, { getPrompt: 2 }, [named, { signal }]],
    ["SDK v2, though it declares two", sdk2, { getPrompt: 2 }, [named, { signal }]],
    ["an object client", {}, { getPrompt: 1 }, [named]],
    ["a facade, by its own parameters", {}, { getPrompt: 2 }, ["p", { a: "1" }]],
    [
      "a positional client of rest parameters",
      {},
      { callTool: 2, getPrompt: 0 },
      ["p", { a: "1" }],
    ],
    ["a positional client that names one", {}, { callTool: 2, getPrompt: 1 }, [named]],
  ])("getPrompt of %s", async (_, marks, arities, expected) => {
    const answers = { ...marks, getPrompt: () => ({ messages: [] }) };
    const { client, log } = fakeClient(answers, arities);
    await callsOf(client).getPrompt("p", { a: "1" }, live());
    expect(log).toEqual([["getPrompt", ...expected]]);
  });

  it.each([
    ["tools", "listTools"],
    ["prompts", "listPrompts"],
    ["resources", "listResources"],
  ] as const)("a list of %s asks for one page", async (kind, method) => {
    const { client, log } = fakeClient({ [method]: () => ({ [kind]: [] }) });
    await callsOf(client).list(kind);
    await callsOf(client).list(kind, "");
    await callsOf(client).list(kind, "2");
    expect(log).toEqual([
      [method, undefined],
      [method, { cursor: "" }],
      [method, { cursor: "2" }],
    ]);
  });

  it.each(["callTool", "readResource", "getPrompt", "listPrompts"] as const)(
    "a client without %s is named as such",
    async (method) => {
      const calls = callsOf({ listTools: async () => ({ tools: [] }) });
      const call = {
        callTool: () => calls.callTool({ name: "t" }, {}),
        readResource: () => calls.readResource("u:1"),
        getPrompt: () => calls.getPrompt("p", {}),
        listPrompts: () => calls.list("prompts"),
      }[method];
      await expect(call()).rejects.toMatchObject({
        code: "invalid_port",
        message: `@x/adapter-mcp: the client has no method ${method}()`,
      });
    },
  );
});

class Client {
  readonly sent: unknown[] = [];
  async request(...args: unknown[]) {
    this.sent.push(args);
    return text("by request");
  }
  getServerCapabilities() {
    return { tools: {} };
  }
  async listTools(..._: unknown[]): Promise<object> {
    throw new Error("the SDK would refuse this list");
  }
  async callTool(..._: unknown[]): Promise<object> {
    throw new Error("the SDK would throw this answer away");
  }
}

class Client2 extends Client {
  era = "legacy";
  getNegotiatedProtocolVersion() {
    return "2026-07-28";
  }
  getProtocolEra() {
    return this.era;
  }
}

describe("the methods of an SDK that would throw answers away", () => {
  it.each([
    ["v1", new Client()],
    ["v2", Object.assign(new Client(), { getNegotiatedProtocolVersion: () => "2025-11-25" })],
  ])("are gone round with request: %s", async (_, client) => {
    const calls = callsOf(client);
    await calls.list("tools", "2", live());
    await calls.list("tools");
    await calls.callTool({ name: "t" }, { a: 1 }, live());
    expect(client.sent).toEqual([
      [{ method: "tools/list", params: { cursor: "2" } }, expect.anything(), { signal }],
      [{ method: "tools/list" }, expect.anything()],
      [{ method: "tools/call", params }, expect.anything(), { signal }],
    ]);
  });

  it.each([
    [
      "a subclass",
      () =>
        new (class extends Client {
          override async callTool() {
            return text("by callTool");
          }
        })(),
    ],
    ["a spy", () => Object.assign(new Client(), { callTool: async () => text("by callTool") })],
    [
      "a proxy",
      () =>
        new Proxy(new Client(), {
          get: (object, key) =>
            key === "callTool" ? async () => text("by callTool") : Reflect.get(object, key),
        }),
    ],
  ])("are used where the application replaced them by %s", async (_, make) => {
    const client = make();
    expect(await callsOf(client).callTool({ name: "t" }, {})).toEqual(text("by callTool"));
    expect(client.sent).toEqual([]);
  });

  it("are used by a client that has to mirror arguments in headers", async () => {
    const inputSchema = { properties: { a: { type: "string", "x-mcp-header": "Region" } } };
    const client = new Client2();
    const calls = callsOf(client);
    await calls.callTool({ name: "t", inputSchema }, {});
    expect(client.sent).toHaveLength(1);
    client.era = "modern";
    await calls.callTool({ name: "t", inputSchema: { properties: { a: {} } } }, {});
    expect(client.sent).toHaveLength(2);
    await expect(calls.callTool({ name: "t", inputSchema }, {})).rejects.toThrow("throw this");
    await expect(calls.callTool({ name: "t" }, {})).rejects.toThrow("throw this");
    expect(client.sent).toHaveLength(2);
  });

  it("do not lose what SDK v1 has read before it refuses it", async () => {
    const answer = { content: [], structuredContent: { wrong: true } };
    const { client } = fakeClient({
      ...sdk1,
      callTool: (_params, schema) => {
        Reflect.get(Object(schema), "parse").call(schema, answer);
        throw new Error("does not match the tool's output schema");
      },
    });
    expect(await callsOf(client).callTool({ name: "t" }, {})).toEqual(answer);
  });

  it("throw what happened where there is no answer", async () => {
    const { client } = fakeClient({ ...sdk1, callTool: () => Promise.reject(new Error("late")) });
    await expect(callsOf(client).callTool({ name: "t" }, {})).rejects.toThrow("late");
  });
});
