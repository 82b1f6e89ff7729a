import type { MCPServerConfig } from "@x/mcp-transport";
import type { MCPToolAdapter } from "./adapter.ts";
import { MCPAdapterError } from "./errors.ts";
import { readFilter } from "./filter.ts";
import { MCPToolHub } from "./hub.ts";
import { HubMember, joined, makeAdapter } from "./hub-member.ts";
import { checkOptions, type MCPToolAdapterOptions } from "./options.ts";
import type { MCPServersReading } from "./read-servers.ts";
import { type MCPToolSink, requireSink } from "./registration.ts";
import { readOptions, readTimeout } from "./timeout.ts";

export interface ConnectServersOptions {
  /** Gets the tools of each server, as soon as they are listed, under the server's name. */
  readonly registry?: MCPToolSink;
  /** Names of servers without which nothing is to go on. @defaultValue none */
  readonly required?: readonly string[];
  /**
   * How long to wait for servers that are not required. Those that are slower go on connecting, and
   * register when they are there.
   *
   * @defaultValue until each has connected or failed, within its own `connectTimeoutMs`
   */
  readonly waitMs?: number;
  /** Gives up all servers that are being connected. */
  readonly signal?: AbortSignal;
  /** For the adapters that are made of configs. */
  readonly adapterOptions?: Omit<MCPToolAdapterOptions, "transport">;
}

/**
 * A config; or an adapter with options of its own, which the hub connects and closes; one that is
 * left out because of its name stays as it is.
 */
export type MCPServerEntry = MCPServerConfig | MCPToolAdapter;

/**
 * Connects to several servers at once. One that is dead or slow, or whose config is wrong, costs
 * the others nothing: it stands in `failed`. Of two servers with one name the first counts.
 *
 * @throws MCPAdapterError of a required server, as soon as it has failed; `aborted` by the signal;
 * `config` for a wrong option. All servers are closed then, and their tools taken out again.
 */
export async function connectServers(
  servers: Iterable<MCPServerEntry> | MCPServersReading,
  options?: ConnectServersOptions,
): Promise<MCPToolHub> {
  const given = checked(readOptions(options, "connectServers()"));
  const reading = readingOf(servers);
  const members = membersOf(reading, given);
  const required = requiredAmong(members, reading, given.required ?? []);
  const hub = new MCPToolHub(members);
  const flights = new Map(members.map((member) => [member, member.connect(given.signal)]));
  const needed = required.map(async (member) => {
    await flights.get(member);
    if (member.state.is === "failed") throw member.state.error;
  });
  const patience = startPatience(given.waitMs);
  try {
    await Promise.all([...needed, Promise.race([Promise.all(flights.values()), patience.over])]);
    if (given.signal?.aborted) throw aborted();
    return hub;
  } catch (cause) {
    const errors = [given.signal?.aborted ? aborted() : cause];
    await hub.close().catch((error: unknown) => errors.push(error));
    throw joined("hub", "not connected", errors);
  } finally {
    patience.stop();
  }
}

function aborted(): MCPAdapterError {
  return new MCPAdapterError("aborted", "connecting was given up, as asked by the caller");
}

const KNOWN = ["registry", "required", "waitMs", "signal", "adapterOptions"];

/** @throws MCPAdapterError `config` or `invalid_port`, before anything is started */
function checked(options: ConnectServersOptions): ConnectServersOptions {
  const unknown = Object.keys(options).find((key) => !KNOWN.includes(key));
  if (unknown !== undefined) throw wrongOption(`${unknown} is unknown: ${KNOWN.join(", ")}`);
  const { registry, required, waitMs, signal, adapterOptions } = options;
  if (registry !== undefined) requireSink(registry);
  if (required !== undefined && !Array.isArray(required)) {
    throw wrongOption("required must be an array of server names");
  }
  if (waitMs !== 0) readTimeout(waitMs, "waitMs");
  if (adapterOptions !== undefined) {
    checkOptions(adapterOptions, "hub");
    if (adapterOptions.filter) readFilter(adapterOptions.filter, "adapterOptions.filter");
    if ("transport" in adapterOptions) {
      throw wrongOption("adapterOptions.transport would be one for all: give an adapter instead");
    }
  }
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw wrongOption("signal must be an AbortSignal");
  }
  if (signal?.aborted) throw aborted();
  return options;
}

function wrongOption(message: string): MCPAdapterError {
  return new MCPAdapterError("config", `connectServers: ${message}`);
}

interface Reading extends Pick<MCPServersReading, "problems" | "disabled"> {
  readonly servers: Iterable<MCPServerEntry>;
}

function readingOf(servers: Iterable<MCPServerEntry> | MCPServersReading): Reading {
  if (typeof servers === "object" && servers !== null) {
    if (Symbol.iterator in servers) return { servers, problems: [], disabled: [] };
    if ("servers" in servers && "problems" in servers) return servers;
  }
  throw wrongOption("expected an array of server configs, or what readServers gives");
}

function membersOf(
  { servers, problems }: Reading,
  { registry, adapterOptions }: ConnectServersOptions,
): HubMember[] {
  const seen = new Set<string>();
  const members = [...servers].map((entry) => {
    const made = isAdapter(entry) ? entry : makeAdapter(entry, adapterOptions);
    const name = made instanceof MCPAdapterError ? nameOf(entry) : made.name;
    const first = !seen.has(name);
    seen.add(name);
    return new HubMember(name, first ? made : secondOf(name), registry);
  });
  const wrong = new Map<string, string[]>();
  for (const { server, message } of problems) {
    wrong.set(server, [...(wrong.get(server) ?? []), message]);
  }
  for (const [server, messages] of wrong) {
    const error = new MCPAdapterError("config", messages.join("; "), { server });
    members.push(new HubMember(server, error, registry));
  }
  return members;
}

function secondOf(server: string): MCPAdapterError {
  const message = `server "${server}": two servers have this name: the second is left out, rename one of them`;
  return new MCPAdapterError("config", message, { server });
}

function isAdapter(entry: MCPServerEntry): entry is MCPToolAdapter {
  return typeof entry === "object" && entry !== null && "registerTools" in entry;
}

function nameOf(entry: unknown): string {
  const name = typeof entry === "object" && entry !== null && "name" in entry ? entry.name : "";
  return typeof name === "string" && name !== "" ? name : "?";
}

function requiredAmong(
  members: readonly HubMember[],
  { disabled }: Reading,
  required: readonly string[],
): HubMember[] {
  return required.flatMap((name) => {
    const found = members.filter((member) => member.name === name);
    if (found.length > 0) return found.slice(0, 1);
    const why = disabled.includes(name) ? "is disabled" : "is not among the servers";
    throw wrongOption(`the required server ${JSON.stringify(name)} ${why}`);
  });
}

function startPatience(waitMs: number | undefined): { over: Promise<void>; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    if (waitMs !== undefined) timer = setTimeout(resolve, waitMs);
  });
  return { over, stop: () => clearTimeout(timer) };
}
