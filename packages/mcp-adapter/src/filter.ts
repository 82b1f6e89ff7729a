import type { MCPToolDescriptor } from "@x/mcp-parse";
import { MCPAdapterError } from "./errors.ts";

/** An exact name, a name with `*` for any run of characters, a RegExp, or a predicate. */
export type MCPToolPattern = string | RegExp | ((tool: MCPToolDescriptor) => boolean);

/** Which tools are exposed. `exclude` beats `include`; without `include` all are included. */
export interface MCPToolFilter {
  readonly include?: readonly MCPToolPattern[];
  readonly exclude?: readonly MCPToolPattern[];
}

export type ToolPredicate = (tool: MCPToolDescriptor) => boolean;

/** @throws MCPAdapterError `config`, naming the pattern that is none */
export function readFilter(filter: MCPToolFilter, field: string): ToolPredicate {
  if (typeof filter !== "object" || filter === null || Array.isArray(filter)) {
    throw new MCPAdapterError("config", `${field} must be { include?, exclude? }`);
  }
  for (const key of Object.keys(filter)) {
    if (key !== "include" && key !== "exclude") {
      throw new MCPAdapterError("config", `${field}.${key} is unknown: use include or exclude`);
    }
  }
  const include = readPatterns(filter.include, `${field}.include`);
  const exclude = readPatterns(filter.exclude, `${field}.exclude`);
  return (tool) =>
    (include === undefined || include.some((matches) => matches(tool))) &&
    !exclude?.some((matches) => matches(tool));
}

function readPatterns(patterns: unknown, field: string): ToolPredicate[] | undefined {
  if (patterns === undefined) return undefined;
  if (!Array.isArray(patterns)) {
    throw new MCPAdapterError("config", `${field} must be an array of patterns`);
  }
  return patterns.map((pattern: unknown, index) => readPattern(pattern, `${field}[${index}]`));
}

function readPattern(pattern: unknown, field: string): ToolPredicate {
  if (typeof pattern === "string") {
    if (!pattern.includes("*")) return (tool) => tool.name === pattern;
    const pieces = pattern.split("*");
    return (tool) => matchesPieces(tool.name, pieces);
  }
  if (pattern instanceof RegExp) {
    // A copy without `g` and `y`, whose lastIndex would make the answer depend on the call before.
    const regExp = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ""));
    return (tool) => regExp.test(tool.name);
  }
  if (typeof pattern === "function") return (tool) => pattern(tool) === true;
  throw new MCPAdapterError(
    "config",
    `${field} must be a name, a name with *, a RegExp or a function`,
  );
}

/** Whether `name` is the pieces in order with anything between; linear, whatever the name. */
function matchesPieces(name: string, pieces: readonly string[]): boolean {
  const first = pieces[0] ?? "";
  const last = pieces.at(-1) ?? "";
  if (name.length < first.length + last.length) return false;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  const end = name.length - last.length;
  let from = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const at = name.indexOf(piece, from);
    if (at === -1 || at + piece.length > end) return false;
    from = at + piece.length;
  }
  return true;
}
