import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };

const source = fileURLToPath(new URL("../src/", import.meta.url));

/** All modules an entry reaches by relative imports, and the packages it names. */
function reach(entry: string): { files: Set<string>; packages: Set<string> } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const pending = [join(source, entry)];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    const text = readFileSync(file, "utf8");
    for (const [, specifier = ""] of text.matchAll(/\b(?:from|import)\s*\(?\s*"([\w@./:-]+)"/g)) {
      if (specifier.startsWith(".")) pending.push(join(dirname(file), specifier));
      else packages.add(specifier);
    }
  }
  return { files, packages };
}

describe("the package", () => {
  it("has a root that imports nothing: no package, no Node builtin", () => {
    const { files, packages } = reach("index.ts");
    expect(files.size).toBeGreaterThan(20);
    expect([...packages]).toEqual([]);
  });

  it("has a /providers entry that imports nothing either, and that the root does not load", () => {
    const { files, packages } = reach("providers.ts");
    expect([...packages]).toEqual([]);
    expect([...files].filter((file) => file.includes("/providers/")).length).toBeGreaterThan(5);
    expect([...reach("index.ts").files].filter((file) => file.includes("/providers"))).toEqual([]);
  });

  it("has a /yaml entry that imports yaml alone", () => {
    expect([...reach("yaml.ts").packages]).toEqual(["yaml"]);
  });

  it("asks a consumer to install nothing, and yaml only if it is wanted", () => {
    expect(manifest).not.toHaveProperty("dependencies");
    expect(Object.keys(manifest.peerDependencies)).toEqual(["yaml"]);
    expect(manifest.peerDependenciesMeta.yaml.optional).toBe(true);
  });
});
