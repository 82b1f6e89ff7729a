// The driver, the packages' sources and the SDKs in a few files, so that each of many clients starts fast.
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = new URL("../", import.meta.url);
const fromRoot = createRequire(new URL("package.json", root));
const esbuild = createRequire(fromRoot.resolve("tsup"))("esbuild");
const driver = fileURLToPath(new URL("driver.ts", import.meta.url));

const transport = new URL("packages/mcp-transport/", root);

const dependencies = {
  name: "dependencies",
  setup({ onResolve, resolve }) {
    // The driver takes the SDKs of mcp-transport, not those that the suite has brought along.
    onResolve({ filter: /^@modelcontextprotocol\// }, ({ path, kind, importer }) =>
      importer === driver
        ? resolve(path, { kind, resolveDir: fileURLToPath(transport) })
        : undefined,
    );
    // Imported when it is needed, and CommonJS: its names would get lost in a bundle.
    onResolve({ filter: /^undici$/ }, ({ path }) => {
      const file = createRequire(new URL("package.json", transport)).resolve(path);
      return { path: pathToFileURL(file).href, external: true };
    });
  },
};

/** @returns the file to run */
export async function bundleDriver(outdir) {
  await esbuild.build({
    entryPoints: [driver],
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["@x/source"],
    plugins: [dependencies],
    // Its paths are for the types alone.
    tsconfigRaw: {},
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
    logLevel: "error",
  });
  return join(outdir, "driver.mjs");
}
