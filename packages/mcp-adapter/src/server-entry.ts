import { type MCPServerConfig, MCPTransportError, parseServerConfig } from "@x/mcp-transport";
import { readArguments } from "./arguments.ts";
import { expand, type Variables } from "./expand.ts";
import {
  type FieldProblem,
  type Fields,
  short,
  sortOut,
  takeSwitch,
  URL_FIELDS,
} from "./server-fields.ts";

export type EntryReading =
  | {
      readonly is: "server";
      readonly config: MCPServerConfig;
      readonly ignored: readonly FieldProblem[];
    }
  | { readonly is: "disabled" }
  | { readonly is: "wrong"; readonly problems: readonly FieldProblem[] };

const LIMITS = { maxBytes: 262_144, maxDepth: 16 };

/** What transports are called in config files, without `-`, `_` and capitals. */
const TRANSPORTS = new Map([
  ["stdio", "stdio"],
  ["local", "stdio"],
  ["sse", "sse"],
  ["http", "streamable-http"],
  ["streamablehttp", "streamable-http"],
]);

/** A variable as shells write it, alone or behind `Bearer `: nothing expands it here. */
const SHELL_VARIABLE = /^(?:Bearer )?\$(?:env:)?([A-Za-z_]\w*)$/;

/** Reads the entry of one server as it stands in a config file. */
export function readServerEntry(name: string, entry: unknown, variables: Variables): EntryReading {
  const read = readArguments(entry, LIMITS);
  if (!read.ok) return { is: "wrong", problems: [unreadable(read)] };
  // `null` stands for a field that is not given.
  const fields: Fields = new Map(Object.entries(read.args).filter(([, value]) => value !== null));
  const problems: FieldProblem[] = [];
  if (takeSwitch(fields, problems) === "off" && problems.length === 0) return { is: "disabled" };
  if (name.includes("/")) problems.push(slashIn(name));
  const ignored = sortOut(fields, problems);
  readTransport(fields, problems);
  readUrl(fields, problems);
  expandAll(fields, variables, problems);
  if (problems.length > 0) return { is: "wrong", problems };
  try {
    const config = parseServerConfig({ ...Object.fromEntries(fields), name });
    return { is: "server", config, ignored };
  } catch (error) {
    if (!(error instanceof MCPTransportError)) throw error;
    const { field = "", message } = error;
    const start = message.indexOf(`${field}: `) + field.length + 2;
    return { is: "wrong", problems: [{ field, message: message.slice(start) }] };
  }
}

/** VS Code names servers of its gallery so. */
function slashIn(name: string): FieldProblem {
  const other = JSON.stringify(short(name.replaceAll("/", "-")));
  const message = `must not hold "/", since tools are called server/tool; rename it, for instance ${other}`;
  return { field: "name", message };
}

function unreadable(read: Extract<ReturnType<typeof readArguments>, { ok: false }>): FieldProblem {
  if (read.errorCode === "too_large") return { field: "", message: "is too large or too deep" };
  const { path, message } = read.issue;
  return {
    field: path.join("."),
    message: path.length === 0 ? "must be an object, with a name in an array" : message,
  };
}

function readTransport(fields: Fields, problems: FieldProblem[]): void {
  const [found, other] = ["type", "transport"].flatMap((field) => {
    const value = fields.get(field);
    fields.delete(field);
    if (value === undefined) return [];
    const plain = typeof value === "string" ? value.replace(/[-_]/g, "").toLowerCase() : "";
    const transport = TRANSPORTS.get(plain);
    if (transport !== undefined) return [transport];
    const got = typeof value === "string" ? JSON.stringify(short(value)) : kindOf(value);
    const message = `expected "stdio", "http" (also "streamable-http") or "sse", got ${got}`;
    problems.push({ field, message });
    return [];
  });
  if (other !== undefined && found !== other) {
    problems.push({ field: "transport", message: "says another than type; give one of them" });
  }
  if (found !== undefined) fields.set("transport", found);
}

/** One url, whatever it is called; `httpUrl` names its transport as well. */
function readUrl(fields: Fields, problems: FieldProblem[]): void {
  const [first, second] = URL_FIELDS.filter((field) => fields.has(field));
  if (first === undefined) return;
  if (second !== undefined) {
    problems.push({ field: second, message: `stands beside ${first}; give one of them` });
  }
  const url = fields.get(first);
  for (const field of URL_FIELDS) fields.delete(field);
  fields.set("url", url);
  if (first === "httpUrl" && !fields.has("transport")) fields.set("transport", "streamable-http");
}

function expandAll(fields: Fields, variables: Variables, problems: FieldProblem[]): void {
  const expanded = (field: string, value: unknown): unknown => {
    const found = expandField(field, value, variables);
    if (typeof found === "string") return found;
    problems.push(found);
    return value;
  };
  for (const [field, value] of fields) {
    if (["command", "cwd", "url"].includes(field)) fields.set(field, expanded(field, value));
    if (field === "args" && Array.isArray(value)) {
      const items = value.map((item, index) => expanded(`args[${index}]`, item));
      fields.set(field, items);
    }
    if ((field === "env" || field === "headers") && isObject(value)) {
      const entries = Object.entries(value).map(([key, item]) => [
        key,
        expanded(`${field}.${short(key)}`, item),
      ]);
      fields.set(field, Object.fromEntries(entries));
    }
  }
}

function expandField(field: string, value: unknown, variables: Variables): string | FieldProblem {
  if (typeof value !== "string") {
    return { field, message: `expected a string, got ${kindOf(value)}` };
  }
  const name = /^(?:env|headers)\./.test(field) ? SHELL_VARIABLE.exec(value)?.[1] : undefined;
  if (name !== undefined) {
    if (!Object.hasOwn(variables, name)) {
      return {
        field,
        message: `$NAME is not expanded: write \${NAME}, also for a value that begins with $`,
      };
    }
    return { field, message: `$${name} is not expanded; write \${${name}}`, variable: name };
  }
  const expansion = expand(value, variables);
  if (!expansion.ok) {
    const { message, variable } = expansion;
    return { field, message, ...(variable !== undefined && { variable }) };
  }
  // Checked here, where nothing of it is shown: all of it may have come from a variable.
  if (field === "url" && !/^https?:\/\//i.test(expansion.text.trim())) {
    return { field, message: "must begin with http:// or https://, after expansion" };
  }
  return expansion.text;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
