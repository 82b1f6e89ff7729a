import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format } from "@cfworker/json-schema";
import { describe, expect, it } from "vitest";
import { compileSchema as evalFree } from "../src/eval-free.ts";
import { compileSchema } from "../src/index.ts";
import { unicodePattern } from "../src/unicode-pattern.ts";
import { samplesFor } from "./samples.ts";
import type { JsonSchemaObject } from "./schema-object.ts";

const rows = JSON.parse(
  readFileSync(new URL("fixtures/real-tools.json", import.meta.url), "utf8"),
) as readonly {
  readonly tool: { readonly name: string; readonly inputSchema: JsonSchemaObject };
}[];

/** A program in a process of its own, which must not make code of strings. */
function runWithoutEval(entry: string): { stdout: string; stderr: string; status: number | null } {
  const url = new URL(`../src/${entry}`, import.meta.url).href;
  const program = `
    const { compileSchema } = await import(${JSON.stringify(url)});
    const { validate } = compileSchema({
      type: "object",
      properties: { page: { type: "integer", minimum: 1 }, word: { pattern: "^(a+)+$" } },
    });
    console.log(JSON.stringify([validate({ page: 1 }), validate({ page: "2" })]));
    try { validate({ word: "a".repeat(50) + "!" }); } catch (error) { console.log(error.code); }
  `;
  const args = ["--disallow-code-generation-from-strings", "--import", "tsx"];
  const child = spawnSync(process.execPath, [...args, "--input-type=module", "-e", program], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    encoding: "utf8",
  });
  return child;
}

describe("without generating code", { timeout: 60_000 }, () => {
  it("schemas are judged, explained and stopped", () => {
    const { stdout, stderr, status } = runWithoutEval("eval-free.ts");
    expect(stderr).toBe("");
    expect(status).toBe(0);
    const [verdicts = "", code] = stdout.trim().split("\n");
    expect(JSON.parse(verdicts)).toEqual([
      { ok: true },
      {
        ok: false,
        issues: [
          {
            pointer: "/page",
            path: ["page"],
            keyword: "type",
            message: '`page` must be an integer ≥ 1, got "2"',
          },
        ],
      },
    ]);
    expect(code).toBe("timeout");
  });

  it("the root entry says that it cannot", () => {
    const { stderr, status } = runWithoutEval("index.ts");
    expect(status).toBe(1);
    expect(stderr).toContain("uncompilable");
  });

  it("the table of formats of cfworker keeps what it has", () => {
    expect(format["uuid"]?.("no")).toBe(false);
    expect(Object.keys(format).filter((name) => name.startsWith("tool-schema "))).toHaveLength(9);
  });
});

describe("both engines", { timeout: 60_000 }, () => {
  it("say the same of every real tool, word for word", () => {
    let judged = 0;
    for (const { tool } of rows) {
      const one = compileSchema(tool.inputSchema);
      const other = evalFree(tool.inputSchema);
      for (const { value, why } of samplesFor(tool.inputSchema)) {
        expect(other.validate(value), `${tool.name}: ${why}`).toEqual(one.validate(value));
        judged += 1;
      }
    }
    expect(judged).toBeGreaterThan(5_000);
  });
});

describe("a pattern that is legal only without the flag u", () => {
  it.each<[string, string, readonly string[], readonly string[]]>([
    ["^wss\\:\\/\\/", "^wss:\\/\\/", ["wss://h"], ["wss:h"]],
    ["^[\\w-.]+$", "^[\\w\\-.]+$", ["a-b.c"], ["a b"]],
    ["^[.-\\d]+$", "^[.\\-\\d]+$", [".-1"], ["a"]],
    ["^\\-a\\_b$", "^-a_b$", ["-a_b"], ["\\-a_b"]],
    ["^a{$", "^a\\{$", ["a{"], ["a"]],
    ["^{x}]$", "^\\{x\\}\\]$", ["{x}]"], ["x"]],
    ["^a{2}\\:$", "^a{2}:$", ["aa:"], ["a:"]],
    ["^\\u{3}\\:$", "^u{3}:$", ["uuu:"], ["\u0003:"]],
    ["^\\x4\\:$", "^x4:$", ["x4:"], ["\u0004:"]],
    ["^\\u0041\\x41\\cA\\:$", "^\\u0041\\x41\\cA:$", ["AA\u0001:"], ["u0041x41cA:"]],
    ["^[[\\@]+$", "^[[@]+$", ["[@"], ["\\"]],
    ["^[a\\-z\\:]+$", "^[a\\-z:]+$", ["a-z:"], ["b"]],
    ["^[\\:-]+$", "^[:-]+$", [":-"], ["a"]],
  ])("%s is read as %s", (pattern, written, fitting, unfit) => {
    expect(unicodePattern(pattern)).toBe(written);
    const { validate } = evalFree({ pattern });
    for (const text of fitting) {
      expect(new RegExp(pattern).test(text), text).toBe(true);
      expect(validate(text).ok, text).toBe(true);
    }
    for (const text of unfit) {
      expect(new RegExp(pattern).test(text), text).toBe(false);
      expect(validate(text).ok, text).toBe(false);
    }
  });

  it("is left alone if it is legal with it", () => {
    for (const pattern of ["^\\p{L}+$", "[^\\]]", "a{2,}", "(?<n>a)\\k<n>"]) {
      expect(unicodePattern(pattern)).toBe(pattern);
    }
  });

  it.each(["(?=a)*b", "\\1(a)\\8"])(
    "is refused at the first use if it cannot be said: %s",
    (pattern) => {
      expect(compileSchema({ pattern }).validate(5).ok).toBe(true);
      const { validate } = evalFree({ properties: { a: { pattern } } });
      expect(() => validate({})).toThrowError(expect.objectContaining({ code: "invalid_pattern" }));
    },
  );
});
