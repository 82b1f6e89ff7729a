import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
  type YAMLMap,
} from "yaml";
import { ToolRegistryError } from "./errors.ts";
import { messageOf, quoted } from "./message.ts";
import { type OverrideDocument, parseOverrides, type ToolOverride } from "./overrides.ts";

export type { OverrideDocument } from "./overrides.ts";

/** A file that the caller has read. */
export interface OverrideFile {
  /** Stands in messages and in `because`. */
  readonly path: string;
  readonly text: string;
}

const MAX_CHARACTERS = 1_000_000;
const MAX_DEPTH = 20;

/**
 * Reads the `overrides` of tool and skill YAML: one or many documents a file, one or many files.
 * Nothing is read from disk: a bare string is the text of a file without a name. Aliases, tags and
 * keys that occur twice are refused, and so are files over a million characters.
 *
 * @throws ToolRegistryError `invalid_override` with `file`, `line` and, past the YAML itself, `field`
 */
export function readOverrides(
  files: string | OverrideFile | readonly (string | OverrideFile)[],
): OverrideDocument {
  const list = Array.isArray(files) ? files : [files];
  return { entries: list.flatMap(readFile) };
}

function readFile(given: unknown, index: number): readonly ToolOverride[] {
  const { path, text } = isFile(given) ? given : { path: `<yaml ${index + 1}>`, text: given };
  if (typeof path !== "string" || typeof text !== "string") {
    const message = `file ${index + 1}: expected the text of a file, or { path, text }`;
    throw new ToolRegistryError("invalid_override", message);
  }
  const lines = new LineCounter();
  const source: Source = { file: path, lines };
  if (text.length > MAX_CHARACTERS) {
    throw refused(source, 0, `a file of more than ${MAX_CHARACTERS} characters`);
  }
  return parseDocuments(text, source).flatMap((document) => {
    const error = document.errors[0];
    if (error !== undefined) throw refused(source, error.pos[0], error.message, error);
    if (document.contents === null || isEmpty(document.contents)) return [];
    if (!isMap(document.contents)) throw refused(source, offsetOf(document.contents), NO_MAPPING);
    const offsets = new Map<string, number>();
    const value = readNode(document.contents, "", 0, { ...source, offsets });
    return parseOverrides(value, (field) => {
      const offset = offsets.get(field);
      return offset === undefined ? undefined : { file: path, line: lineOf(source, offset) };
    }).entries;
  });
}

const NO_MAPPING =
  "expected a mapping with name and overrides, or with tools (readOverrides takes the text of a file, not its path)";

function isFile(given: unknown): given is { readonly path: unknown; readonly text: unknown } {
  return typeof given === "object" && given !== null && "path" in given && "text" in given;
}

interface Source {
  readonly file: string;
  readonly lines: LineCounter;
}

/** Where the values stand, by paths such as `tools[0].overrides.read_only`. */
interface Tree extends Source {
  readonly offsets: Map<string, number>;
}

function readNode(node: unknown, path: string, depth: number, tree: Tree): unknown {
  if (node === null || node === undefined) return null;
  const offset = offsetOf(node);
  if (!tree.offsets.has(path)) tree.offsets.set(path, offset);
  if (isAlias(node)) throw refused(tree, offset, "aliases are not supported");
  if (!isScalar(node) && !isMap(node) && !isSeq(node)) throw refused(tree, offset, "no YAML value");
  if (node.tag !== undefined)
    throw refused(tree, offset, `the tag ${quoted(node.tag)} is not supported`);
  if (depth > MAX_DEPTH) throw refused(tree, offset, `nested deeper than ${MAX_DEPTH} levels`);
  if (isScalar(node)) return node.value;
  if (isMap(node)) return readMap(node, path, depth, tree);
  return node.items.map((item, index) => readNode(item, `${path}[${index}]`, depth + 1, tree));
}

function readMap(map: YAMLMap, path: string, depth: number, tree: Tree): Record<string, unknown> {
  const record: Record<string, unknown> = Object.create(null);
  for (const { key, value } of map.items) {
    const offset = offsetOf(key);
    const name = nameOf(key);
    if (name === undefined) throw refused(tree, offset, "a key must be plain text");
    if (Object.hasOwn(record, name)) {
      throw refused(tree, offset, `the key ${quoted(name)} occurs twice`);
    }
    const at = path === "" ? name : `${path}.${name}`;
    tree.offsets.set(at, offset);
    record[name] = readNode(value, at, depth + 1, tree);
  }
  return record;
}

function nameOf(key: unknown): string | undefined {
  if (!isScalar(key) || key.tag !== undefined) return undefined;
  // The merge key of YAML 1.1, which merges nothing here.
  if (typeof key.value === "symbol") return key.source;
  return typeof key.value === "string" ? key.value : undefined;
}

function offsetOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}

function parseDocuments(text: string, source: Source): readonly Document.Parsed[] {
  try {
    // The keys are compared while the tree is read: the library does it in quadratic time.
    const options = { lineCounter: source.lines, prettyErrors: false, uniqueKeys: false };
    const documents = parseAllDocuments(text, options);
    return Array.isArray(documents) ? documents : [];
  } catch (error) {
    throw refused(source, 0, `not readable as YAML: ${messageOf(error)}`, error);
  }
}

function isEmpty(node: Node): boolean {
  return isScalar(node) && node.value === null && node.tag === undefined;
}

function lineOf({ lines }: Source, offset: number): number {
  return Math.max(lines.linePos(offset).line, 1);
}

function refused(
  source: Source,
  offset: number,
  problem: string,
  cause?: unknown,
): ToolRegistryError {
  const line = lineOf(source, offset);
  const message = `${source.file}:${line}: ${problem}`;
  return new ToolRegistryError("invalid_override", message, { file: source.file, line, cause });
}
