import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** @returns the file of the command line, for Node to run */
export function program(): string {
  const isSource = import.meta.url.endsWith(".ts");
  return isSource ? bundled() : fileURLToPath(new URL("./cli.js", import.meta.url));
}

/**
 * Only in the workspace of this package, where tests run from sources without a build: children
 * need a file that Node 20 can run, and one that is as new as the sources.
 */
function bundled(): string {
  const sources = fileURLToPath(new URL("..", import.meta.url));
  const files = readdirSync(sources, { recursive: true, encoding: "utf8" });
  const newest = Math.max(...files.map((file) => statSync(join(sources, file)).mtimeMs));
  const folder = join(sources, "../node_modules/.cache");
  const bundle = join(folder, "mcp-testkit.mjs");
  if (existsSync(bundle) && statSync(bundle).mtimeMs > newest) return bundle;
  const fromTsx = createRequire(createRequire(import.meta.url).resolve("tsx"));
  const { buildSync }: { buildSync(options: object): unknown } = fromTsx("esbuild");
  mkdirSync(folder, { recursive: true });
  const fresh = `${bundle}.${process.pid}`;
  buildSync({
    ...{ entryPoints: [join(sources, "cli.ts")], bundle: true, outfile: fresh },
    ...{ platform: "node", format: "esm", target: "node20", logLevel: "warning" },
  });
  renameSync(fresh, bundle);
  return bundle;
}
