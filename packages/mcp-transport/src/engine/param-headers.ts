import type { JsonObject } from "../connection.ts";
import { isObject } from "./handshake.ts";

interface Declaration {
  readonly path: readonly string[];
  readonly header: string;
}

const token = /^[\w!#$%&'*+.^`|~-]+$/;
const sentinel = /^=\?base64\?.*\?=$/s;
/** What a header can hold as it is; no space at its ends. */
const plain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;
const types = ["string", "integer", "boolean"];
const deepest = 64;

/**
 * The parameters of tools that a server of 2026-07-28 wants to see in HTTP headers too
 * (Streamable HTTP, "Custom Headers from Tool Parameters").
 */
export class ParamHeaders {
  readonly #byTool = new Map<string, readonly Declaration[]>();

  /**
   * Takes note of a page of tools.
   * @returns the tools without those whose declarations are wrong, which clients must not use
   */
  learn(items: readonly unknown[], onInvalid: (name: string, why: string) => void): unknown[] {
    return items.filter((tool) => {
      const { name, inputSchema } = isObject(tool) ? tool : {};
      if (typeof name !== "string") return true;
      const found = findDeclarations(inputSchema);
      if (typeof found === "string") {
        onInvalid(name, found);
        return false;
      }
      this.#byTool.set(name, found);
      return true;
    });
  }

  /** The headers of one call; none if the tool is unknown or declares none. */
  of({ name, arguments: args }: JsonObject): Readonly<Record<string, string>> | undefined {
    const declared = typeof name === "string" ? (this.#byTool.get(name) ?? []) : [];
    const headers: [string, string][] = [];
    for (const { path, header } of declared) {
      const text = textOf(valueAt(args, path));
      if (text !== undefined) headers.push([`Mcp-Param-${header}`, encode(text)]);
    }
    return headers.length === 0 ? undefined : Object.fromEntries(headers);
  }
}

/** @returns why the schema is wrong, if it is */
function findDeclarations(schema: unknown): readonly Declaration[] | string {
  const found: Declaration[] = [];
  const fault = visit(schema, [], true, found);
  if (fault !== undefined) return fault;
  const names = found.map(({ header }) => header.toLowerCase());
  return new Set(names).size < names.length ? "names a header twice" : found;
}

function visit(
  node: unknown,
  path: readonly string[],
  reachable: boolean,
  found: Declaration[],
): string | undefined {
  if (path.length > deepest || typeof node !== "object" || node === null) return undefined;
  if (isObject(node) && Object.hasOwn(node, "x-mcp-header")) {
    const fault = declare(node, path, reachable, found);
    if (fault !== undefined) return fault;
  }
  for (const [keyword, child] of Object.entries(node)) {
    const named = keyword === "properties" && isObject(child);
    const fault = named
      ? firstFault(Object.entries(child), ([key, property]) =>
          visit(property, [...path, key], reachable, found),
        )
      : isSubschema(keyword)
        ? visit(child, [...path, keyword], false, found)
        : undefined;
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Values are not schemas, and may hold anything. */
function isSubschema(keyword: string): boolean {
  return !["const", "default", "enum", "examples", "x-mcp-header"].includes(keyword);
}

function firstFault<T>(
  items: readonly T[],
  check: (item: T) => string | undefined,
): string | undefined {
  for (const item of items) {
    const fault = check(item);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function declare(
  { "x-mcp-header": header, type }: JsonObject,
  path: readonly string[],
  reachable: boolean,
  found: Declaration[],
): string | undefined {
  if (!reachable || path.length === 0) return "x-mcp-header stands where no parameter is";
  if (typeof header !== "string" || !token.test(header)) return "x-mcp-header is no header name";
  if (typeof type !== "string" || !types.includes(type)) {
    return `x-mcp-header stands at a parameter that is not of type ${types.join(", ")}`;
  }
  found.push({ path, header });
  return undefined;
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const key of path) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  const safe = typeof value === "number" && Number.isFinite(value);
  return safe && (!Number.isInteger(value) || Number.isSafeInteger(value))
    ? String(value)
    : undefined;
}

function encode(text: string): string {
  if (plain.test(text) && !sentinel.test(text)) return text;
  return `=?base64?${Buffer.from(text).toString("base64")}?=`;
}
