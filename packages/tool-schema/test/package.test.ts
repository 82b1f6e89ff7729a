import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as face from "../src/index.ts";

const root = new URL("../", import.meta.url);
const sources = readdirSync(new URL("src/", root));

it("exports this and nothing else", () => {
  expect(Object.keys(face).sort()).toEqual(["ToolSchemaError", "compileSchema"]);
});

it("depends on ajv and ajv-formats", () => {
  const manifest = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
  expect(Object.keys(manifest.dependencies)).toEqual(["ajv", "ajv-formats"]);
  expect(manifest.peerDependencies ?? {}).toEqual({});
});

it.each(sources)("%s imports its neighbours, ajv and no builtin of Node", (file) => {
  const source = readFileSync(new URL(`src/${file}`, root), "utf8");
  const imported = [...source.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(
    ([, name]) => name,
  );
  const foreign = imported.filter((specifier) => !specifier?.startsWith("./"));
  expect(foreign.filter((specifier) => !/^ajv(-formats)?(\/|$)/.test(specifier ?? ""))).toEqual([]);
});
