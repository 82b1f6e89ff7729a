import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mustRun, root } from "./command.mjs";

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {Record<string, unknown>} exports
 * @property {Record<string, string>} [bin]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, { optional?: boolean }>} [peerDependenciesMeta]
 */
/**
 * @typedef {object} Packed
 * @property {string} name
 * @property {string} folder in the repo
 * @property {string} tarball
 * @property {readonly string[]} files
 * @property {string} manifestText as packed
 * @property {Manifest} manifest as packed
 * @property {boolean} pure its sources type-check without Node's types
 */

/** @returns {string[]} the folder of every package */
export function packageFolders() {
  const packages = join(root, "packages");
  return readdirSync(packages)
    .map((folder) => join(packages, folder))
    .filter((folder) => existsSync(join(folder, "package.json")));
}

/**
 * Packs every package with the pnpm that the root pins.
 * @param {string} into an empty folder
 * @returns {Promise<Packed[]>}
 */
export async function packAll(into) {
  const [command, ...args] = pinnedPnpm();
  const printed = await mustRun(
    command,
    [...args, "-r", "--filter", "./packages/*", "pack", "--json", "--pack-destination", into],
    { cwd: root },
  );
  const listed = JSON.parse(printed);
  /** @type {{ name: string, filename: string, files: { path: string }[] }[]} */
  const packs = Array.isArray(listed) ? listed : [listed];
  return Promise.all(
    packageFolders().map(async (folder) => {
      const { name } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      const pack = packs.find((candidate) => candidate.name === name);
      if (pack === undefined) throw new Error(`pnpm packed no ${name}`);
      const manifestText = await mustRun("tar", ["-xOzf", pack.filename, "package/package.json"], {
        cwd: into,
      });
      return {
        name,
        folder,
        tarball: pack.filename,
        files: pack.files.map((file) => file.path),
        manifestText,
        manifest: JSON.parse(manifestText),
        pure: needsNoNode(folder),
      };
    }),
  );
}

/** @returns {[string, ...string[]]} */
function pinnedPnpm() {
  const { npm_execpath: running } = process.env;
  if (running !== undefined && /pnpm(\.cjs)?$/.test(running)) return [process.execPath, running];
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return ["npx", "--yes", "--prefer-offline", packageManager];
}

/** @param {string} folder */
function needsNoNode(folder) {
  const config = JSON.parse(readFileSync(join(folder, "tsconfig.build.json"), "utf8"));
  return config.compilerOptions?.types?.length === 0;
}

const needed = ["README.md", "LICENSE", "package.json", "dist/index.js", "dist/index.d.ts"];
const allowed = [
  /^(README\.md|LICENSE|package\.json)$/,
  /^dist\/.+\.(js|js\.map|d\.ts|d\.ts\.map)$/,
  /^src\/(?!.*\.test\.ts$).+$/,
];

/**
 * What a tarball holds that it must not, or lacks.
 * @param {Pick<Packed, "files" | "manifestText" | "manifest">} packed
 * @param {ReadonlyMap<string, string>} versions of our own packages
 * @returns {string[]}
 */
export function complaints({ files, manifestText, manifest }, versions) {
  const programs = Object.values(manifest.bin ?? {}).map((path) => path.replace(/^\.\//, ""));
  const missing = [...needed, ...programs]
    .filter((path) => !files.includes(path))
    .map((path) => `lacks ${path}`);
  const strange = files
    .filter((path) => !allowed.some((rule) => rule.test(path)))
    .map((path) => `ships ${path}`);
  const leaks = ["workspace:", "catalog:", "@x/source"]
    .filter((leak) => manifestText.includes(leak))
    .map((leak) => `its package.json says "${leak}"`);
  const unmet = Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies })
    .filter(([name]) => versions.has(name))
    .filter(([name, range]) => range !== `^${versions.get(name)}`)
    .map(([name, range]) => `wants ${name} ${range}, not ^${versions.get(name)}`);
  return [...missing, ...strange, ...leaks, ...unmet];
}
