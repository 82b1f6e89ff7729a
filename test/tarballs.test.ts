import { describe, expect, it } from "vitest";
import { closure, countVersions, optionalPeers } from "../scripts/packed/stranger.mjs";
import { complaints } from "../scripts/packed/tarballs.mjs";

const manifest = { name: "@x/a", version: "1.2.0", exports: {} };
const whole = ["README.md", "LICENSE", "package.json", "dist/index.js", "dist/index.d.ts"];

/** What is said of a tarball with these files and this manifest. */
function judged(files: readonly string[], fields: object = {}): string[] {
  const packed = { ...manifest, ...fields };
  const versions = new Map([["@x/b", "0.3.1"]]);
  return complaints(
    { files, manifest: packed, manifestText: JSON.stringify(packed, null, 2) },
    versions,
  );
}

describe("a tarball", () => {
  it("may hold built files with maps, sources, README, licence and manifest", () => {
    const built = ["dist/index.js.map", "dist/http/fetch.d.ts", "dist/http/fetch.d.ts.map"];
    expect(judged([...whole, ...built, "src/index.ts", "src/http/fetch.ts"])).toEqual([]);
  });

  it.each(whole)("must not lack %s", (missing) => {
    expect(judged(whole.filter((file) => file !== missing))).toEqual([`lacks ${missing}`]);
  });

  it("must hold the programs that it promises", () => {
    const bin = { a: "./dist/cli.js" };
    expect(judged(whole, { bin })).toEqual(["lacks dist/cli.js"]);
    expect(judged([...whole, "dist/cli.js"], { bin })).toEqual([]);
  });

  it.each([
    "tsconfig.json",
    "test/a.test.ts",
    "src/a.test.ts",
    "dist/tsconfig.tsbuildinfo",
    "dist/index.cjs",
    ".turbo/turbo-build.log",
    "CHANGELOG.md",
    "docs/README.md",
  ])("must not ship %s", (file) => {
    expect(judged([...whole, file])).toEqual([`ships ${file}`]);
  });

  it.each([
    ["workspace:", { devDependencies: { "@x/b": "workspace:^" } }],
    ["catalog:", { devDependencies: { zod: "catalog:" } }],
    ["@x/source", { exports: { ".": { "@x/source": "./src/index.ts" } } }],
  ])("must not say %s in its manifest", (leak, fields) => {
    expect(judged(whole, fields)).toEqual([`its package.json says "${leak}"`]);
  });

  it.each(["0.3.1", "^0.3.0", "*", "^0.4.0"])("must not want %s of a sibling", (range) => {
    const wanted = [`wants @x/b ${range}, not ^0.3.1`];
    expect(judged(whole, { dependencies: { "@x/b": range } })).toEqual(wanted);
    expect(judged(whole, { peerDependencies: { "@x/b": range } })).toEqual(wanted);
    expect(judged(whole, { dependencies: { "@x/b": "^0.3.1", c: range } })).toEqual([]);
  });
});

describe("what one package brings along", () => {
  const installed = {
    "node_modules/a": { version: "1.0.0", dependencies: { b: "^1", c: "^2" } },
    "node_modules/b": {
      version: "1.0.0",
      peerDependencies: { d: "*", e: "*" },
      peerDependenciesMeta: { e: { optional: true } },
    },
    "node_modules/b/node_modules/c": { version: "1.0.0" },
    "node_modules/c": { version: "2.0.0", dependencies: { b: "^1" } },
    "node_modules/d": { version: "1.0.0", dependencies: { c: "^1" } },
    "node_modules/d/node_modules/c": { version: "1.0.0" },
    "node_modules/e": { version: "1.0.0" },
    "node_modules/unrelated": { version: "1.0.0" },
  };

  it("is found as Node finds it, peers with it, optional peers without", () => {
    expect([...closure(installed, ["a"])].sort()).toEqual([
      "node_modules/a",
      "node_modules/b",
      "node_modules/c",
      "node_modules/d",
      "node_modules/d/node_modules/c",
    ]);
  });

  it("counts a version once, however often npm laid it", () => {
    const twice = new Set(["node_modules/b/node_modules/c", "node_modules/d/node_modules/c"]);
    expect(countVersions(installed, twice)).toBe(1);
    expect(countVersions(installed, closure(installed, ["a"]))).toBe(5);
  });

  it("is never less than what is wanted", () => {
    const { "node_modules/d": _, ...incomplete } = installed;
    expect(() => closure(incomplete, ["a"])).toThrow("node_modules/b/ did not install d");
    expect(() => closure(installed, ["nowhere"])).toThrow("npm did not install nowhere");
  });

  it("adds an optional peer in the version that is tested, or else as it is asked for", () => {
    const peers = {
      peerDependencies: { yaml: "^2.4.0", zod: "^4", ajv: "^8" },
      peerDependenciesMeta: { yaml: { optional: true }, zod: { optional: true } },
      devDependencies: { yaml: "^2.9.1" },
    };
    expect(optionalPeers({ manifest: { ...manifest, ...peers } })).toEqual([
      ["yaml", "^2.9.1"],
      ["zod", "^4"],
    ]);
  });
});
