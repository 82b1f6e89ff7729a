import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { root } from "./command.mjs";
import { fences } from "./fences.mjs";
import { packageFolders } from "./tarballs.mjs";

/** @typedef {import("./fences.mjs").Fence & { document: string }} Snippet */

/** @returns {string[]} every document whose snippets must hold, as a path from the root */
export function documents() {
  const docs = join(root, "docs");
  const pages = existsSync(docs) ? readdirSync(docs, { recursive: true, encoding: "utf8" }) : [];
  return [
    ...["README.md", "CONTRIBUTING.md", "SECURITY.md"].map((name) => join(root, name)),
    ...packageFolders().map((folder) => join(folder, "README.md")),
    ...pages.filter((page) => page.endsWith(".md")).map((page) => join(docs, page)),
  ]
    .filter((path) => existsSync(path))
    .map((path) => relative(root, path).replaceAll(sep, "/"));
}

/**
 * @param {string} document
 * @returns {Snippet[]}
 */
export function snippetsOf(document) {
  return fences(readFileSync(join(root, document), "utf8")).map((fence) => ({
    ...fence,
    document,
  }));
}
