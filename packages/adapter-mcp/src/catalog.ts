import { type MCPToolDescriptor, readTools } from "@x/mcp-parse";
import type { Calls } from "./calls.ts";
import { AdapterMCPError, McpProtocolError } from "./errors.ts";
import type { OmittedTool } from "./event.ts";
import { isObject, quoted } from "./json.ts";
import { listAll, type Warn } from "./list.ts";

/** What decides which tools are taken; each combination is remembered on its own. */
export interface Selection {
  /** Undefined for all. */
  readonly tools: readonly string[] | undefined;
  readonly autoPaginate: boolean;
  readonly maxItems: number;
}

export interface Catalog {
  /** Sorted by name. */
  readonly tools: readonly MCPToolDescriptor[];
  readonly omitted: readonly OmittedTool[];
}

/**
 * The tools of a server, as JSON text that an agent can remember.
 *
 * @throws AdapterMCPError `tools_missing`; McpProtocolError; what the client rejects with
 */
export async function fetchCatalog(
  calls: Calls,
  selection: Selection,
  signal: AbortSignal,
  warn: Warn,
): Promise<string> {
  const names = new Set<string>();
  const items = await listAll(calls, "tools", {
    signal,
    warn,
    cut(page) {
      for (const item of page.items) {
        if (isObject(item) && typeof item["name"] === "string") names.add(item["name"]);
      }
      return mayGoOn(names, selection) ? page : { items: page.items };
    },
  });
  const { tools, quarantined, warnings } = readTools(items);
  warn("tools/list", warnings);
  const taken = selection.tools === undefined ? tools.slice(0, selection.maxItems) : tools;
  const kept: unknown[] = [];
  const omitted: OmittedTool[] = quarantined.map(({ name, code, message }) => ({
    ...(name !== undefined && { name }),
    code,
    message,
  }));
  for (const tool of taken) {
    try {
      kept.push(JSON.parse(JSON.stringify(remembered(tool))));
    } catch {
      const message = `tool ${quoted(tool.name)} cannot be written as JSON`;
      omitted.push({ name: tool.name, code: "unreadable", message });
    }
  }
  const cut = tools.slice(taken.length).map(({ name }) => name);
  return JSON.stringify({ tools: kept, omitted, cut });
}

/** Whether the next page is wanted: the tools asked for may still come within `maxItems`. */
function mayGoOn(names: ReadonlySet<string>, { tools, autoPaginate, maxItems }: Selection) {
  if (!autoPaginate) return false;
  return tools === undefined || (names.size < maxItems && tools.some((name) => !names.has(name)));
}

/** What a tool of an agent is made from. */
function remembered({
  name,
  title,
  description,
  inputSchema,
  annotations,
  execution,
}: MCPToolDescriptor) {
  const shown = title ?? annotations?.["title"];
  return {
    name,
    ...(typeof shown === "string" && { title: shown }),
    ...(description !== "" && { description }),
    inputSchema,
    ...(execution?.["taskSupport"] === "required" && { execution: { taskSupport: "required" } }),
  };
}

/**
 * Reads what {@link fetchCatalog} wrote, which may have come back out of a snapshot.
 *
 * @throws McpProtocolError `invalid_catalog_shape`; AdapterMCPError `tools_missing`
 */
export function readCatalog(text: unknown, selection: Selection): Catalog {
  const parsed = parse(text);
  const { tools } = readTools(parsed.tools);
  const omitted = [
    ...parsed.omitted,
    ...parsed.cut.map((name): OmittedTool => {
      const message = `more than maxItems (${selection.maxItems}) tools`;
      return { name, code: "max_items", message };
    }),
  ];
  const wanted = select(tools, omitted, selection);
  return { tools: [...wanted].sort((a, b) => (a.name < b.name ? -1 : 1)), omitted };
}

interface Remembered {
  readonly tools: readonly unknown[];
  readonly omitted: readonly OmittedTool[];
  readonly cut: readonly string[];
}

function parse(text: unknown): Remembered {
  let value: unknown;
  try {
    value = JSON.parse(String(text));
  } catch {
    value = undefined;
  }
  const { tools, omitted, cut } = isObject(value) ? value : {};
  if (Array.isArray(tools) && Array.isArray(omitted) && Array.isArray(cut)) {
    return {
      tools,
      omitted: omitted.filter(isOmitted),
      cut: cut.filter((name) => typeof name === "string"),
    };
  }
  const message = "what the host remembers of tools/list is not what was given to it";
  throw new McpProtocolError(message, { code: "invalid_catalog_shape" });
}

function isOmitted(value: unknown): value is OmittedTool {
  return (
    isObject(value) && typeof value["code"] === "string" && typeof value["message"] === "string"
  );
}

function select(
  tools: readonly MCPToolDescriptor[],
  omitted: readonly OmittedTool[],
  { tools: wanted, maxItems }: Selection,
): readonly MCPToolDescriptor[] {
  if (wanted === undefined) return tools;
  const names = new Set(wanted);
  const found = tools.filter(({ name }) => names.has(name));
  for (const { name } of found) names.delete(name);
  if (names.size > 0) throw toolsMissing([...names], omitted, `within ${maxItems} tools`);
  return found;
}

export function toolsMissing(
  names: readonly string[],
  omitted: readonly OmittedTool[],
  where: string,
): AdapterMCPError {
  const told = names.map((name) => {
    const why = omitted.find((each) => each.name === name)?.message;
    return why === undefined ? quoted(name) : `${quoted(name)} (${why})`;
  });
  const message = `tools that are asked for are not there ${where}: ${told.join(", ")}`;
  return new AdapterMCPError("tools_missing", message);
}
