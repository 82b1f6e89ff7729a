import { describe, expect, it, vi } from "vitest";
import { type OverrideSource, parseOverrides, ToolRegistry, type ToolSpec } from "../src/index.ts";
import { READS, spec, thrownBy, WRITES } from "./sample-tools.ts";

const withTool = (change: Partial<ToolSpec> = {}): ToolRegistry => {
  const registry = new ToolRegistry();
  registry.register("ns", spec("tool", change));
  return registry;
};

const forTool = (overrides: Record<string, unknown>): OverrideSource => ({
  name: "ns/tool",
  overrides,
});

const forSkill = (overrides: Record<string, unknown>): OverrideSource => ({
  name: "skill",
  tools: [{ name: "ns/tool", overrides }],
});

describe("applyOverrides", () => {
  it("changes texts and checkpointable, and says where from", () => {
    const registry = withTool();
    registry.applyOverrides(
      forTool({ title: "Opens", description: "Opens an issue.", checkpointable: true }),
      { origin: "team" },
    );
    const tool = registry.get("ns/tool");
    expect(tool).toMatchObject({
      title: "Opens",
      description: "Opens an issue.",
      checkpointable: true,
    });
    expect(tool?.overrides).toEqual([
      { field: "title", value: "Opens", origin: "team" },
      { field: "description", value: "Opens an issue.", origin: "team" },
      { field: "checkpointable", value: true, origin: "team" },
    ]);
    expect(tool?.capability).toEqual(registry.list()[0]?.capability);
  });

  it.each([
    ["read_only", "readOnly"],
    ["writes", "writes"],
    ["destructive", "destructive"],
    ["idempotent", "idempotent"],
    ["open_world", "openWorld"],
  ] as const)("sets %s, in either spelling, under capability or beside it", (snake, camel) => {
    for (const value of [true, false]) {
      for (const key of [snake, camel]) {
        for (const block of [{ [key]: value }, { capability: { [key]: value } }]) {
          const registry = withTool();
          registry.applyOverrides(forTool(block), { origin: "me" });
          expect(registry.get("ns/tool")?.capability[camel]).toBe(value);
        }
      }
    }
  });

  const effects: [
    overrides: Record<string, boolean>,
    from: Partial<ToolSpec>,
    expected: unknown,
  ][] = [
    [{ read_only: true }, {}, { effect: "read", readOnly: true, writes: false }],
    [
      { read_only: true },
      { capability: WRITES },
      { effect: "read", readOnly: true, writes: false },
    ],
    [{ writes: true }, { capability: READS }, { effect: "write", readOnly: false, writes: true }],
    [
      { read_only: false },
      { capability: READS },
      { effect: "unknown", readOnly: false, writes: false },
    ],
    [
      { writes: false },
      { capability: WRITES },
      { effect: "unknown", readOnly: false, writes: false },
    ],
    [{ read_only: true, writes: false }, {}, { effect: "read", readOnly: true, writes: false }],
    [{ read_only: false, writes: true }, {}, { effect: "write", readOnly: false, writes: true }],
    [{ read_only: false, writes: false }, { capability: WRITES }, { effect: "unknown" }],
    [{ destructive: false }, { capability: WRITES }, { effect: "write", destructive: false }],
    [{ read_only: true }, { capability: WRITES }, { effect: "read", destructive: false }],
    [{ destructive: true }, { capability: READS }, { effect: "unknown", destructive: true }],
    [{ destructive: true }, { capability: WRITES }, { effect: "write", destructive: true }],
    [{ idempotent: true, open_world: false }, { capability: READS }, { effect: "read" }],
  ];

  it.each(effects)("makes the effect of %j anew", (overrides, from, expected) => {
    const registry = withTool(from);
    registry.applyOverrides(forTool(overrides), { origin: "me" });
    expect(registry.get("ns/tool")?.capability).toMatchObject(expected as object);
  });

  it("stands in because, trusted, with what it implies; what it overrules is gone", () => {
    const registry = withTool({ capability: WRITES });
    registry.applyOverrides(forTool({ read_only: true }), { origin: "ops" });
    expect(registry.get("ns/tool")?.capability.because).toEqual([
      {
        about: "readOnly",
        says: true,
        from: "override",
        trusted: true,
        detail: "overridden by ops",
      },
      {
        about: "writes",
        says: false,
        from: "override",
        trusted: true,
        detail: "overridden by ops, implied by readOnly: true",
      },
      {
        about: "destructive",
        says: false,
        from: "override",
        trusted: true,
        detail: "overridden by ops, implied by readOnly: true",
      },
    ]);
    registry.applyOverrides(forTool({ writes: true }), { origin: "audit" });
    const because = registry.get("ns/tool")?.capability.because ?? [];
    expect(because.map(({ about, says, from }) => [about, says, from])).toEqual([
      ["writes", true, "name"],
      ["readOnly", false, "override"],
      ["writes", true, "override"],
    ]);
    expect(because.every(({ detail }) => !detail.includes("ops"))).toBe(true);
  });

  it("passes the conflicts of the inference along", () => {
    const conflicts = [{ about: "readOnly" }];
    const registry = withTool({ capability: { ...READS, conflicts } });
    registry.applyOverrides(forTool({ idempotent: true }), { origin: "me" });
    expect(registry.get("ns/tool")?.capability.conflicts).toEqual(conflicts);
  });

  it("reaches the tool: the capability in its context is the one after overrides", async () => {
    const invoke = vi.fn(spec("x").invoke);
    const registry = withTool({ invoke });
    const kept = registry.get("ns/tool");
    registry.applyOverrides(forTool({ idempotent: true }), { origin: "me" });
    await registry.invoke("ns/tool");
    await kept?.invoke();
    for (const [, context] of invoke.mock.calls) {
      expect(context.capability?.idempotent).toBe(true);
    }
  });

  it("survives re-registration, removal and a late arrival", () => {
    const registry = new ToolRegistry();
    const { applied, unmatched } = registry.applyOverrides(
      [forTool({ read_only: true }), { name: "ns/late", overrides: { title: "Late" } }] as never,
      { origin: "me" },
    );
    expect(applied).toEqual([]);
    expect(unmatched.map(({ tool }) => tool)).toEqual(["ns/tool", "ns/late"]);
    for (const description of ["one", "two"]) {
      registry.replaceNamespace("ns", [spec("tool", { description, capability: WRITES })], "o");
      expect(registry.get("ns/tool")?.capability.effect).toBe("read");
    }
    registry.replaceNamespace("ns", [], "o");
    registry.replaceNamespace("ns", [spec("tool"), spec("late")], "other");
    expect(registry.get("ns/tool")?.capability.effect).toBe("read");
    expect(registry.get("ns/late")?.title).toBe("Late");
    expect(registry.unmatchedOverrides()).toEqual([]);
  });

  it("reports what matches nothing, and again when its tool goes", () => {
    const registry = withTool();
    const report = registry.applyOverrides(
      [forTool({ writes: true }), { name: "ns/tol", overrides: { writes: true } }] as never,
      { origin: "me" },
    );
    const missing = { tool: "ns/tol", origin: "me", reason: "not_found" };
    expect(report).toEqual({ applied: ["ns/tool"], unmatched: [missing] });
    registry.unregister("ns/tool");
    expect(registry.unmatchedOverrides()).toEqual([{ ...missing, tool: "ns/tool" }, missing]);
  });

  it("tells listeners of the tools that became others, and of no more", () => {
    const registry = withTool();
    registry.register("ns", spec("other"));
    const listener = vi.fn();
    registry.onChange(listener);
    registry.applyOverrides(forTool({ writes: true }), { origin: "me" });
    registry.applyOverrides(forTool({ writes: true }), { origin: "me" });
    registry.applyOverrides({ name: "ns/gone", overrides: { writes: true } }, { origin: "me" });
    expect(listener.mock.calls).toEqual([[{ added: [], updated: ["ns/tool"], removed: [] }]]);
  });
});

describe("precedence, field by field", () => {
  const effectAfter = (...sources: OverrideSource[]): unknown => {
    const registry = withTool({ capability: READS });
    for (const source of sources) registry.applyOverrides(source, { origin: "me" });
    const { effect, destructive } = registry.get("ns/tool")?.capability ?? {};
    return { effect, destructive };
  };
  const both = (a: OverrideSource, b: OverrideSource): OverrideSource => [a, b] as never;

  it("is: inferred, tool file, skill file, later document", () => {
    expect(effectAfter()).toEqual({ effect: "read", destructive: null });
    expect(effectAfter(forTool({ writes: true }))).toEqual({ effect: "write", destructive: null });
    const toolThenSkill = both(forTool({ writes: true }), forSkill({ read_only: true }));
    expect(effectAfter(toolThenSkill)).toMatchObject({ effect: "read" });
    const skillThenTool = both(forSkill({ read_only: true }), forTool({ writes: true }));
    expect(effectAfter(skillThenTool)).toMatchObject({ effect: "read" });
    expect(effectAfter(skillThenTool, forTool({ writes: true }))).toMatchObject({
      effect: "write",
    });
  });

  it("lets the later of two files of a kind win", () => {
    const files = both(forTool({ writes: true }), forTool({ read_only: true }));
    expect(effectAfter(files)).toMatchObject({ effect: "read" });
  });

  it("leaves fields alone that the stronger one does not speak of", () => {
    const files = both(
      forTool({ destructive: true, writes: true }),
      forSkill({ destructive: false }),
    );
    expect(effectAfter(files)).toEqual({ effect: "write", destructive: false });
  });
});

describe("what an override implies", () => {
  it("lasts no longer than what implies it", () => {
    const registry = withTool({ capability: WRITES });
    registry.applyOverrides(forTool({ read_only: true }), { origin: "app" });
    registry.applyOverrides(forTool({ read_only: false }), {
      origin: "vendor",
      onlyStricter: true,
    });
    const tool = registry.get("ns/tool");
    expect(tool?.capability).toMatchObject({ effect: "write", writes: true, destructive: true });
    expect(tool?.overrides).toEqual([{ field: "readOnly", value: false, origin: "vendor" }]);
    expect(tool?.capability.because.map(({ detail }) => detail)).toEqual([
      "delete",
      "overridden by vendor",
    ]);
  });

  it("gives way to what an earlier override said once its premise is gone", () => {
    const registry = withTool();
    registry.applyOverrides(forTool({ writes: true }), { origin: "one" });
    registry.applyOverrides(forTool({ read_only: true }), { origin: "two" });
    expect(registry.get("ns/tool")?.capability.effect).toBe("read");
    registry.applyOverrides(forTool({ read_only: false }), { origin: "three" });
    expect(registry.get("ns/tool")?.capability).toMatchObject({ effect: "write", writes: true });
  });

  it("yields to what a stronger override says of the field itself", () => {
    const registry = withTool();
    registry.applyOverrides(forTool({ read_only: true }), { origin: "one" });
    registry.applyOverrides(forTool({ destructive: true }), { origin: "two", onlyStricter: true });
    expect(registry.get("ns/tool")?.capability).toMatchObject({
      effect: "unknown",
      readOnly: false,
      destructive: true,
    });
  });
});

describe("checkpointable", () => {
  it("true is refused for a tool of the source mcp, and nothing of the document is applied", () => {
    const registry = withTool({ source: "mcp" });
    const error = thrownBy(() =>
      registry.applyOverrides(forTool({ title: "T", checkpointable: true }), { origin: "me" }),
    );
    expect(error).toMatchObject({ code: "invalid_override", field: "checkpointable" });
    expect(error.message).toContain('"ns/tool"');
    expect(registry.get("ns/tool")?.title).toBeUndefined();
    expect(registry.unmatchedOverrides()).toEqual([]);
  });

  it("true has no effect on such a tool that comes later, and is reported", () => {
    const registry = new ToolRegistry();
    registry.applyOverrides(forTool({ title: "T", checkpointable: true }), { origin: "me" });
    registry.register("ns", spec("tool", { source: "mcp" }));
    expect(registry.get("ns/tool")).toMatchObject({ title: "T", checkpointable: false });
    expect(registry.get("ns/tool")?.overrides.map(({ field }) => field)).toEqual(["title"]);
    expect(registry.unmatchedOverrides()).toEqual([
      { tool: "ns/tool", origin: "me", reason: "not_checkpointable" },
    ]);
  });

  it("false is fine everywhere", () => {
    const registry = withTool({ source: "mcp" });
    registry.applyOverrides(forTool({ checkpointable: false }), { origin: "me" });
    expect(registry.get("ns/tool")?.checkpointable).toBe(false);
  });
});

describe("onlyStricter", () => {
  it.each([
    ["read_only", true],
    ["writes", false],
    ["destructive", false],
    ["idempotent", true],
    ["open_world", false],
    ["checkpointable", true],
    ["title", "T"],
    ["description", "D"],
  ])("refuses %s: %j, and all of the document", (key, value) => {
    const registry = withTool();
    const document = [forTool({ writes: true }), forSkill({ [key]: value })] as never;
    const options = { origin: "vendor", onlyStricter: true };
    const error = thrownBy(() => registry.applyOverrides(document, options));
    expect(error.code).toBe("invalid_override");
    expect(error.message).toContain("stricter");
    expect(registry.get("ns/tool")?.capability.effect).toBe("unknown");
    expect(() => registry.applyOverrides(document, { origin: "vendor" })).not.toThrow();
  });

  it.each([
    ["read_only", false],
    ["writes", true],
    ["destructive", true],
    ["idempotent", false],
    ["open_world", true],
    ["checkpointable", false],
  ])("takes %s: %j", (key, value) => {
    const registry = withTool({ capability: READS });
    const options = { origin: "vendor", onlyStricter: true };
    expect(registry.applyOverrides(forTool({ [key]: value }), options).applied).toEqual([
      "ns/tool",
    ]);
  });
});

describe("an override document", () => {
  const document = parseOverrides({ name: "ns/tool", overrides: { writes: true } });

  it("may be made by hand, and is checked like any other", () => {
    const registry = withTool();
    const fields = { readOnly: true };
    const entry = { tool: "ns/tool", kind: "skill", fields, positions: {} } as const;
    const bare = { tool: "ns/tool", fields: { idempotent: true } } as never;
    registry.applyOverrides({ entries: [entry, bare, ...document.entries] }, { origin: "me" });
    expect(registry.get("ns/tool")?.capability.idempotent).toBe(true);
    expect(registry.get("ns/tool")?.capability.effect).toBe("read");
    for (const wrong of [
      { entries: [{ ...entry, fields: { readOnly: "yes" } }] },
      { entries: [{ ...entry, fields: { readonly: true } }] },
      { entries: [{ ...entry, tool: 5 }] },
      { entries: {} },
      { entries: [null] },
    ]) {
      const error = thrownBy(() => registry.applyOverrides(wrong as never, { origin: "me" }));
      expect(error.code).toBe("invalid_override");
    }
  });

  it("may be changed later without effect on what was applied", () => {
    const registry = new ToolRegistry();
    const mine = structuredClone(document);
    registry.applyOverrides(mine, { origin: "me" });
    Object.assign(mine.entries[0]?.fields as object, { writes: false });
    registry.register("ns", spec("tool"));
    expect(registry.get("ns/tool")?.capability.writes).toBe(true);
  });
});

describe("parseOverrides", () => {
  it("reads tool files, skill files and lists of them", () => {
    const { entries } = parseOverrides([
      { name: "a/b", overrides: { readOnly: true } },
      { name: "s", tools: [{ name: "c/d", overrides: { title: "T" } }, { name: "e/f" }] },
      { tools: [] },
    ]);
    expect(entries.map(({ tool, kind, fields }) => [tool, kind, fields])).toEqual([
      ["a/b", "tool", { readOnly: true }],
      ["c/d", "skill", { title: "T" }],
      ["e/f", "skill", {}],
    ]);
  });

  const own = JSON.parse('{"name":"a/b","overrides":{"__proto__":{"writes":true}}}');
  it.each<[what: string, value: unknown, field: string, shown: string]>([
    ["null", null, "", "a mapping"],
    ["text", "a/b", "", "a mapping"],
    ["a tool without a name", { overrides: {} }, "name", "nothing"],
    ["a tool with an empty name", { name: "", overrides: {} }, "name", "not empty"],
    ["a tool without overrides", { name: "a/b" }, "overrides", "a mapping"],
    ["overrides that are a list", { name: "a/b", overrides: [] }, "overrides", "an array"],
    ["a misspelt top key", { name: "a/b", overides: {}, overrides: {} }, "overides", "overides"],
    [
      "a misspelt field",
      { name: "a/b", overrides: { read_onyl: true } },
      "overrides.read_onyl",
      "read_onyl",
    ],
    [
      "a field in another case",
      { name: "a/b", overrides: { READ_ONLY: true } },
      "overrides.READ_ONLY",
      "READ_ONLY",
    ],
    [
      "text for a boolean",
      { name: "a/b", overrides: { writes: "yes" } },
      "overrides.writes",
      "true or false",
    ],
    [
      "null for a boolean",
      { name: "a/b", overrides: { writes: null } },
      "overrides.writes",
      "null",
    ],
    [
      "a number for a text",
      { name: "a/b", overrides: { title: 5 } },
      "overrides.title",
      "a string",
    ],
    [
      "a field given twice",
      { name: "a/b", overrides: { read_only: true, readOnly: true } },
      "overrides.readOnly",
      "twice",
    ],
    [
      "a field given twice, once under capability",
      { name: "a/b", overrides: { writes: true, capability: { writes: true } } },
      "overrides.capability.writes",
      "twice",
    ],
    [
      "a text under capability",
      { name: "a/b", overrides: { capability: { title: "T" } } },
      "overrides.capability.title",
      "title",
    ],
    [
      "checkpointable under capability",
      { name: "a/b", overrides: { capability: { checkpointable: true } } },
      "overrides.capability.checkpointable",
      "checkpointable",
    ],
    [
      "capability within capability",
      { name: "a/b", overrides: { capability: { capability: {} } } },
      "overrides.capability.capability",
      "capability",
    ],
    [
      "capability that is no mapping",
      { name: "a/b", overrides: { capability: true } },
      "overrides.capability",
      "a mapping",
    ],
    [
      "both effects",
      { name: "a/b", overrides: { read_only: true, capability: { writes: true } } },
      "overrides.writes",
      "both",
    ],
    ["a skill that also has overrides", { tools: [], overrides: {} }, "overrides", "overrides"],
    ["a skill without a list", { tools: {} }, "tools", "a list"],
    ["a skill whose name is no text", { name: 5, tools: [] }, "name", "a number"],
    ["a skill's tool that is text", { tools: ["a/b"] }, "tools[0]", "a mapping"],
    ["a skill's tool without a name", { tools: [{ name: "a/b" }, {}] }, "tools[1].name", "nothing"],
    [
      "a skill's tool with a misspelt key",
      { tools: [{ name: "a/b", overide: {} }] },
      "tools[0].overide",
      "overide",
    ],
    ["a wrong part of a list", [{ tools: [] }, 5], "[1]", "a mapping"],
    ["an own __proto__", own, "overrides.__proto__", "__proto__"],
  ])("refuses %s, naming the field", (_what, value, field, shown) => {
    const error = thrownBy(() => parseOverrides(value));
    expect(error).toMatchObject({ code: "invalid_override", field });
    expect(error.message).toContain(shown);
  });

  it.each([undefined, "", 5])("is no way around an origin: %j is refused", (origin) => {
    const error = thrownBy(() =>
      new ToolRegistry().applyOverrides(forTool({}), { origin: origin as string }),
    );
    expect(error).toMatchObject({ code: "invalid_override", field: "origin" });
  });
});
