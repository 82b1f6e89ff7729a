import { describe, expect, it } from "vitest";
import { ToolRegistry, ToolRegistryError } from "../src/index.ts";
import { type OverrideFile, readOverrides } from "../src/yaml.ts";
import { READS, spec, thrownBy } from "./sample-tools.ts";

const TOOL_YAML = `# tool YAML
name: github/create_issue
overrides:
  capability: { writes: true }
  description: Opens an issue.
`;

const SKILL_YAML = `# skill YAML (has \`tools:\`)
name: triage
tools:
  - name: github/list_issues
    overrides: { read_only: true, checkpointable: false }
`;

describe("readOverrides", () => {
  it("reads the two shapes, with the line of every field", () => {
    const { entries } = readOverrides([
      { path: "tool.yaml", text: TOOL_YAML },
      { path: "skill.yaml", text: SKILL_YAML },
    ]);
    expect(entries).toEqual([
      {
        tool: "github/create_issue",
        kind: "tool",
        fields: { writes: true, description: "Opens an issue." },
        positions: {
          tool: { file: "tool.yaml", line: 2 },
          writes: { file: "tool.yaml", line: 4 },
          description: { file: "tool.yaml", line: 5 },
        },
      },
      {
        tool: "github/list_issues",
        kind: "skill",
        fields: { readOnly: true, checkpointable: false },
        positions: {
          tool: { file: "skill.yaml", line: 4 },
          readOnly: { file: "skill.yaml", line: 5 },
          checkpointable: { file: "skill.yaml", line: 5 },
        },
      },
    ]);
  });

  it("takes effect in a registry, with origin, file and line as the reason", () => {
    const registry = new ToolRegistry();
    registry.register("github", spec("create_issue", { capability: READS }));
    registry.register("github", spec("list_issues"));
    const files = [
      { path: "skill.yaml", text: SKILL_YAML },
      { path: "tool.yaml", text: TOOL_YAML },
    ];
    const { applied, unmatched } = registry.applyOverrides(readOverrides(files), {
      origin: "team",
    });
    expect(applied).toEqual(["github/create_issue", "github/list_issues"]);
    expect(unmatched).toEqual([]);
    const created = registry.get("github/create_issue");
    expect(created?.description).toBe("Opens an issue.");
    expect(created?.capability).toMatchObject({ effect: "write", readOnly: false });
    expect(created?.capability.because.map(({ detail }) => detail)).toEqual([
      "overridden by team (tool.yaml:4), implied by writes: true",
      "overridden by team (tool.yaml:4)",
    ]);
    expect(created?.overrides).toContainEqual({
      field: "description",
      value: "Opens an issue.",
      origin: "team",
      file: "tool.yaml",
      line: 5,
    });
  });

  it("says with file and line what matches nothing", () => {
    const { unmatched } = new ToolRegistry().applyOverrides(
      readOverrides({ path: "tool.yaml", text: TOOL_YAML }),
      { origin: "team" },
    );
    expect(unmatched).toEqual([
      {
        tool: "github/create_issue",
        origin: "team",
        file: "tool.yaml",
        line: 2,
        reason: "not_found",
      },
    ]);
  });

  it("says with file, line and field what is refused when it is applied", () => {
    const registry = new ToolRegistry();
    registry.register("a", spec("b", { source: "mcp" }));
    const text = "name: a/b\noverrides:\n  title: T\n  checkpointable: true\n";
    const document = readOverrides({ path: "x.yaml", text });
    const refusals = [
      [{ origin: "me" }, "checkpointable", 4],
      [{ origin: "me", onlyStricter: true }, "title", 3],
    ] as const;
    for (const [options, field, line] of refusals) {
      const error = thrownBy(() => registry.applyOverrides(document, options));
      expect(error).toMatchObject({ code: "invalid_override", file: "x.yaml", line, field });
      expect(error.message).toContain(`x.yaml:${line}: `);
    }
  });

  it.each<
    [what: string, files: string | OverrideFile | (string | OverrideFile)[], tools: string[]]
  >([
    ["a bare text", TOOL_YAML, ["github/create_issue"]],
    [
      "many documents a file",
      `${TOOL_YAML}---\n${SKILL_YAML}---\n# nothing\n...\n`,
      ["github/create_issue", "github/list_issues"],
    ],
    [
      "bare texts and files",
      [TOOL_YAML, { path: "s", text: SKILL_YAML }],
      ["github/create_issue", "github/list_issues"],
    ],
    ["CRLF and a BOM", `\uFEFF${TOOL_YAML.replaceAll("\n", "\r\n")}`, ["github/create_issue"]],
    ["JSON", '{"name":"a/b","overrides":{"open_world":false}}', ["a/b"]],
    ["quoted keys", '"name": \'a/b\'\n"overrides": {"readOnly": true}', ["a/b"]],
    ["a skill with nothing to override", "tools: [{ name: a/b }]", ["a/b"]],
    ["an empty list", [], []],
    ["an empty file", "", []],
    ["comments only", "# later\n", []],
    ["an empty document", "---\n---\n", []],
    ["anchors that nobody uses", "name: &x a/b\noverrides: {}", ["a/b"]],
  ])("takes %s", (_what, files, tools) => {
    expect(readOverrides(files).entries.map(({ tool }) => tool)).toEqual(tools);
  });

  it.each<[what: string, text: string, line: number, field: string | undefined, shown: string]>([
    [
      "an unknown key",
      "name: a/b\noverrides:\n  read_onyl: true",
      3,
      "overrides.read_onyl",
      "read_onyl",
    ],
    ["an unknown top key", "name: a/b\ncolour: red\noverrides: {}", 2, "colour", "colour"],
    [
      "a key of a later tool",
      "tools:\n  - name: a/b\n  - name: c/d\n    overides: {}",
      4,
      "tools[1].overides",
      "overides",
    ],
    [
      "a wrong type",
      "name: a/b\noverrides:\n  writes: maybe",
      3,
      "overrides.writes",
      "true or false, got a string",
    ],
    [
      "yes for true",
      "name: a/b\noverrides:\n\n  writes: yes",
      4,
      "overrides.writes",
      "true or false",
    ],
    ["a key without a value", "name: a/b\noverrides:\n  writes:", 3, "overrides.writes", "null"],
    ["a number for a text", "name: a/b\noverrides:\n  title: 7", 3, "overrides.title", "a string"],
    [
      "both effects",
      "name: a/b\noverrides:\n  read_only: true\n  capability:\n    writes: true",
      5,
      "overrides.writes",
      "both",
    ],
    [
      "a field given in two spellings",
      "name: a/b\noverrides:\n  read_only: true\n  readOnly: true",
      4,
      "overrides.readOnly",
      "twice",
    ],
    ["no name", "overrides: {}", 1, "name", "name"],
    ["no overrides", "name: a/b", 1, "overrides", "overrides"],
    ["a skill without a list", "name: s\ntools: a/b", 2, "tools", "a list"],
    [
      "a second document that is wrong",
      `${TOOL_YAML}---\nname: a/b\noverrides: 5\n`,
      8,
      "overrides",
      "a mapping",
    ],
    ["a path instead of a text", "overrides.yaml", 1, undefined, "not its path"],
    ["a list of tools", "- name: a/b\n  overrides: {}", 1, undefined, "a mapping"],
    [
      "a key that occurs twice",
      "name: a/b\noverrides:\n  writes: true\n  writes: false",
      4,
      undefined,
      "twice",
    ],
    ["a top key that occurs twice", "name: a/b\nname: c/d\noverrides: {}", 2, undefined, "twice"],
    ["an alias", "name: a/b\noverrides: &o { writes: true }\nmore: *o", 3, undefined, "alias"],
    ["an alias to nothing", "name: a/b\noverrides: *none", 2, undefined, "alias"],
    ["a merge key", "name: a/b\noverrides:\n  <<: { writes: true }", 3, "overrides.<<", "<<"],
    [
      "a merge key of YAML 1.1",
      "%YAML 1.1\n---\nname: a/b\noverrides:\n  <<: { writes: true }",
      5,
      "overrides.<<",
      "<<",
    ],
    ["a tag", "name: a/b\noverrides:\n  writes: !!bool true", 3, undefined, "tag"],
    ["a tag of its own", "name: a/b\noverrides: !run { writes: true }", 2, undefined, "tag"],
    ["a tag on a key", "name: a/b\noverrides:\n  !!str writes: true", 3, undefined, "key"],
    ["a set", "!!set { name, overrides }", 1, undefined, "tag"],
    ["a key that is a list", "name: a/b\n[overrides]: {}", 2, undefined, "key"],
    ["a key that is a number", "name: a/b\n5: {}", 2, undefined, "key"],
    ["a key that is null", "name: a/b\n? \n: {}", 2, undefined, "key"],
    [
      "a __proto__",
      "name: a/b\noverrides:\n  __proto__: { writes: true }",
      3,
      "overrides.__proto__",
      "__proto__",
    ],
    ["a __proto__ at the top", "__proto__: { name: a/b }", 1, "__proto__", "__proto__"],
    [
      "a bottomless tree",
      `name: a/b\noverrides: ${"[".repeat(30)}${"]".repeat(30)}`,
      2,
      undefined,
      "deeper",
    ],
    ["no YAML", "name: a/b\noverrides: {", 2, undefined, ""],
    ["a tab for an indent", "name: a/b\noverrides:\n\twrites: true", 3, undefined, ""],
    ["a text that never ends", 'name: "a/b', 1, undefined, ""],
  ])("refuses %s with file, line and field", (_what, text, line, field, shown) => {
    const error = thrownBy(() => readOverrides({ path: "dir/wrong.yaml", text }));
    expect(error).toMatchObject({ code: "invalid_override", file: "dir/wrong.yaml", line, field });
    expect(error.message.startsWith(`dir/wrong.yaml:${line}: `)).toBe(true);
    expect(error.message).toContain(shown);
    expect(({} as Record<string, unknown>)["writes"]).toBeUndefined();
  });

  it("numbers a text that has no path", () => {
    const error = thrownBy(() => readOverrides([TOOL_YAML, "name: 5\noverrides: {}"]));
    expect(error).toMatchObject({ file: "<yaml 2>", line: 1, field: "name" });
  });

  it.each([null, 5, { path: "x" }, { text: "x" }, [undefined]])(
    "refuses %j, which is neither text nor file",
    (wrong) => {
      expect(thrownBy(() => readOverrides(wrong as never)).code).toBe("invalid_override");
    },
  );

  it("never shows a value of a wrong file", () => {
    for (const text of ["token: hunter2-secret", "hunter2-secret", "name: [hunter2-secret]"]) {
      const error = thrownBy(() => readOverrides({ path: "secrets.yaml", text }));
      expect(error.message).not.toContain("hunter2");
    }
  });
});

describe("hostile YAML", () => {
  const laughs = [
    "a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]",
    ..."bcdefghi".split("").map((key, index) => {
      const previous = "abcdefghi".charAt(index);
      return `${key}: &${key} [${Array(9).fill(`*${previous}`).join(",")}]`;
    }),
  ].join("\n");

  it.each([
    ["billion laughs", laughs],
    ["a deep flow list", "[".repeat(20_000)],
    ["a deep flow map", "{a: ".repeat(20_000)],
    ["a deep block list", "- ".repeat(20_000)],
    ["a file without end", "x".repeat(1_000_001)],
    ["many keys", Array.from({ length: 40_000 }, (_, i) => `k${i}:`).join("\n")],
    [
      "many anchors and an alias",
      `${Array.from({ length: 20_000 }, (_, i) => `- &a${i} x`).join("\n")}\n- *a1`,
    ],
  ])("such as %s is refused in good time", (_what, text) => {
    const started = performance.now();
    expect(() => readOverrides({ path: "hostile.yaml", text })).toThrow(ToolRegistryError);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it("is read in linear time where it is sound", () => {
    const text = `tools:\n${Array.from({ length: 3_000 }, (_, i) => `- { name: a/t${i}, overrides: { writes: true } }`).join("\n")}`;
    const started = performance.now();
    expect(readOverrides(text).entries).toHaveLength(3_000);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
