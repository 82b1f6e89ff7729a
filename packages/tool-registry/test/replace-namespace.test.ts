import { describe, expect, it, vi } from "vitest";
import { ToolRegistry, type ToolSpec, toolSuccess } from "../src/index.ts";
import { READS, said, spec, thrownBy, WRITES } from "./sample-tools.ts";

const idsOf = (registry: ToolRegistry): string[] => registry.list().map(({ id }) => id);

describe("replaceNamespace", () => {
  it("says what came, changed, went and stayed", () => {
    const registry = new ToolRegistry();
    expect(registry.replaceNamespace("ns", [spec("a"), spec("b"), spec("c")], "o")).toEqual({
      added: ["ns/a", "ns/b", "ns/c"],
      updated: [],
      removed: [],
      unchanged: [],
    });
    const changed = spec("b", { description: "New." });
    expect(registry.replaceNamespace("ns", [spec("d"), changed, spec("a")], "o")).toEqual({
      added: ["ns/d"],
      updated: ["ns/b"],
      removed: ["ns/c"],
      unchanged: ["ns/a"],
    });
    expect(registry.get("ns/b")?.description).toBe("New.");
  });

  it("keeps a replaced tool at its place and puts a new one at the end", () => {
    const registry = new ToolRegistry();
    registry.replaceNamespace("one", [spec("a"), spec("b"), spec("c")], "o");
    registry.register("two", spec("z"));
    registry.replaceNamespace("one", [spec("d"), spec("c"), spec("a", { title: "A" })], "o");
    expect(idsOf(registry)).toEqual(["one/a", "one/c", "two/z", "one/d"]);
    registry.replaceNamespace("one", [], "o");
    registry.replaceNamespace("one", [spec("a")], "o");
    expect(idsOf(registry)).toEqual(["two/z", "one/a"]);
  });

  const changes: [what: string, change: Partial<ToolSpec>][] = [
    ["title", { title: "T" }],
    ["description", { description: "D" }],
    ["inputSchema", { inputSchema: { type: "object", required: ["a"] } }],
    ["outputSchema", { outputSchema: {} }],
    ["annotations", { annotations: { readOnlyHint: true } }],
    ["source", { source: "other" }],
    ["sourceMetadata", { sourceMetadata: { server: "s" } }],
    ["capability", { capability: READS }],
    ["checkpointable", { checkpointable: true }],
  ];

  it.each(changes)("counts another %s as an update", (_what, change) => {
    const registry = new ToolRegistry();
    registry.replaceNamespace("ns", [spec("a")]);
    expect(registry.replaceNamespace("ns", [spec("a", change)]).updated).toEqual(["ns/a"]);
    expect(registry.replaceNamespace("ns", [spec("a", change)]).unchanged).toEqual(["ns/a"]);
  });

  it("compares definitions by data, whatever the order of keys", () => {
    const registry = new ToolRegistry();
    const schema = (json: string): ToolSpec => spec("a", { inputSchema: JSON.parse(json) });
    registry.replaceNamespace("ns", [schema('{"type":"object","properties":{"a":{},"b":{}}}')]);
    const same = schema('{"properties":{"b":{},"a":{}},"type":"object"}');
    expect(registry.replaceNamespace("ns", [same]).unchanged).toEqual(["ns/a"]);
    const proto = schema('{"properties":{"b":{},"__proto__":{}},"type":"object"}');
    expect(registry.replaceNamespace("ns", [proto]).updated).toEqual(["ns/a"]);
  });

  it("swaps in the new functions even of an unchanged definition", async () => {
    const registry = new ToolRegistry();
    registry.replaceNamespace("ns", [spec("a", { says: "old" })]);
    const kept = registry.get("ns/a");
    const again = registry.replaceNamespace("ns", [spec("a", { says: "new" })]);
    expect(again.unchanged).toEqual(["ns/a"]);
    expect(registry.get("ns/a")).toBe(kept);
    expect(said(await registry.invoke("ns/a"))).toBe("new");
  });

  it("replaces only what the same owner registered", () => {
    const registry = new ToolRegistry();
    registry.register("ns", spec("own"));
    registry.replaceNamespace("ns", [spec("a"), spec("b")], "mcp:one");
    registry.replaceNamespace("ns", [spec("c")], "mcp:two");
    const change = registry.replaceNamespace("ns", [spec("b")], "mcp:one");
    expect(change).toEqual({ added: [], updated: [], removed: ["ns/a"], unchanged: ["ns/b"] });
    expect(idsOf(registry)).toEqual(["ns/own", "ns/b", "ns/c"]);
    expect(registry.list().map(({ owner }) => owner)).toEqual([
      "application",
      "mcp:one",
      "mcp:two",
    ]);
    registry.replaceNamespace("ns", []);
    expect(idsOf(registry)).toEqual(["ns/b", "ns/c"]);
  });

  it("leaves other namespaces alone", () => {
    const registry = new ToolRegistry();
    registry.replaceNamespace("one", [spec("a")], "o");
    registry.replaceNamespace("two", [spec("a")], "o");
    registry.replaceNamespace("one", [], "o");
    expect(idsOf(registry)).toEqual(["two/a"]);
  });

  const refusals: [what: string, specs: unknown, owner: unknown, code: string, shown: string[]][] =
    [
      [
        "an id of another owner",
        [spec("new"), spec("own")],
        "mcp:x",
        "id_taken",
        ["application", "mcp:x"],
      ],
      [
        "two specs of one name",
        [spec("new"), spec("new")],
        "mcp:x",
        "duplicate",
        ["specs[1]", '"new"'],
      ],
      [
        "a wrong spec among good ones",
        [spec("new"), spec("")],
        "mcp:x",
        "invalid_spec",
        ["specs[1]"],
      ],
      ["no list", new Map(), "mcp:x", "invalid_spec", ["specs"]],
      ["an empty owner", [spec("new")], "", "invalid_spec", ["owner"]],
      ["an owner that is no text", [spec("new")], 5, "invalid_spec", ["owner"]],
    ];

  it.each(refusals)(
    "refuses %s and changes nothing at all",
    async (_w, specs, owner, code, shown) => {
      const registry = new ToolRegistry();
      registry.register("ns", spec("own", { says: "own" }));
      registry.replaceNamespace("ns", [spec("old", { says: "old" })], "mcp:x");
      const before = JSON.stringify(registry);
      const listener = vi.fn();
      registry.onChange(listener);
      const error = thrownBy(() =>
        registry.replaceNamespace("ns", specs as ToolSpec[], owner as string),
      );
      expect(error.code).toBe(code);
      for (const text of shown) expect(error.message).toContain(text);
      expect(JSON.stringify(registry)).toBe(before);
      expect(said(await registry.invoke("ns/old"))).toBe("old");
      expect(listener).not.toHaveBeenCalled();
    },
  );

  it("names both owners where an id is taken", () => {
    const registry = new ToolRegistry();
    registry.replaceNamespace("ns", [spec("a")], "mcp:one");
    const error = thrownBy(() => registry.replaceNamespace("ns", [spec("a")], "mcp:two"));
    expect(error).toMatchObject({ code: "id_taken", owners: ["mcp:one", "mcp:two"] });
  });
});

describe("a kept reference", () => {
  it("answers no_longer_available once the tool is removed, never another tool", async () => {
    const registry = new ToolRegistry();
    registry.replaceNamespace("ns", [spec("a", { says: "first" })], "mcp:one");
    const kept = registry.get("ns/a");
    registry.replaceNamespace("ns", [], "mcp:one");
    expect(await kept?.invoke()).toMatchObject({
      success: false,
      errorCode: "no_longer_available",
      ran: "no",
    });
    const stranger = vi.fn(async () => toolSuccess({ content: [] }));
    registry.replaceNamespace("ns", [spec("a", { invoke: stranger })], "mcp:two");
    expect(await kept?.invoke()).toMatchObject({ errorCode: "no_longer_available" });
    registry.replaceNamespace("ns", [], "mcp:two");
    registry.replaceNamespace("ns", [spec("a")], "mcp:one");
    expect(await kept?.invoke()).toMatchObject({ errorCode: "no_longer_available" });
    expect(stranger).not.toHaveBeenCalled();
    expect((await registry.invoke("ns/a")).success).toBe(true);
  });

  it("goes on working over replacements by the same owner, with the new implementation", async () => {
    const registry = new ToolRegistry();
    registry.replaceNamespace("ns", [spec("a", { says: "1" })], "o");
    const kept = registry.get("ns/a");
    registry.replaceNamespace("ns", [spec("a", { says: "2" })], "o");
    expect(said((await kept?.invoke()) as never)).toBe("2");
    registry.replaceNamespace("ns", [spec("a", { says: "3", description: "Other." })], "o");
    expect(said((await kept?.invoke()) as never)).toBe("3");
    expect(kept?.description).toBe("Does a.");
    expect(registry.get("ns/a")?.description).toBe("Other.");
  });

  it("is checked by the new definition's validator", async () => {
    const registry = new ToolRegistry();
    registry.replaceNamespace("ns", [spec("a")], "o");
    const kept = registry.get("ns/a");
    const strict = spec("a", { validate: () => ({ ok: false, issues: [{ message: "no" }] }) });
    registry.replaceNamespace("ns", [strict], "o");
    expect(await kept?.invoke({ a: 1 })).toMatchObject({ errorCode: "validation", ran: "no" });
  });
});

describe("onChange", () => {
  it("tells after the fact what came, changed and went, and nothing else", () => {
    const registry = new ToolRegistry();
    const seen: unknown[] = [];
    const stop = registry.onChange((change) => seen.push([change, registry.size]));
    registry.register("a", spec("x"));
    registry.replaceNamespace("b", [spec("y"), spec("z")], "o");
    registry.replaceNamespace("b", [spec("y")], "o");
    registry.replaceNamespace("b", [spec("y")], "o");
    registry.replaceNamespace("b", [spec("y", { capability: WRITES })], "o");
    registry.unregister("a/x");
    registry.unregister("a/x");
    stop();
    registry.register("a", spec("late"));
    expect(seen).toEqual([
      [{ added: ["a/x"], updated: [], removed: [] }, 1],
      [{ added: ["b/y", "b/z"], updated: [], removed: [] }, 3],
      [{ added: [], updated: [], removed: ["b/z"] }, 2],
      [{ added: [], updated: ["b/y"], removed: [] }, 2],
      [{ added: [], updated: [], removed: ["a/x"] }, 1],
    ]);
  });

  it("surfaces what a listener throws as an uncaught error, without harm to anyone else", () => {
    const registry = new ToolRegistry();
    const thrown = new Error("a listener's bug");
    const later: (() => void)[] = [];
    const queue = vi.spyOn(globalThis, "queueMicrotask").mockImplementation((task) => {
      later.push(task);
    });
    const other = vi.fn();
    registry.onChange(() => {
      throw thrown;
    });
    registry.onChange(other);
    try {
      expect(registry.replaceNamespace("ns", [spec("x")]).added).toEqual(["ns/x"]);
      registry.unregister("ns/x");
    } finally {
      queue.mockRestore();
    }
    expect(other).toHaveBeenCalledTimes(2);
    expect(later).toHaveLength(2);
    expect(() => later[0]?.()).toThrow(thrown);
  });

  it("tells changes that listeners make in the order in which they happen", () => {
    const registry = new ToolRegistry();
    const seen: string[] = [];
    registry.onChange(({ added }) => {
      if (added.includes("ns/a")) registry.register("ns", spec("b"));
    });
    registry.onChange(({ added }) => seen.push(...added));
    registry.register("ns", spec("a"));
    expect(seen).toEqual(["ns/a", "ns/b"]);
  });

  it("lets a function listen twice and stop once", () => {
    const registry = new ToolRegistry();
    const listener = vi.fn();
    const stop = registry.onChange(listener);
    registry.onChange(listener);
    stop();
    stop();
    registry.register("ns", spec("a"));
    expect(listener).toHaveBeenCalledTimes(1);
  });
});
