import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/** A package that only the comparison needs, from this folder's own lockfile. */
export function loadInstalled<Face>(name: string): Face {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  if (!existsSync(`${folder}/node_modules/${name}`)) {
    const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
    execFileSync("npm", args, { cwd: folder, shell: process.platform === "win32" });
  }
  return createRequire(import.meta.url)(name) as Face;
}
