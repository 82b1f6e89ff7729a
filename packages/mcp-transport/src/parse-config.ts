import type { HTTPServerConfig, MCPServerConfig, StdioServerConfig } from "./config.ts";
import { describeConfig } from "./describe.ts";
import { MCPTransportError } from "./errors.ts";
import type { AuthProviderLike } from "./http/auth-provider.ts";
import { checkHeaders, type FetchLike, type HeadersFn } from "./http/headers.ts";
import { checkTimeout, typeName, wrong } from "./options.ts";

type Fields = ReadonlyMap<string, unknown>;

const transports = ["stdio", "sse", "streamable-http"] as const;
const protocols = ["legacy", "auto", "2026-07-28"] as const;
const trusts = ["none", "annotations"] as const;
const timeouts = ["connectTimeoutMs", "requestTimeoutMs", "idleTimeoutMs"] as const;

const common = ["name", "transport", "protocol", "trust", ...timeouts];
const ofStdio = ["command", "args", "env", "cwd", "inheritEnv", "killOnSignal"];
const ofHttp = ["url", "headers", "fetch", "authProvider", "allowedHosts", "blockPrivateAddresses"];

/**
 * Checks a config of unknown origin. What comes back shows no secret to `JSON.stringify` and
 * `util.inspect`.
 * @throws MCPTransportError `config`, with the field, what was expected and what came instead; a
 * value that may be secret is not shown
 */
export function parseServerConfig(value: unknown): MCPServerConfig {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw wrong("server config", "an object", value);
  }
  const fields: Fields = new Map(Object.entries(value).filter(([, field]) => field !== undefined));
  const name = parseName(fields.get("name"));
  try {
    return concealed(parseFields(name, fields));
  } catch (error) {
    if (!(error instanceof MCPTransportError)) throw error;
    const { field } = error;
    throw new MCPTransportError("config", `config of server ${quote(name)}: ${error.message}`, {
      ...(field !== undefined && { field }),
    });
  }
}

function parseFields(name: string, fields: Fields): MCPServerConfig {
  const transport = oneOf(fields, "transport", transports);
  checkMembership(fields, transport);
  const base = {
    name,
    ...pick(fields, timeouts, (value, field) => checkTimeout(field, value)),
    ...optional("protocol", oneOf(fields, "protocol", protocols)),
    ...optional("trust", oneOf(fields, "trust", trusts)),
  };
  if (transport === "stdio" || (transport === undefined && fields.has("command"))) {
    return { ...base, ...optional("transport", transport), ...parseStdio(fields) };
  }
  return { ...base, ...optional("transport", transport), ...parseHttp(fields) };
}

function parseName(name: unknown): string {
  if (typeof name !== "string") throw wrong("name", "a string", name);
  if (name === "" || name.includes("/")) {
    throw invalid("name", `must not be empty and must not hold "/", got ${quote(name)}`);
  }
  return name;
}

function checkMembership(fields: Fields, transport: string | undefined): void {
  const known = new Set([...common, ...ofStdio, ...ofHttp]);
  for (const field of fields.keys()) {
    if (!known.has(field)) {
      throw invalid(short(field), `is unknown; known are ${[...known].join(", ")}`);
    }
  }
  if (transport === undefined && fields.has("command") && fields.has("url")) {
    throw invalid("transport", 'is needed where both "command" and "url" are given; give one');
  }
  if (transport === undefined && !fields.has("command") && !fields.has("url")) {
    throw invalid("command", 'or "url" is required');
  }
  const stdio = transport === "stdio" || (transport === undefined && fields.has("command"));
  const required = stdio ? "command" : "url";
  if (!fields.has(required)) {
    throw invalid(required, `is required by transport ${quote(String(transport))}`);
  }
  const foreign = (stdio ? ofHttp : ofStdio).find((field) => fields.has(field));
  if (foreign !== undefined) {
    throw invalid(foreign, `does not belong to a server reached by "${required}"`);
  }
}

function parseStdio(fields: Fields): Omit<StdioServerConfig, "name" | "transport"> {
  const inheritEnv = fields.get("inheritEnv");
  return {
    command: text("command", fields.get("command")),
    ...pick(fields, ["args"], (value, field) =>
      list(field, value).map((arg, index) => argument(`${field}[${index}]`, arg)),
    ),
    ...pick(fields, ["env"], (value, field) => environment(field, value)),
    ...pick(fields, ["cwd"], (value, field) => text(field, value)),
    ...pick(fields, ["killOnSignal"], (value, field) => flag(field, value)),
    ...optional(
      "inheritEnv",
      typeof inheritEnv === "boolean" || inheritEnv === undefined
        ? inheritEnv
        : list("inheritEnv", inheritEnv, "true, false or an array of names").map((name, index) =>
            text(`inheritEnv[${index}]`, name),
          ),
    ),
  };
}

function parseHttp(fields: Fields): Omit<HTTPServerConfig, "name" | "transport"> {
  return {
    url: parseUrl(fields.get("url")),
    ...pick(fields, ["headers"], (value) =>
      // What a function gives is checked whenever it gives it.
      typeof value === "function" ? (value as HeadersFn) : checkHeaders(value),
    ),
    ...pick(fields, ["fetch"], (value, field) => {
      if (typeof value !== "function") throw wrong(field, "a function", value);
      return value as FetchLike;
    }),
    ...pick(fields, ["authProvider"], authProvider),
    ...pick(fields, ["allowedHosts"], (value, field) =>
      list(field, value).map((host, index) => hostPattern(`${field}[${index}]`, host)),
    ),
    ...pick(fields, ["blockPrivateAddresses"], (value, field) => {
      if (typeof value !== "boolean") throw wrong(field, "true or false", value);
      if (value && fields.get("fetch") !== undefined) {
        throw invalid(field, "needs the fetch of this package: leave fetch out");
      }
      return value;
    }),
  };
}

function parseUrl(value: unknown): string {
  if (typeof value !== "string" && !(value instanceof URL)) {
    throw wrong("url", "a string or a URL", value);
  }
  // The value may hold a secret, so an error does not show it.
  if (!URL.canParse(String(value))) throw invalid("url", "is not a valid absolute url");
  const url = new URL(value);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw invalid("url", `expected http or https, got the scheme ${quote(url.protocol)}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw invalid("url", "must not hold a user name or password; use headers");
  }
  return url.href;
}

function environment(field: string, value: unknown): Record<string, string> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw wrong(field, "an object of strings", value);
  }
  const entries: [string, unknown][] = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, content]) => {
      if (name === "" || /[=\0]/.test(name)) {
        throw invalid(field, `${quote(name)} is not the name of a variable`);
      }
      if (typeof content !== "string") throw wrong(`${field}.${name}`, "a string", content);
      if (content.includes("\0")) throw invalid(`${field}.${name}`, "holds a NUL character");
      return [name, content];
    }),
  );
}

function argument(field: string, value: unknown): string {
  if (typeof value !== "string") throw wrong(field, "a string", value);
  if (/[\0\r\n]/.test(value)) throw invalid(field, "holds a line break or a NUL character");
  return value;
}

function text(field: string, value: unknown): string {
  const checked = argument(field, value);
  if (checked === "") throw invalid(field, "must not be empty");
  return checked;
}

function flag(field: string, value: unknown): boolean {
  if (typeof value !== "boolean") throw wrong(field, "true or false", value);
  return value;
}

function list(field: string, value: unknown, expected = "an array of strings"): unknown[] {
  if (!Array.isArray(value)) throw wrong(field, expected, value);
  return [...value];
}

function hostPattern(field: string, value: unknown): string {
  const host = text(field, value).toLowerCase();
  if (!/^(?:(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/.test(host)) {
    throw invalid(field, `expected a host name or "*.suffix", without port, got ${quote(host)}`);
  }
  return host;
}

const providerMethods = ["clientInformation", "tokens", "saveTokens", "redirectToAuthorization"];

function authProvider(value: unknown, field: string): AuthProviderLike {
  if (typeof value !== "object" || value === null) throw wrong(field, "an object", value);
  for (const method of [...providerMethods, "saveCodeVerifier", "codeVerifier"]) {
    const member: unknown = Reflect.get(value, method);
    if (typeof member !== "function") throw wrong(`${field}.${method}`, "a function", member);
  }
  return value as AuthProviderLike;
}

function oneOf<const T extends string>(
  fields: Fields,
  field: string,
  allowed: readonly T[],
): T | undefined {
  const value = fields.get(field);
  if (value === undefined) return undefined;
  const found = allowed.find((candidate) => candidate === value);
  if (found !== undefined) return found;
  const got = typeof value === "string" ? quote(value) : typeName(value);
  throw invalid(field, `expected ${allowed.map(quote).join(", ")}, got ${got}`);
}

function pick<const K extends string, V>(
  fields: Fields,
  names: readonly K[],
  parse: (value: unknown, field: K) => V,
): { [P in K]?: V } {
  const picked: { [P in K]?: V } = {};
  for (const name of names) {
    if (fields.has(name)) picked[name] = parse(fields.get(name), name);
  }
  return picked;
}

function optional<const K extends string, V>(
  key: K,
  value: V | undefined,
): { [P in K]?: V } | Record<never, never> {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}

function concealed(config: MCPServerConfig): MCPServerConfig {
  const show = { value: () => describeConfig(config), enumerable: false };
  Object.defineProperties(config, {
    toJSON: show,
    [Symbol.for("nodejs.util.inspect.custom")]: show,
  });
  return Object.freeze(config);
}

function invalid(field: string, message: string): MCPTransportError {
  return new MCPTransportError("config", `${field}: ${message}`, { field });
}

function quote(value: string): string {
  return JSON.stringify(short(value));
}

function short(value: string): string {
  return value.length > 60 ? `${value.slice(0, 60)}…` : value;
}
