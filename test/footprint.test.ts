import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "tsup";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packages, readManifest, requiredPeers } from "./workspace.ts";

interface Footprint {
  /** npm packages that an install brings, the package itself not counted. */
  readonly installs: number;
  /** Minified kB of all that importing the root loads at once, dependencies bundled. */
  readonly kilobytes: number;
  /** Time until a fresh process has imported the root, measured in starts of an empty process. */
  readonly starts: number;
}

/** About 1.3 times what was measured; the number of packages is exact. */
const atMost: Readonly<Record<string, Footprint>> = {
  "@x/capability-infer": { installs: 0, kilobytes: 28, starts: 1.3 },
  "@x/tool-registry": { installs: 0, kilobytes: 49, starts: 1.3 },
  "@x/mcp-parse": { installs: 0, kilobytes: 26, starts: 1.3 },
  "@x/tool-schema": { installs: 6, kilobytes: 225, starts: 1.6 },
  "@x/mcp-transport": { installs: 96, kilobytes: 71, starts: 1.5 },
  "@x/mcp-adapter": { installs: 100, kilobytes: 157, starts: 1.5 },
  "@x/adapter-mcp": { installs: 10, kilobytes: 960, starts: 2.6 },
  "@x/mcp-testkit": { installs: 0, kilobytes: 60, starts: 1.5 },
};

const work = mkdtempSync(join(tmpdir(), "footprint-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

const timer = join(work, "timer.mjs");
writeFileSync(
  timer,
  `const started = performance.now();
await import(process.argv[2]);
console.log(performance.now() / started);
`,
);

describe.each(packages.map((item) => [item.name, item] as const))(
  "%s",
  (name, { folder, path }) => {
    const outDir = join(work, folder);
    const limit = atMost[name] ?? { installs: 0, kilobytes: 0, starts: 0 };

    beforeAll(() => bundle(join(path, "src/index.ts"), outDir), 60_000);

    it(`installs ${limit.installs} packages`, () => {
      expect(installedBy(path).size).toBe(limit.installs);
    });

    it("says so in its README", () => {
      const number = limit.installs === 0 ? "(?:no|zero|0)" : String(limit.installs);
      const readme = readFileSync(join(path, "README.md"), "utf8");
      expect(readme).toMatch(
        new RegExp(`\\b${number} (?:[a-z-]+ ){0,2}(?:packages|dependencies)`, "i"),
      );
    });

    it(`loads at most ${limit.kilobytes} kB`, () => {
      const loaded = loadedAtOnce(outDir) / 1000;
      expect(loaded).toBeLessThanOrEqual(limit.kilobytes);
      expect(loaded).toBeGreaterThan(0);
    });

    it(`is imported within ${limit.starts} starts of an empty process`, () => {
      expect(ratio(join(outDir, "index.mjs"))).toBeLessThanOrEqual(limit.starts);
    });
  },
);

async function bundle(entry: string, outDir: string): Promise<void> {
  await build({
    config: false,
    silent: true,
    entry: [entry],
    outDir,
    outExtension: () => ({ js: ".mjs" }),
    format: "esm",
    target: "node20",
    platform: "node",
    minify: true,
    metafile: true,
    noExternal: [/./],
    // Bundled CommonJS asks for `require`.
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
    esbuildOptions: (options) => {
      options.conditions = ["@x/source"];
    },
  });
}

interface Metafile {
  readonly outputs: Readonly<
    Record<
      string,
      {
        readonly bytes: number;
        readonly entryPoint?: string;
        readonly imports: readonly { readonly path: string; readonly kind: string }[];
      }
    >
  >;
}

/** Bytes of the entry's bundle and of the chunks that it imports statically. */
function loadedAtOnce(outDir: string): number {
  const { outputs }: Metafile = JSON.parse(readFileSync(join(outDir, "metafile-esm.json"), "utf8"));
  const entry = Object.keys(outputs).find((file) => basename(file) === "index.mjs");
  const loaded = new Map<string, number>();
  const queue = [entry];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    const output = outputs[file];
    if (output === undefined || loaded.has(file)) continue;
    loaded.set(file, output.bytes);
    const statically = output.imports.filter(({ kind }) => kind === "import-statement");
    queue.push(...statically.map((found) => found.path));
  }
  return [...loaded.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** The real folders of all packages that come along, found as Node finds them. */
function installedBy(path: string, found = new Set<string>()): Set<string> {
  const manifest = readManifest(join(path, "package.json"));
  for (const name of [...Object.keys(manifest.dependencies ?? {}), ...requiredPeers(manifest)]) {
    const folder = locate(name, path);
    if (found.has(folder)) continue;
    found.add(folder);
    installedBy(folder, found);
  }
  return found;
}

function locate(name: string, from: string): string {
  try {
    return dirname(realpathSync(join(from, "node_modules", name, "package.json")));
  } catch (error) {
    if (dirname(from) === from) throw error;
    return locate(name, dirname(from));
  }
}

/**
 * Start and import over start alone, timed within the same process, so that a busy machine slows
 * both alike. The best of several runs.
 */
function ratio(program: string): number {
  return Math.min(...Array.from({ length: 7 }, () => startsOf(program)));
}

function startsOf(program: string): number {
  const args = [timer, pathToFileURL(program).href];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}
