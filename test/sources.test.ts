import { readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { type Node, nodes, parse } from "./syntax.ts";
import { packages, root, sourceFiles } from "./workspace.ts";

const maxLines = 300;
const maxCastsPerThousandLines = 5;

/** What no source may hold, as `rule × how often`. */
function forbidden(text: string): string[] {
  const tree = [...nodes(parse(text))];
  const found = {
    any: tree.filter(({ type }) => type === "TSAnyKeyword").length,
    "non-null !": tree.filter(
      (node) => node.type === "TSNonNullExpression" || node.definite === true,
    ).length,
    suppression: text.match(/biome-ignore|@ts-(?:ignore|expect-error|nocheck)|eslint-|v8 ignore/g)
      ?.length,
    "unfinished work": text.match(/\b(?:TODO|FIXME|XXX)\b/g)?.length,
    "export *": tree.filter(({ type }) => type === "ExportAllDeclaration").length,
  };
  return Object.entries(found).flatMap(([rule, count = 0]) =>
    count > 0 ? `${rule} × ${count}` : [],
  );
}

/** Type assertions; `as const` widens nothing and is none. */
function casts(text: string): number {
  return [...nodes(parse(text))].filter(
    (node) => node.type === "TSTypeAssertion" || (node.type === "TSAsExpression" && !isConst(node)),
  ).length;
}

function isConst({ typeAnnotation }: Node): boolean {
  return [...nodes(typeAnnotation)].some(
    ({ type, name }) => type === "Identifier" && name === "const",
  );
}

/** Statements of an index that are more than a named re-export. */
function notReexports(text: string): string[] {
  const { body } = parse(text);
  return [...(Array.isArray(body) ? body : [])]
    .filter(({ type, source }) => type !== "ExportNamedDeclaration" || source == null)
    .map(({ type }) => type);
}

function lines(text: string): string[] {
  return text.trimEnd().split("\n");
}

describe.each(packages.map((item) => [item.name, item] as const))("%s", (_, item) => {
  const files = sourceFiles(item).map((file) => ({
    file: relative(root, file),
    text: readFileSync(file, "utf8"),
  }));

  it("has an index of named re-exports only", () => {
    const index = readFileSync(join(item.path, "src/index.ts"), "utf8");
    expect(notReexports(index)).toEqual([]);
  });

  it(`keeps files to ${maxLines} lines and to one noun each`, () => {
    const long = files.map(({ file, text }) => ({ file, lines: lines(text).length }));
    expect(long.filter((entry) => entry.lines > maxLines)).toEqual([]);
    const vague = /^(utils?|helpers?|types|common|misc|shared|constants)\.ts$/;
    const names = files.map(({ file }) => basename(file));
    expect(
      names.filter((name) => vague.test(name) || !/^[a-z0-9]+(-[a-z0-9]+)*\.ts$/.test(name)),
    ).toEqual([]);
  });

  it("holds no any, no non-null assertion, no suppressed check, no unfinished work", () => {
    const found = files.map(({ file, text }) => ({ file, found: forbidden(text) }));
    expect(found.filter((entry) => entry.found.length > 0)).toEqual([]);
  });

  it(`casts less than ${maxCastsPerThousandLines} times in a thousand lines`, () => {
    const written = files.flatMap(({ text }) => lines(text)).filter((line) => line.trim() !== "");
    const allowed = Math.ceil((written.length * maxCastsPerThousandLines) / 1000);
    const counted = files.map(({ file, text }) => ({ file, casts: casts(text) }));
    const total = counted.reduce((sum, entry) => sum + entry.casts, 0);
    const where = counted.filter((entry) => entry.casts > 0);
    expect(total, JSON.stringify(where)).toBeLessThanOrEqual(allowed);
  });
});

describe("the rules themselves", () => {
  it.each([
    ["const a: any = 1;", "any × 1"],
    ["f(x as Map<string, any>);", "any × 1"],
    ["a!.b; a.c![0];", "non-null ! × 2"],
    ["let a!: string;", "non-null ! × 1"],
    ["// @ts-expect-error later\nf(1);", "suppression × 1"],
    ["// TODO: all of it", "unfinished work × 1"],
    ['export * from "./a.ts";', "export * × 1"],
  ])("refuse %s", (text, found) => {
    expect(forbidden(text)).toEqual([found]);
  });

  it.each([
    'const any = "any!"; if (!any) f(any !== "!");',
    "// has any effect!\nexport type { Any as any } from './a.ts';",
    "const todo = ['todo_list'];",
  ])("pass %s", (text) => {
    expect(forbidden(text)).toEqual([]);
  });

  it("count assertions, but no const and no renaming", () => {
    expect(casts("a as B; (<C>d); e as unknown as F;")).toBe(4);
    expect(
      casts("import { a as b } from './a.ts'; export { b as c }; const d = [b] as const;"),
    ).toBe(0);
  });

  it("tell code in an index from a named re-export", () => {
    expect(notReexports('export { a } from "./a.ts";\nexport type { B } from "./b.ts";')).toEqual(
      [],
    );
    expect(notReexports("export const a = 1;")).toEqual(["ExportNamedDeclaration"]);
    expect(notReexports('export * from "./a.ts";')).toEqual(["ExportAllDeclaration"]);
    expect(notReexports('import { a } from "./a.ts";\nexport { a };')).toEqual([
      "ImportDeclaration",
      "ExportNamedDeclaration",
    ]);
  });
});
