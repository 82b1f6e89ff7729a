import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { importsOf, isNodeBuiltin, packageName, parse, reach } from "./syntax.ts";
import { type Manifest, optionalPeers, packages, sourceFiles } from "./workspace.ts";

/** They start processes or open sockets; every other root entry runs wherever JavaScript does. */
const aboutProcesses = ["@x/mcp-transport", "@x/mcp-adapter", "@x/mcp-testkit"];
/** The only package that may load an MCP SDK. */
const aboutSdks = "@x/mcp-transport";

const declared = mkdtempSync(join(tmpdir(), "declared-"));
afterAll(() => rmSync(declared, { recursive: true, force: true }));

const pure = packages.filter(({ name }) => !aboutProcesses.includes(name));

describe.each(pure.map((item) => [item.name, item] as const))("%s needs no Node", (_, { path }) => {
  it("imports no builtin from its root, at once or later", () => {
    const { outside } = reach(join(path, "src/index.ts"), ["now", "later"]);
    expect(outside.filter(isNodeBuiltin)).toEqual([]);
  });

  it("builds without Node's types", () => {
    const config = readFileSync(join(path, "tsconfig.build.json"), "utf8");
    expect(JSON.parse(config)).toMatchObject({ compilerOptions: { types: [] } });
  });
});

describe.each(packages.map((item) => [item.name, item] as const))("%s", (name, item) => {
  const { path, manifest } = item;
  const index = join(path, "src/index.ts");

  it("imports no optional peer from its root", () => {
    const optional = optionalPeers(manifest);
    const { outside } = reach(index, ["now"]);
    expect(outside.filter((found) => optional.includes(packageName(found)))).toEqual([]);
  });

  it("loads an MCP SDK only in mcp-transport, and there only when it is needed", () => {
    const entries = Object.values(manifest.exports).flatMap(sourceFile);
    const atOnce = entries.flatMap((file) => reach(join(path, file), ["now"]).outside);
    const anywhere = sourceFiles(item).flatMap((file) =>
      importsOf(parse(readFileSync(file, "utf8"))),
    );
    const counted = name === aboutSdks ? atOnce : anywhere;
    expect(counted.filter(({ from }) => from.startsWith("@modelcontextprotocol/"))).toEqual([]);
  });

  it("makes a consumer's compiler read no types of a third party that is not a peer", () => {
    const folder = join(declared, item.folder);
    declare(path, folder);
    const entries = Object.values(manifest.exports).flatMap(declarationFile);
    const outside = entries.flatMap(
      (file) => reach(join(folder, file), ["now", "later", "type"], declarationOf).outside,
    );
    const allowed = nameable(manifest);
    const strange = outside.filter((found) => {
      if (isNodeBuiltin(found)) return !aboutProcesses.includes(name);
      return !allowed.includes(packageName(found));
    });
    expect(strange).toEqual([]);
  });
});

function declare(path: string, outDir: string): void {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve("typescript/package.json");
  const tsc = join(dirname(manifest), "bin/tsc");
  const { status, stdout } = spawnSync(
    process.execPath,
    [tsc, "-p", "tsconfig.build.json", "--declarationMap", "false", "--outDir", outDir],
    { cwd: path, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stdout);
}

function sourceFile(entry: Manifest["exports"][string]): string[] {
  const { "@x/source": source } = typeof entry === "string" ? {} : entry;
  return source === undefined ? [] : [source];
}

/** `./dist/yaml.d.ts` → `yaml.d.ts` */
function declarationFile(entry: Manifest["exports"][string]): string[] {
  const { types } = typeof entry === "string" ? {} : entry;
  return types === undefined ? [] : [relative("dist", types)];
}

/** Emitted declarations keep the `.ts` of their imports. */
function declarationOf(file: string): string {
  return file.replace(/(\.d)?\.ts$/, ".d.ts");
}

/** Packages whose types may stand in our own: peers, and ours. */
function nameable({ dependencies = {}, peerDependencies = {} }: Manifest): string[] {
  const ours = Object.keys(dependencies).filter((dependency) => dependency.startsWith("@x/"));
  return [...ours, ...Object.keys(peerDependencies)];
}

describe("the reading of imports", () => {
  it.each([
    ['import { readFile } from "node:fs";', "now"],
    ['import fs from "node:fs";', "now"],
    ['import "node:fs";', "now"],
    ['export { readFile } from "node:fs";', "now"],
    ['export * from "node:fs";', "now"],
    ['import { type Stats, statSync } from "node:fs";', "now"],
    ['const fs = await import("node:fs");', "later"],
    ['import type { Stats } from "node:fs";', "type"],
    ['import { type Stats } from "node:fs";', "type"],
    ['export type { Stats } from "node:fs";', "type"],
    ['let stats: import("node:fs").Stats;', "type"],
  ])("%s is %s", (text, kind) => {
    expect(importsOf(parse(text))).toEqual([{ from: "node:fs", kind }]);
  });

  it("knows a builtin with and without its prefix, and by subpath", () => {
    const builtin = (from: string) => isNodeBuiltin({ from, kind: "now" });
    expect(["fs", "node:fs", "fs/promises", "node:test"].every(builtin)).toBe(true);
    expect(["yaml", "@x/fs", "fs-extra", "./fs.ts"].some(builtin)).toBe(false);
  });
});
