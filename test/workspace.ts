import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root: string = fileURLToPath(new URL("..", import.meta.url));

interface Entry {
  readonly "@x/source"?: string;
  readonly types?: string;
  readonly default?: string;
}

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly bin?: unknown;
  readonly exports: Readonly<Record<string, string | Entry>>;
  readonly publishConfig?: { readonly access?: string; readonly exports?: unknown };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly [field: string]: unknown;
}

export interface Package {
  readonly name: string;
  readonly folder: string;
  readonly path: string;
  readonly manifest: Manifest;
}

export function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, "utf8"));
}

export const packages: readonly Package[] = readdirSync(join(root, "packages"))
  .map((folder) => ({ folder, path: join(root, "packages", folder) }))
  .filter(({ path }) => existsSync(join(path, "package.json")))
  .map(({ folder, path }) => {
    const manifest = readManifest(join(path, "package.json"));
    return { name: manifest.name, folder, path, manifest };
  });

export function optionalPeers({ peerDependenciesMeta = {} }: Manifest): string[] {
  return Object.keys(peerDependenciesMeta)
    .filter((name) => peerDependenciesMeta[name]?.optional === true)
    .sort();
}

export function requiredPeers(manifest: Manifest): string[] {
  const optional = optionalPeers(manifest);
  return Object.keys(manifest.peerDependencies ?? {})
    .filter((name) => !optional.includes(name))
    .sort();
}

/** Every source file of a package, as an absolute path. */
export function sourceFiles({ path }: Package): string[] {
  const src = join(path, "src");
  return readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(src, file));
}
