import { readFileSync } from "node:fs";

const imports = /^import\s[^;]*;$/gm;
const comments = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const asserts =
  /^[ \t]*(?:assert(?:\.\w+)?|strictEqual|deepStrictEqual|deepEqual|equal|match)\([\s\S]*?\);(?:[ \t]*\/\/.*)?$/gm;

/**
 * The lines that someone has to write: not blank ones, imports and comments, nor asserts unless
 * they await something, since then they are part of the work.
 * @param {URL | string} file
 */
export function ownLines(file) {
  const text = readFileSync(file, "utf8").replace(imports, "").replace(comments, "");
  return text
    .replace(asserts, (statement) => (statement.includes("await ") ? statement : ""))
    .split("\n")
    .filter((line) => line.trim() !== "").length;
}
