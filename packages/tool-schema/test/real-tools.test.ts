import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compileSchema } from "../src/index.ts";
import { samplesFor } from "./samples.ts";
import type { JsonSchemaObject } from "./schema-object.ts";

interface Row {
  readonly server: string;
  readonly tool: {
    readonly name: string;
    readonly inputSchema: JsonSchemaObject & { readonly $schema?: string };
    readonly outputSchema?: JsonSchemaObject;
  };
}

const rows = JSON.parse(
  readFileSync(new URL("fixtures/real-tools.json", import.meta.url), "utf8"),
) as readonly Row[];
const servers = [...new Set(rows.map(({ server }) => server))];

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}

describe("the schemas of 667 real tools", () => {
  it("name no dialect, draft-07 or 2020-12", () => {
    expect(rows).toHaveLength(667);
    const dialects = new Map<string, number>();
    for (const { tool } of rows) {
      const { dialect } = compileSchema(tool.inputSchema);
      const key = `${tool.inputSchema.$schema === undefined ? "none" : "named"} ${dialect}`;
      dialects.set(key, (dialects.get(key) ?? 0) + 1);
    }
    expect(Object.fromEntries(dialects)).toEqual({
      "none 2020-12": 378,
      "named draft-07": 255,
      "named 2020-12": 34,
    });
  });

  it.each(servers)("of %s compile without a repair and judge samples made for them", (server) => {
    let judged = 0;
    for (const { tool } of rows.filter((row) => row.server === server)) {
      deepFreeze(tool);
      const { validate, notes } = compileSchema(tool.inputSchema);
      expect(notes, tool.name).toEqual([]);
      for (const { value, fits, why } of samplesFor(tool.inputSchema)) {
        const verdict = validate(deepFreeze(value));
        expect(verdict.ok, `${tool.name}: ${why}: ${JSON.stringify(verdict)}`).toBe(fits);
        judged += 1;
      }
    }
    expect(judged).toBeGreaterThan(2);
  });

  it("tell in each issue where it is and why", () => {
    for (const { tool } of rows) {
      const { validate } = compileSchema(tool.inputSchema);
      for (const { value, fits } of samplesFor(tool.inputSchema)) {
        const verdict = validate(value);
        if (fits || verdict.ok) continue;
        expect(verdict.issues.length).toBeGreaterThan(0);
        for (const { pointer, path, keyword, message } of verdict.issues) {
          expect(pointer).toBe(path.map((key) => `/${String(key).replaceAll("/", "~1")}`).join(""));
          expect(keyword).not.toBe("");
          expect(message).toMatch(/must|missing|not allowed|fits none/);
          expect(message).not.toContain("undefined");
        }
      }
    }
  });

  it("compile for results too", () => {
    const outputs = rows.flatMap(({ tool }) => tool.outputSchema ?? []);
    expect(outputs).toHaveLength(27);
    for (const schema of outputs) {
      expect(compileSchema(schema).validate(5).ok).toBe(false);
      expect(compileSchema(schema).notes).toEqual([]);
    }
  });
});
