import type { MCPServerConfig } from "@x/mcp-transport";
import { MCPAdapterError } from "./errors.ts";
import type { Variables } from "./expand.ts";
import { readJsonText } from "./json-text.ts";
import { type EntryReading, readServerEntry } from "./server-entry.ts";
import { type FieldProblem, short } from "./server-fields.ts";

export interface ReadServersOptions {
  /**
   * What `${VAR}` may stand for, such as `process.env`. A config file can send any of it anywhere:
   * give a file that others wrote no more than its servers need.
   *
   * @defaultValue no variables
   */
  readonly env?: Variables;
}

/** Something in a config file that is not as it should be. No value is in it. */
export interface MCPServerProblem {
  readonly server: string;
  /** In the server's entry, such as `headers.Authorization`; `""` is the entry itself. */
  readonly field: string;
  /** The variable that is not set. */
  readonly variable?: string;
  /** Names server and field. */
  readonly message: string;
}

/** What a config file says of servers; `connectServers` takes it as it is. */
export interface MCPServersReading {
  /** In the order of the file. */
  readonly servers: readonly MCPServerConfig[];
  /** Names of the servers that the file turns off. */
  readonly disabled: readonly string[];
  /** Why an entry was left out; there may be several for one. */
  readonly problems: readonly MCPServerProblem[];
  /** Fields that were passed over and change nothing for their server. */
  readonly ignored: readonly MCPServerProblem[];
}

/**
 * Reads the servers of a config file: its text, in which comments may stand, or the parsed object.
 * It has `mcpServers` or `servers`, a map by name or an array of entries with `name`; whatever else
 * it holds is not looked at. An entry that is wrong costs the others nothing.
 *
 * @throws MCPAdapterError `config` if there is no such map at all
 */
export function readServers(json: unknown, options: ReadServersOptions = {}): MCPServersReading {
  const { env = {} } = options;
  if (typeof env !== "object" || env === null) {
    throw new MCPAdapterError("config", "env must be an object such as process.env");
  }
  const { value, repeated } =
    typeof json === "string" ? readJsonText(json) : { value: json, repeated: [] };
  const section = sectionOf(value, repeated);
  const reading = new Reading();
  for (const { key, name, entry } of entriesOf(section)) {
    const twice = repeated.filter(([field, at]) => field === section.field && at === key);
    const inside = twice.flatMap(repeatedField);
    if (reading.has(name)) reading.add(name, { is: "wrong", problems: [SECOND] });
    else if (inside.length > 0) reading.add(name, { is: "wrong", problems: inside });
    else reading.add(name, readServerEntry(name, entry, env));
    if (twice.length > inside.length) reading.add(name, { is: "wrong", problems: [SECOND] });
  }
  const { servers, disabled, problems, ignored } = reading;
  return { servers, disabled, problems, ignored };
}

class Reading implements MCPServersReading {
  readonly servers: MCPServerConfig[] = [];
  readonly disabled: string[] = [];
  readonly problems: MCPServerProblem[] = [];
  readonly ignored: MCPServerProblem[] = [];
  readonly #names = new Set<string>();

  has(name: string): boolean {
    return this.#names.has(name);
  }

  add(name: string, read: EntryReading): void {
    this.#names.add(name);
    if (read.is === "disabled") this.disabled.push(name);
    else if (read.is === "wrong") {
      this.problems.push(...read.problems.map((problem) => describe(name, problem)));
    } else {
      this.servers.push(read.config);
      this.ignored.push(...read.ignored.map((field) => describe(name, field)));
    }
  }
}

const SECOND: FieldProblem = {
  field: "",
  message: "two servers have this name: the second is left out, rename one of them",
};

interface Section {
  readonly field: string;
  readonly value: unknown;
}

function sectionOf(json: unknown, repeated: readonly (readonly string[])[]): Section {
  const fields = new Map<string, unknown>(isObject(json) ? Object.entries(json) : []);
  const [field, other] = ["mcpServers", "servers"].filter((name) => fields.has(name));
  if (field === undefined) throw wrongFile('expected an object with "mcpServers" or "servers"');
  if (other !== undefined) throw wrongFile("mcpServers and servers are both there: keep one");
  if (repeated.some((path) => path.length === 1 && path[0] === field)) {
    throw wrongFile(`${field} stands there twice: make one of them`);
  }
  const value = fields.get(field);
  if (isObject(value) || Array.isArray(value)) return { field, value };
  throw wrongFile(`${field} must be an object of servers by name`);
}

function wrongFile(message: string): MCPAdapterError {
  return new MCPAdapterError("config", message);
}

interface Entry {
  /** Where it stands in its section. */
  readonly key: string;
  readonly name: string;
  readonly entry: unknown;
}

function entriesOf({ field, value }: Section): Entry[] {
  if (!Array.isArray(value)) {
    return Object.entries(isObject(value) ? value : {}).map(([key, entry]) => {
      return { key, name: key, entry };
    });
  }
  return value.map((item: unknown, index) => {
    const { name, ...entry } = isObject(item) ? item : {};
    const key = String(index);
    if (typeof name === "string") return { key, name, entry };
    return { key, name: `${field}[${key}]`, entry: undefined };
  });
}

/** What stands twice inside an entry; the entry as a whole is no field of its own. */
function repeatedField([, , ...path]: readonly string[]): FieldProblem[] {
  if (path.length === 0) return [];
  return [{ field: path.map(short).join("."), message: "stands there twice" }];
}

function describe(server: string, { field, message, variable }: FieldProblem): MCPServerProblem {
  const place = field === "" ? "" : `${field}: `;
  const text = `server ${JSON.stringify(short(server))}: ${place}${message}`;
  return { server, field, message: text, ...(variable !== undefined && { variable }) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
