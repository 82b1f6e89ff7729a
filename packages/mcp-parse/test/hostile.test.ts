import { describe, expect, it } from "vitest";
import {
  collectPages,
  contentToText,
  type JsonObject,
  readCallResult,
  readContent,
  readPrompt,
  readPromptDescriptor,
  readPromptDescriptors,
  readResource,
  readResourceDescriptor,
  readResourceTemplate,
  readTool,
  readTools,
} from "../src/index.ts";

/** Never throw, whatever they are given. */
const total: [string, (value: unknown) => unknown][] = [
  ["readTool", readTool],
  ["readPromptDescriptor", readPromptDescriptor],
  ["readResourceDescriptor", readResourceDescriptor],
  ["readResourceTemplate", readResourceTemplate],
  ["readContent", readContent],
  ["contentToText", contentToText],
];

/** Throw MCPParseError only. */
const coded: [string, (value: unknown) => unknown][] = [
  ["readCallResult", readCallResult],
  ["readPrompt", readPrompt],
  ["readResource", readResource],
];

const keys = ["name", "uri", "uriTemplate", "content", "messages", "contents", "type"];

function throwing(thrown: unknown): object {
  return new Proxy(
    {},
    {
      get: () => {
        throw thrown;
      },
      has: () => {
        throw thrown;
      },
      ownKeys: () => {
        throw thrown;
      },
      getOwnPropertyDescriptor: () => {
        throw thrown;
      },
    },
  );
}

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function deep(levels: number): unknown {
  let value: unknown = "bottom";
  for (let level = 0; level < levels; level += 1) {
    value = level % 2 === 0 ? [value] : { type: "x", [keys[level % 7] ?? "type"]: value };
  }
  return value;
}

const hostile: [string, () => unknown][] = [
  ["undefined", () => undefined],
  ["a symbol", () => Symbol("s")],
  ["a bigint", () => 1n],
  ["a function", () => () => 1],
  ["a date", () => new Date(0)],
  ["a map", () => new Map([["name", "x"]])],
  ["an object without a prototype", () => Object.create(null)],
  ["a proxy that throws", () => throwing(new Error("boom"))],
  ["a proxy that throws undefined", () => throwing(undefined)],
  ["a revoked object", () => revoked({})],
  ["a revoked list", () => revoked([])],
  [
    "a cyclic object",
    () => {
      const value: JsonObject = { type: "x" };
      for (const key of keys) value[key] = value;
      return value;
    },
  ],
  [
    "a cyclic list",
    () => {
      const value: unknown[] = [];
      value.push(value);
      return value;
    },
  ],
  ["10,000 levels", () => deep(10_000)],
  [
    "own keys of Object.prototype",
    () =>
      JSON.parse('{"__proto__":{"name":"x"},"constructor":1,"toString":null,"hasOwnProperty":0}'),
  ],
  ["a string of 2 MB", () => "x".repeat(2_000_000)],
];

describe.each(hostile)("given %s", (_, make) => {
  it.each(total)("%s does not throw", (_name, read) => {
    expect(() => read(make())).not.toThrow();
    for (const key of keys) expect(() => read({ type: "x", [key]: make() })).not.toThrow();
    expect(() => read([make()])).not.toThrow();
  });

  it.each(coded)("%s throws nothing but its own error", (_name, read) => {
    const attempts = [make(), ...keys.map((key) => ({ [key]: make() }))];
    for (const value of attempts) {
      try {
        read(value);
      } catch (error) {
        expect(error).toMatchObject({ name: "MCPParseError" });
      }
    }
    for (const key of ["content", "messages", "contents"]) {
      expect(() =>
        read({ content: [], messages: [], contents: [], [key]: [make()] }),
      ).not.toThrow();
    }
  });
});

it("no reader touches a prototype", () => {
  const before = Object.getOwnPropertyNames(Object.prototype);
  const poison = JSON.parse(
    '{"__proto__":{"polluted":1},"name":"__proto__","uri":"__proto__","uriTemplate":"__proto__","type":"__proto__","content":[{"type":"image","data":"AA==","__proto__":{"polluted":1}}],"messages":[{"role":"__proto__","content":{"type":"text","text":"t","__proto__":{"polluted":1}}}],"contents":[{"uri":"a:b","text":"t","__proto__":{"polluted":1}}],"arguments":[{"name":"__proto__"}]}',
  ) as unknown;
  for (const [, read] of [...total, ...coded]) read(poison);
  readTools([poison, poison]);
  readPromptDescriptors([poison, poison]);
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  expect(({} as JsonObject)["polluted"]).toBeUndefined();
});

it("a tool that throws when read costs the others nothing", () => {
  const late = Object.defineProperty({ name: "late" }, "description", {
    get: () => {
      throw new Error("boom");
    },
  });
  const { tools, quarantined } = readTools([{ name: "a" }, throwing(1), late, { name: "z" }]);
  expect(tools.map(({ name }) => name)).toEqual(["a", "z"]);
  expect(quarantined).toEqual([
    {
      code: "unreadable",
      path: "",
      message: "tool 1 of the list cannot be read: a property throws",
    },
    {
      code: "unreadable",
      path: "",
      message: "tool 2 of the list cannot be read: a property throws",
    },
  ]);
});

it("100,000 tools, half of them twice, are read in linear time", async () => {
  const items = Array.from({ length: 100_000 }, (_, index) => ({
    name: `tool ${index % 50_000}`,
    inputSchema: { type: "object" },
  }));
  const start = performance.now();
  const list = await collectPages(async () => ({ items }), { maxItems: 100_000 });
  const { tools, quarantined } = readTools(list.items);
  expect(tools).toHaveLength(50_000);
  expect(quarantined).toHaveLength(50_000);
  expect(performance.now() - start).toBeLessThan(8_000);
});

it("a list with an item of 10,000 levels is walked, and only that item is odd", async () => {
  const items = [{ name: "a" }, { name: "deep", inputSchema: { x: deep(10_000) } }, { name: "z" }];
  const list = await collectPages(async () => ({ items }));
  expect(readTools(list.items).tools.map(({ name }) => name)).toEqual(["a", "deep", "z"]);
});
