import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { mustRun, root } from "./command.mjs";

/**
 * @typedef {import("./tarballs.mjs").Packed} Packed
 * @typedef {import("./tarballs.mjs").Manifest} Manifest
 */

/**
 * What npm wrote down about one installed package.
 * @typedef {object} Installed
 * @property {string} version
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, { optional?: boolean }>} [peerDependenciesMeta]
 */

/** Optional peers that the registry does not have; whoever uses them has them from elsewhere. */
const unpublished = new Set(["@rejelly/core"]);

/**
 * Installs all tarballs as someone outside this repo would, with every optional peer, Node's types
 * and the servers that the documents show.
 * @param {string} folder
 * @param {readonly Packed[]} packs
 * @returns {Promise<Record<string, Installed>>} by path, as `node_modules/.package-lock.json` has it
 */
export async function installStranger(folder, packs) {
  const own = Object.fromEntries(packs.map(({ name, tarball }) => [name, `file:${tarball}`]));
  const peers = packs.flatMap(optionalPeers).filter(([name]) => !(name in own));
  mkdirSync(folder, { recursive: true });
  writeJson(join(folder, "package.json"), {
    private: true,
    type: "module",
    dependencies: {
      ...own,
      ...Object.fromEntries(peers),
      ...shownServers(),
      "@types/node": installedVersion(root, "@types/node"),
    },
    overrides: Object.fromEntries(packs.map(({ name }) => [name, `$${name}`])),
  });
  const flags = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  await mustRun("npm", ["install", ...flags], { cwd: folder, timeoutMs: 180_000 });
  const lock = readFileSync(join(folder, "node_modules/.package-lock.json"), "utf8");
  return JSON.parse(lock).packages;
}

/**
 * Each optional peer, in the version this workspace tests with or else in the range it asks for.
 * @param {Pick<Packed, "manifest">} packed
 * @returns {[name: string, range: string][]}
 */
export function optionalPeers({ manifest }) {
  return Object.entries(manifest.peerDependencies ?? {})
    .filter(([name]) => manifest.peerDependenciesMeta?.[name]?.optional === true)
    .filter(([name]) => !unpublished.has(name))
    .map(([name, range]) => [name, manifest.devDependencies?.[name] ?? range]);
}

/** @returns {Record<string, string>} */
function shownServers() {
  const folder = join(root, "internal/test-servers");
  const { dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return Object.fromEntries(
    Object.keys(dependencies).map((name) => [name, installedVersion(folder, name)]),
  );
}

/**
 * @param {string} folder
 * @param {string} name
 * @returns {string}
 */
function installedVersion(folder, name) {
  const require = createRequire(join(folder, "package.json"));
  return require(`${name}/package.json`).version;
}

/**
 * Where these packages and all that npm must install for them lie, optional peers left out.
 * @param {Record<string, Installed>} installed
 * @param {readonly string[]} names
 * @returns {Set<string>}
 */
export function closure(installed, names) {
  const paths = new Set(/** @type {string[]} */ ([]));
  const queue = names.map((name) => ({ name, from: "" }));
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const path = locate(installed, next.name, next.from);
    if (path === undefined) throw new Error(`${next.from || "npm"} did not install ${next.name}`);
    if (paths.has(path)) continue;
    paths.add(path);
    queue.push(...requiredBy(installed[path]).map((name) => ({ name, from: `${path}/` })));
  }
  return paths;
}

/** @param {Installed | undefined} entry */
function requiredBy(entry) {
  const peers = Object.keys(entry?.peerDependencies ?? {}).filter(
    (name) => entry?.peerDependenciesMeta?.[name]?.optional !== true,
  );
  return [...Object.keys(entry?.dependencies ?? {}), ...peers];
}

/**
 * @param {Record<string, Installed>} installed
 * @param {string} name
 * @param {string} from the path of the package that asks, with a slash at its end
 * @returns {string | undefined}
 */
function locate(installed, name, from) {
  const path = `${from}node_modules/${name}`;
  if (path in installed) return path;
  const outer = from.lastIndexOf("node_modules/");
  return outer < 0 ? undefined : locate(installed, name, from.slice(0, outer));
}

/**
 * How many packages these are; npm may lay several copies of one version.
 * @param {Record<string, Installed>} installed
 * @param {ReadonlySet<string>} paths
 */
export function countVersions(installed, paths) {
  const name = (/** @type {string} */ path) => path.replace(/^.*node_modules\//, "");
  return new Set([...paths].map((path) => `${name(path)}@${installed[path]?.version}`)).size;
}

/**
 * Lays copies of installed packages into another folder. Links would lead back to all the others.
 * @param {string} from
 * @param {string} to
 * @param {Iterable<string>} paths
 */
export function copyInstalled(from, to, paths) {
  for (const path of paths) {
    const source = join(from, path);
    const nested = join(source, "node_modules");
    cpSync(source, join(to, path), { recursive: true, filter: (file) => file !== nested });
  }
}

/**
 * @param {string} file
 * @param {unknown} value
 */
export function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
