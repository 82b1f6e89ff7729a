import { MCPTransportError } from "@x/mcp-transport";
import { afterEach, describe, expect, it } from "vitest";
import type { MCPToolAdapter } from "../src/index.ts";
import { connectedMock, overEngines } from "./mock-adapter.ts";

/** Resources and prompts have the guards, the deadlines, the recovery and the errors of tools. */

const open: MCPToolAdapter[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((adapter) => adapter.disconnect()));
});

interface List {
  readonly method: string;
  readonly key: string;
  read(adapter: MCPToolAdapter): Promise<readonly unknown[]>;
  item(n: number): object;
}

const lists: List[] = [
  {
    method: "resources/list",
    key: "resources",
    read: async (adapter) => (await adapter.listResources()).resources,
    item: (n) => ({ uri: `a://${n}`, name: `r${n}` }),
  },
  {
    method: "resources/templates/list",
    key: "resourceTemplates",
    read: async (adapter) => (await adapter.listResourceTemplates()).resourceTemplates,
    item: (n) => ({ uriTemplate: `a://${n}/{x}`, name: `t${n}` }),
  },
  {
    method: "prompts/list",
    key: "prompts",
    read: async (adapter) => (await adapter.listPrompts()).prompts,
    item: (n) => ({ name: `p${n}` }),
  },
];

const reads: { method: string; read(adapter: MCPToolAdapter): Promise<unknown>; answer: object }[] =
  [
    {
      method: "resources/read",
      read: (adapter) => adapter.readResource("a://1"),
      answer: { contents: [{ uri: "a://1", text: "x" }] },
    },
    {
      method: "prompts/get",
      read: (adapter) => adapter.getPrompt("p"),
      answer: { messages: [] },
    },
    ...lists.map(({ method, key, read: list }) => ({ method, read: list, answer: { [key]: [] } })),
  ];

type Handlers = NonNullable<NonNullable<Parameters<typeof connectedMock>[0]>["handlers"]>;

async function connected(handlers: Handlers) {
  const capabilities = { resources: {}, prompts: {} };
  const options = { recovery: "auto", maxPages: 20, maxTools: 100, maxListBytes: 50_000 } as const;
  const mocked = await connectedMock({ capabilities, handlers }, options);
  open.push(mocked.adapter);
  return mocked;
}

overEngines(() => {
  describe.each(lists)("$method", ({ method, key, read, item }) => {
    it("is walked over all of its pages", async () => {
      const { adapter } = await connected({
        [method]: ({ cursor }) =>
          cursor === "" ? { [key]: [item(2)] } : { [key]: [item(1)], nextCursor: "" },
      });
      expect(await read(adapter)).toMatchObject([item(1), item(2)]);
    });

    it("that goes in a circle ends, each item once", async () => {
      const { adapter } = await connected({
        [method]: () => ({ [key]: [item(1)], nextCursor: "same" }),
      });
      expect(await read(adapter)).toHaveLength(1);
    });

    it.each([
      ["pages", (): number => 1],
      ["items", (): number => 60],
    ] as const)("without end of %s is refused, never cut", async (_, items) => {
      let page = 0;
      const { adapter } = await connected({
        [method]: (): object => {
          page += 1;
          const all = Array.from({ length: items() }, (__, n) => item(page * 1_000 + n));
          return { [key]: all, nextCursor: String(page) };
        },
      });
      await expect(read(adapter)).rejects.toMatchObject({
        name: "MCPAdapterError",
        code: "limit",
        server: "mock",
      });
    });

    it("that is too large is refused", async () => {
      const description = "x".repeat(60_000);
      const { adapter } = await connected({
        [method]: () => ({ [key]: [{ ...item(1), description }] }),
      });
      await expect(read(adapter)).rejects.toMatchObject({ code: "limit" });
    });

    it("with a page that fails is an error, never a shorter list", async () => {
      const { adapter } = await connected({
        [method]: ({ cursor }) => {
          if (cursor === "2") throw new MCPTransportError("rpc", "page 2 is lost", { rpcCode: -1 });
          return { [key]: [item(1)], nextCursor: "2" };
        },
      });
      await expect(read(adapter)).rejects.toMatchObject({
        code: "rpc",
        message: expect.stringContaining("page 2 is lost"),
      });
    });

    it("with a page that is none is an error", async () => {
      const { adapter } = await connected({ [method]: () => ({ [key]: "no list" }) });
      await expect(read(adapter)).rejects.toMatchObject({ code: "invalid_result" });
    });
  });

  describe.each(reads)("$method", ({ method, read, answer }) => {
    it("is read again, once, after the connection was lost", async () => {
      const { adapter, server, transport } = await connected({ [method]: () => answer });
      const lost = new MCPTransportError("closed", "lost", { delivery: "unknown" });
      server.failNext(lost, method);
      await read(adapter);
      expect(transport.opens).toBe(2);
      server.failNext(lost, method);
      server.failNext(lost, method);
      await expect(read(adapter)).rejects.toMatchObject({ code: "closed" });
    });

    it.each([
      ["unauthorized", { httpStatus: 401 }],
      ["http", { httpStatus: 503 }],
      ["rpc", { rpcCode: -32603 }],
      ["invalid_result", {}],
      ["unsupported", {}],
      ["limit", {}],
    ] as const)("that fails with %s says so, and the connection stays", async (code, details) => {
      const { adapter, server, transport } = await connected({ [method]: () => answer });
      server.failNext(
        new MCPTransportError(code, "as it is", { delivery: "unknown", ...details }),
        method,
      );
      await expect(read(adapter)).rejects.toMatchObject({
        name: "MCPAdapterError",
        code,
        server: "mock",
        message: expect.stringContaining("as it is"),
      });
      await read(adapter);
      expect(transport.opens).toBe(1);
    });

    it("ends with the connection", async () => {
      const mocked = await connectedMock({
        capabilities: { resources: {}, prompts: {} },
        handlers: { [method]: () => new Promise(() => {}) },
      });
      open.push(mocked.adapter);
      const started = read(mocked.adapter);
      const ended = expect(started).rejects.toMatchObject({ code: "closed" });
      await new Promise((resolve) => setTimeout(resolve, 20));
      await mocked.adapter.disconnect();
      await ended;
    });
  });
});
