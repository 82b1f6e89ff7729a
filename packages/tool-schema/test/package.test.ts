import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as evalFree from "../src/eval-free.ts";
import * as face from "../src/index.ts";

const root = new URL("../", import.meta.url);

/** What an entry imports, by way of its neighbours. */
function importsOf(entry: string): { readonly files: Set<string>; readonly packages: Set<string> } {
  const files = new Set([entry]);
  const packages = new Set<string>();
  for (const file of files) {
    const source = readFileSync(new URL(`src/${file}`, root), "utf8");
    const pattern = /^(?:import|export)\s+(type\s)?[^;]*?from\s+"([^"]+)";|import\("([^"]+)"\)/gm;
    for (const [, isType, name = "", dynamic = name] of source.matchAll(pattern)) {
      if (dynamic.startsWith("./")) files.add(dynamic.slice(2));
      else if (isType === undefined) packages.add(dynamic);
    }
  }
  return { files, packages };
}

it.each([
  ["the root", face],
  ["/eval-free", evalFree],
])("%s exports this and nothing else", (_, entry) => {
  expect(Object.keys(entry).sort()).toEqual(["ToolSchemaError", "compileSchema"]);
});

it("depends on ajv and ajv-formats; all else is for those who have it", () => {
  const manifest = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
  expect(Object.keys(manifest.dependencies)).toEqual(["ajv", "ajv-formats"]);
  expect(Object.keys(manifest.peerDependencies)).toEqual(
    Object.keys(manifest.peerDependenciesMeta),
  );
  for (const peer of Object.values(manifest.peerDependenciesMeta)) {
    expect(peer).toEqual({ optional: true });
  }
});

describe("an entry imports", () => {
  it("the root: ajv and no builtin of Node", () => {
    const { files, packages } = importsOf("index.ts");
    expect(files.size).toBeGreaterThan(15);
    expect([...packages].sort()).toEqual([
      "ajv",
      "ajv-formats/dist/formats.js",
      "ajv/dist/2019.js",
      "ajv/dist/2020.js",
    ]);
  });

  it("/eval-free: cfworker and formats, and no engine that generates code", () => {
    const { packages } = importsOf("eval-free.ts");
    expect([...packages].sort()).toEqual(["@cfworker/json-schema", "ajv-formats/dist/formats.js"]);
  });
});
