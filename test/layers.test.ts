import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { optionalPeers, packages, readManifest, requiredPeers, root } from "./workspace.ts";

interface Layer {
  /** What npm installs along. */
  readonly dependencies: readonly string[];
  /** What a consumer installs because its types cross. */
  readonly peers?: readonly string[];
  /** What a consumer installs only to use a subpath or an option. */
  readonly optionalPeers: readonly string[];
}

/**
 * What each package may ask a consumer to install. An arrow not drawn here fails the build, and so
 * does a package without a row; rows may wait for their package.
 */
const layers: Readonly<Record<string, Layer>> = {
  "@x/capability-infer": { dependencies: [], optionalPeers: [] },
  "@x/tool-registry": { dependencies: [], optionalPeers: ["yaml"] },
  "@x/tool-schema": {
    dependencies: ["ajv", "ajv-formats"],
    optionalPeers: ["@cfworker/json-schema", "zod"],
  },
  "@x/mcp-parse": { dependencies: [], optionalPeers: [] },
  "@x/mcp-transport": {
    dependencies: ["@modelcontextprotocol/sdk", "cross-spawn", "undici", "zod"],
    optionalPeers: ["@modelcontextprotocol/client"],
  },
  "@x/mcp-adapter": {
    dependencies: ["@x/capability-infer", "@x/mcp-parse", "@x/mcp-transport", "@x/tool-schema"],
    optionalPeers: [],
  },
  "@x/adapter-mcp": {
    dependencies: ["@x/mcp-parse", "@x/tool-registry", "@x/tool-schema"],
    peers: ["zod"],
    optionalPeers: ["@rejelly/core"],
  },
  "@x/mcp-testkit": { dependencies: [], optionalPeers: [] },
};

const everyPackage = describe.each(packages.map((item) => [item.name, item] as const));

describe("the table of layers", () => {
  it("has a row for every package", () => {
    const rowless = packages.map(({ name }) => name).filter((name) => layers[name] === undefined);
    expect(rowless).toEqual([]);
  });

  it("lets no arrow point up: packages with internal dependencies stand on floor 1 only", () => {
    const internal = (name: string) =>
      (layers[name]?.dependencies ?? []).filter((dependency) => dependency.startsWith("@x/"));
    const stacked = Object.keys(layers)
      .flatMap(internal)
      .filter((name) => internal(name).length > 0);
    expect(stacked).toEqual([]);
  });
});

everyPackage("%s", (name, { folder, path, manifest }) => {
  it("pulls in only its layer", () => {
    const { dependencies, peers = [], optionalPeers: optional } = layers[name] ?? {};
    expect(Object.keys(manifest.dependencies ?? {}).sort()).toEqual(dependencies);
    expect(requiredPeers(manifest)).toEqual(peers);
    expect(optionalPeers(manifest)).toEqual(optional);
    expect(manifest.optionalDependencies).toBeUndefined();
  });

  it("takes its own kind as a plain dependency at workspace:^, never as a peer", () => {
    const own = Object.entries(manifest.dependencies ?? {}).filter(([key]) =>
      key.startsWith("@x/"),
    );
    expect(own.filter(([, range]) => range !== "workspace:^")).toEqual([]);
    expect(Object.keys(manifest.peerDependencies ?? {}).join()).not.toContain("@x/");
  });

  it("is ESM only, for Node 20.19 and later, free of side effects, MIT", () => {
    expect(manifest).toMatchObject({
      name: `@x/${folder}`,
      description: expect.stringMatching(/^[A-Z].+\.$/),
      license: "MIT",
      repository: { directory: `packages/${folder}` },
      type: "module",
      sideEffects: false,
      engines: { node: ">=20.19" },
      files: ["dist", "src"],
    });
    for (const field of ["main", "module", "types", "private"]) {
      expect(manifest).not.toHaveProperty(field);
    }
    const { bin } = manifest;
    if (bin !== undefined) expect(bin).toEqual({ [folder]: "./dist/cli.js" });
  });

  it("exports sources to this workspace and dist to everyone, from every entry", () => {
    const { "./package.json": self, ...entries } = manifest.exports;
    expect(self).toBe("./package.json");
    expect(Object.keys(entries)[0]).toBe(".");
    for (const [key, entry] of Object.entries(entries)) {
      const file = key === "." ? "index" : key.slice(2);
      expect(Object.entries(entry)).toEqual([
        ["@x/source", `./src/${file}.ts`],
        ["types", `./dist/${file}.d.ts`],
        ["default", `./dist/${file}.js`],
      ]);
    }
  });

  it("publishes those exports without the source condition", () => {
    const published = JSON.parse(JSON.stringify(manifest.exports));
    for (const entry of Object.values<Record<string, string> | string>(published)) {
      if (typeof entry === "object") delete entry["@x/source"];
    }
    expect(manifest.publishConfig).toEqual({ access: "public", exports: published });
  });

  it("has a README that begins with its name, the licence, and a changeset or a changelog", () => {
    const text = (file: string) => readFileSync(join(path, file), "utf8");
    expect(text("README.md")).toMatch(new RegExp(`^# ${name}\n`));
    expect(text("LICENSE")).toBe(readFileSync(join(root, "LICENSE"), "utf8"));
    expect(existsSync(join(path, "CHANGELOG.md")) || changesetNames().includes(name)).toBe(true);
  });
});

function changesetNames(): string[] {
  const folder = join(root, ".changeset");
  return readdirSync(folder)
    .filter((file) => file.endsWith(".md"))
    .flatMap((file) => {
      const [, head = ""] = readFileSync(join(folder, file), "utf8").split(/^---$/m);
      return [...head.matchAll(/^["']?(@x\/[\w-]+)["']?: (?:major|minor|patch)$/gm)];
    })
    .map(([, name = ""]) => name);
}

it.each(["examples", "internal"])("nothing in %s is ever published", (group) => {
  for (const folder of readdirSync(join(root, group))) {
    expect(readManifest(join(root, group, folder, "package.json"))).toMatchObject({
      private: true,
    });
  }
});
