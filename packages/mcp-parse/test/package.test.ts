import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as face from "../src/index.ts";

const root = new URL("../", import.meta.url);
const sources = readdirSync(new URL("src/", root));

it("exports this and nothing else", () => {
  expect(Object.keys(face).sort()).toEqual([
    "MCPParseError",
    "collectPages",
    "contentToText",
    "errorText",
    "expandUriTemplate",
    "isKnownBlock",
    "readCallResult",
    "readContent",
    "readPage",
    "readPrompt",
    "readPromptDescriptor",
    "readPromptDescriptors",
    "readResource",
    "readResourceDescriptor",
    "readResourceDescriptors",
    "readResourceTemplate",
    "readResourceTemplates",
    "readTool",
    "readTools",
  ]);
});

it("depends on nothing", () => {
  const manifest = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
  expect(manifest.dependencies ?? {}).toEqual({});
  expect(manifest.peerDependencies ?? {}).toEqual({});
});

it.each(sources)("%s imports only its neighbours", (file) => {
  const source = readFileSync(new URL(`src/${file}`, root), "utf8");
  const imported = [...source.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(
    (match) => match[1],
  );
  expect(imported.filter((specifier) => !specifier?.startsWith("./"))).toEqual([]);
});
