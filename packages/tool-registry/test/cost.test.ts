import { describe, expect, it } from "vitest";
import { modelTools, ToolRegistry } from "../src/index.ts";
import realToolNames from "./fixtures/real-tool-names.json" with { type: "json" };
import { READS, spec, thrownBy, WRITES } from "./sample-tools.ts";

describe("cost", () => {
  it("counts the bytes of names, descriptions and schemas, in all and per namespace", () => {
    const registry = new ToolRegistry();
    registry.register("a", spec("x", { description: "12345", inputSchema: {} }));
    registry.register("b", spec("é", { description: "é", inputSchema: { type: "object" } }));
    registry.register("b", spec("y", { description: "", title: "unused", inputSchema: {} }));
    const b = { tools: 2, bytes: 37, names: 16, descriptions: 2, schemas: 19 };
    expect(registry.cost()).toEqual({
      tools: 3,
      bytes: 48,
      names: 20,
      descriptions: 7,
      schemas: 21,
      namespaces: [
        { namespace: "b", ...b },
        { namespace: "a", tools: 1, bytes: 11, names: 4, descriptions: 5, schemas: 2 },
      ],
    });
  });

  it("is what modelTools shows, no more and no less", () => {
    const registry = new ToolRegistry();
    for (const [server, names] of Object.entries(realToolNames)) {
      const specs = names.map((name) =>
        spec(name, { description: undefined as never, title: `Title of ${name}` }),
      );
      registry.replaceNamespace(server, specs, server);
    }
    const shown = modelTools(registry)
      .tools.map(({ name, description, inputSchema }) => [name, description, inputSchema])
      .map(([name, description, schema]) => `${name}${description}${JSON.stringify(schema)}`);
    const cost = registry.cost();
    expect(cost.tools).toBe(667);
    expect(cost.bytes).toBe(Buffer.byteLength(shown.join("")));
    expect(cost.bytes).toBe(cost.names + cost.descriptions + cost.schemas);
    const sums = cost.namespaces.map(({ bytes }) => bytes);
    expect(sums.reduce((all, bytes) => all + bytes)).toBe(cost.bytes);
    expect(sums).toEqual([...sums].sort((x, y) => y - x));
    expect(cost.namespaces).toHaveLength(Object.keys(realToolNames).length);
  });

  it("takes the filters of list", () => {
    const registry = new ToolRegistry();
    registry.register("a", spec("read", { capability: READS }));
    registry.register("a", spec("write", { capability: WRITES, source: "mcp" }));
    registry.register("__proto__", spec("read", { capability: READS }));
    const names = (filter: object): string[] =>
      registry.cost(filter).namespaces.map(({ namespace, tools }) => `${namespace} ${tools}`);
    expect(names({}).sort()).toEqual(["__proto__ 1", "a 2"]);
    expect(names({ effect: "read", namespace: "a" })).toEqual(["a 1"]);
    expect(names({ names: "*/read" }).sort()).toEqual(["__proto__ 1", "a 1"]);
    expect(names({ source: "mcp" })).toEqual(["a 1"]);
    expect(names({ names: [] })).toEqual([]);
    expect(registry.cost({ names: [] }).bytes).toBe(0);
    expect(thrownBy(() => registry.cost({ name: "x" } as never))).toMatchObject({
      code: "invalid_spec",
      field: "filter.name",
    });
  });

  it("of an empty registry is nothing", () => {
    expect(new ToolRegistry().cost()).toEqual({
      tools: 0,
      bytes: 0,
      names: 0,
      descriptions: 0,
      schemas: 0,
      namespaces: [],
    });
  });
});
