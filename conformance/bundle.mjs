// One file of the driver and the packages' sources, so that each of many clients starts fast.
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const root = new URL("../", import.meta.url);
const fromRoot = createRequire(new URL("package.json", root));
const esbuild = createRequire(fromRoot.resolve("tsup"))("esbuild");

/** Where the transport's own dependencies are found. */
const outdir = new URL("packages/mcp-transport/node_modules/.cache/conformance/", root);

export async function bundleDriver() {
  mkdirSync(outdir, { recursive: true });
  const outfile = fileURLToPath(new URL("driver.mjs", outdir));
  await esbuild.build({
    entryPoints: [fileURLToPath(new URL("driver.ts", import.meta.url))],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["@x/source"],
    external: ["@modelcontextprotocol/*", "cross-spawn", "undici", "zod"],
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    logLevel: "error",
  });
  return outfile;
}
