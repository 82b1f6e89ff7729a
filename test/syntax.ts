import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { parseAst } from "vitest/node";

/** The parts of a syntax node that the rules ask for; it has others. */
export interface Node {
  readonly type: string;
  readonly argument?: unknown;
  readonly body?: unknown;
  readonly definite?: unknown;
  readonly exportKind?: unknown;
  readonly importKind?: unknown;
  readonly name?: unknown;
  readonly source?: unknown;
  readonly specifiers?: unknown;
  readonly typeAnnotation?: unknown;
  readonly value?: unknown;
}

export function parse(text: string, lang: "ts" | "dts" = "ts"): Node {
  return { ...parseAst(text, { lang }) };
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

/** A syntax tree, node by node. */
export function* nodes(value: unknown): Generator<Node> {
  if (Array.isArray(value)) {
    for (const item of value) yield* nodes(item);
  } else if (isNode(value)) {
    yield value;
    for (const child of Object.values(value)) yield* nodes(child);
  }
}

export interface Import {
  readonly from: string;
  /** `type` is gone once compiled; `later` runs when its line is reached. */
  readonly kind: "now" | "later" | "type";
}

const statements = ["ImportDeclaration", "ExportNamedDeclaration", "ExportAllDeclaration"];

/** What a file imports, re-exports included; dynamic imports of a computed name are left out. */
export function importsOf(tree: Node): Import[] {
  return [...nodes(tree)].flatMap((node) => {
    const source = isNode(node.source) ? node.source : node.argument;
    const from = isNode(source) && typeof source.value === "string" ? source.value : undefined;
    const kind = importKind(node);
    return from === undefined || kind === undefined ? [] : [{ from, kind }];
  });
}

function importKind(node: Node): Import["kind"] | undefined {
  if (node.type === "ImportExpression") return "later";
  if (node.type === "TSImportType") return "type";
  if (!statements.includes(node.type)) return undefined;
  if (node.importKind === "type" || node.exportKind === "type") return "type";
  const specifiers = Array.isArray(node.specifiers) ? node.specifiers : [];
  const named = specifiers.length > 0 && specifiers.every(isTypeSpecifier);
  return named ? "type" : "now";
}

function isTypeSpecifier(specifier: unknown): boolean {
  return isNode(specifier) && (specifier.importKind === "type" || specifier.exportKind === "type");
}

export interface Reached {
  readonly files: ReadonlySet<string>;
  /** Imports that lead out of the package. */
  readonly outside: readonly Import[];
}

/**
 * All files that relative imports of some kinds lead to, and what these files import from outside.
 * @param locate turns the file that a specifier names into the one on disk
 */
export function reach(
  entry: string,
  kinds: readonly Import["kind"][],
  locate: (file: string) => string = (file) => file,
): Reached {
  const files = new Set<string>();
  const outside: Import[] = [];
  const queue = [entry];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    const tree = parse(readFileSync(file, "utf8"), file.endsWith(".d.ts") ? "dts" : "ts");
    for (const found of importsOf(tree).filter(({ kind }) => kinds.includes(kind))) {
      if (found.from.startsWith(".")) queue.push(locate(join(dirname(file), found.from)));
      else outside.push(found);
    }
  }
  return { files, outside };
}

export function isNodeBuiltin({ from }: Import): boolean {
  return isBuiltin(from);
}

/** `@x/mcp-parse/sub` → `@x/mcp-parse` */
export function packageName({ from }: Import): string {
  return from.split("/", from.startsWith("@") ? 2 : 1).join("/");
}
