import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { documents, snippetsOf } from "../scripts/packed/documents.mjs";
import { brokenPromise, fences, promisedLines } from "../scripts/packed/fences.mjs";
import { packages, root } from "./workspace.ts";

// The root has no yaml of its own; tool-registry tests with one.
const fromRegistry = createRequire(join(root, "packages/tool-registry/package.json"));
const { parseAllDocuments }: { parseAllDocuments(text: string): { errors: unknown[] }[] } =
  fromRegistry("yaml");

describe.each(documents())("%s", (document) => {
  it("has only fences whose snippets are checked or plainly only shown", () => {
    expect(() => snippetsOf(document)).not.toThrow();
  });

  it("shows json and yaml that parse", () => {
    for (const { language, text, line } of snippetsOf(document)) {
      if (language === "json") expect(() => JSON.parse(text), `line ${line}`).not.toThrow();
      if (language !== "yaml") continue;
      const found = parseAllDocuments(text).flatMap(({ errors }) => errors);
      expect(found, `line ${line}`).toEqual([]);
    }
  });
});

it.each(documents())("%s links to files that exist", (document) => {
  const text = readFileSync(join(root, document), "utf8").replaceAll(/^```.*?^```/gms, "");
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  const local = targets.filter((target) => !/^([a-z]+:|#)/.test(target));
  const found = (target: string) =>
    existsSync(join(root, dirname(document), target.replace(/#.*$/, "")));
  expect(local.filter((target) => !found(target))).toEqual([]);
});

it.each(packages.map(({ name, folder }) => [name, folder]))("%s shows a program", (_, folder) => {
  const languages = snippetsOf(`packages/${folder}/README.md`).map(({ language }) => language);
  expect(languages).toContain("ts");
});

describe("fences", () => {
  it("finds each block with its language, its text and its line", () => {
    const markdown =
      '# a\n\n```ts\nf();\n\n  g();\n```\n\n- b\n\n  ```json\n  { "c":\n    1 }\n  ```\n';
    expect(fences(markdown)).toEqual([
      { language: "ts", text: "f();\n\n  g();\n", line: 3 },
      { language: "json", text: '{ "c":\n  1 }\n', line: 11 },
    ]);
  });

  it("takes shorter runs of backticks inside a block as text", () => {
    expect(fences("````text\n```ts\n```\n````\n")).toEqual([
      { language: "text", text: "```ts\n```\n", line: 1 },
    ]);
  });

  it.each([
    ["```\nf();\n```", "no info string"],
    ["```typescript\nf();\n```", 'info string "typescript"'],
    ["```js\nf();\n```", 'info string "js"'],
    ["```ts fragment\nf();\n```", 'info string "ts fragment"'],
    ["~~~ts\nf();\n~~~", "not tildes"],
    ["a\n```ts\nf();\n", "line 2: this fence never ends"],
  ])("refuses %j, which would go unchecked", (markdown, reason) => {
    expect(() => fences(markdown)).toThrow(reason);
  });
});

describe("promised output", () => {
  const program =
    'console.log(1);\n// prints: 1\nconsole.log("b  c"); // prints: b  c\n// printed\n';

  it("is every line comment that begins with `prints: `", () => {
    expect(promisedLines(program)).toEqual(["1", "b  c"]);
  });

  it.each([
    ["1\nb  c\n", undefined],
    ["0\n1\nbetween\nb  c\nafter\n", undefined],
    ["1\r\nb  c\r\n", undefined],
    ["b  c\n1\n", "b  c"],
    ["1\nb c\n", "b  c"],
    ["10\nb  c\n", "1"],
    ["", "1"],
  ])("printed %j: broken is %j", (printed, broken) => {
    expect(brokenPromise(promisedLines(program), printed)).toBe(broken);
  });
});
