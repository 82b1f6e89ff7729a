import { inspect } from "node:util";
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  type AuthProviderLike,
  type HTTPServerConfig,
  type MCPServerConfig,
  MCPTransportError,
  parseServerConfig,
  type StdioServerConfig,
} from "../src/index.ts";

function failure(config: unknown): MCPTransportError {
  try {
    parseServerConfig(config);
  } catch (error) {
    if (error instanceof MCPTransportError) return error;
    throw error;
  }
  throw new Error("the config was accepted");
}

const stdio = { name: "s", command: "node" };
const http = { name: "s", url: "https://mcp.example/mcp" };

describe("accepts", () => {
  const provider: AuthProviderLike = {
    redirectUrl: undefined,
    clientMetadata: {},
    clientInformation: () => undefined,
    tokens: () => undefined,
    saveTokens: () => {},
    redirectToAuthorization: () => {},
    saveCodeVerifier: () => {},
    codeVerifier: () => "",
  };
  const headers = () => ({});
  const fetch = globalThis.fetch;

  it.each<{ given: MCPServerConfig; parsed?: object }>([
    { given: stdio },
    { given: { ...stdio, transport: "stdio" } },
    {
      given: {
        ...stdio,
        args: ["-y", "", "a b", "ünï"],
        env: { TOKEN: "a\nb", EMPTY: "" },
        cwd: "/tmp",
        inheritEnv: ["HTTP_PROXY"],
        killOnSignal: false,
      },
    },
    { given: { ...stdio, inheritEnv: true } },
    { given: { ...stdio, connectTimeoutMs: 1, requestTimeoutMs: 0.5, idleTimeoutMs: 2 ** 31 - 1 } },
    { given: { ...stdio, protocol: "auto", trust: "annotations" } },
    { given: http },
    { given: { ...http, transport: "sse", headers: { Authorization: "Bearer x", "x-1": "\tä" } } },
    { given: { ...http, transport: "streamable-http", headers, fetch, authProvider: provider } },
    {
      given: { ...http, allowedHosts: ["Example.com", "*.example.org", "127.0.0.1", "[::1]"] },
      parsed: { ...http, allowedHosts: ["example.com", "*.example.org", "127.0.0.1", "[::1]"] },
    },
    { given: { name: "s", url: "http://host/a?b=c" } },
    {
      given: { name: "s", url: new URL("http://host/x") },
      parsed: { name: "s", url: "http://host/x" },
    },
  ])("$given", ({ given, parsed = given }) => {
    expect(parseServerConfig(given)).toEqual(parsed);
  });

  it("its own result again, and fields that are undefined", () => {
    const parsed = parseServerConfig({ ...stdio, args: undefined, transport: undefined });
    expect(parsed).toEqual(stdio);
    expect(parseServerConfig(parsed)).toEqual(parsed);
  });

  it("objects without a prototype, and leaves the given one alone", () => {
    const env = Object.assign(Object.create(null), { A: "1" });
    const given = Object.assign(Object.create(null), { ...stdio, env });
    const parsed = parseServerConfig(given);
    expect(parsed).toEqual({ ...stdio, env: { A: "1" } });
    env.A = "2";
    expect(parsed).toEqual({ ...stdio, env: { A: "1" } });
    expect(Object.isFrozen(parsed)).toBe(true);
  });

  it("a variable called __proto__ as a variable", () => {
    const parsed = parseServerConfig(
      JSON.parse('{"name":"s","command":"c","env":{"__proto__":"x"}}'),
    );
    const { env } = parsed as StdioServerConfig;
    expect(Object.entries(env ?? {})).toEqual([["__proto__", "x"]]);
    expect(Object.getPrototypeOf(env)).toBe(Object.prototype);
  });
});

describe("refuses, naming the field", () => {
  it.each<[field: string, config: unknown, says: string]>([
    ["server config", undefined, "expected an object, got undefined"],
    ["server config", null, "expected an object, got null"],
    ["server config", "npx", "expected an object, got string"],
    ["server config", [stdio], "expected an object, got an array"],
    ["name", { command: "x" }, "expected a string, got undefined"],
    ["name", { ...stdio, name: 7 }, "expected a string, got number"],
    ["name", { ...stdio, name: "" }, "must not be empty"],
    ["name", { ...stdio, name: "a/b" }, 'must not hold "/", got "a/b"'],
    ["command", { name: "s" }, 'command: or "url" is required'],
    ["command", { name: "s", transport: "stdio" }, 'required by transport "stdio"'],
    ["command", { ...http, transport: "stdio" }, 'required by transport "stdio"'],
    ["url", { name: "s", transport: "sse" }, 'required by transport "sse"'],
    ["url", { name: "s", transport: "streamable-http" }, "required by transport"],
    ["url", { ...stdio, transport: "sse" }, 'required by transport "sse"'],
    ["transport", { ...stdio, url: "http://h" }, 'where both "command" and "url" are given'],
    ["url", { ...stdio, url: "http://h", transport: "stdio" }, "does not belong"],
    ["headers", { ...stdio, headers: {} }, 'reached by "command"'],
    ["env", { ...http, env: {} }, 'reached by "url"'],
    [
      "transport",
      { ...stdio, transport: "http" },
      'expected "stdio", "sse", "streamable-http", got "http"',
    ],
    ["transport", { ...stdio, transport: {} }, "got object"],
    ["protocol", { ...stdio, protocol: "2025" }, '"legacy", "auto", "2026-07-28", got "2025"'],
    ["trust", { ...stdio, trust: "all" }, 'expected "none", "annotations", got "all"'],
    ["timeout", { ...stdio, timeout: 5 }, "is unknown; known are name, transport"],
    ["__proto__", JSON.parse('{"name":"s","command":"c","__proto__":{}}'), "is unknown"],
    ["constructor", { ...stdio, constructor: 1 }, "is unknown"],
    ["connectTimeoutMs", { ...stdio, connectTimeoutMs: 0 }, "milliseconds above 0"],
    ["connectTimeoutMs", { ...stdio, connectTimeoutMs: -5 }, "got -5"],
    ...["connectTimeoutMs", "requestTimeoutMs", "idleTimeoutMs"].flatMap((field) =>
      [0, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2 ** 31].map(
        (value): [string, unknown, string] => [field, { ...http, [field]: value }, `got ${value}`],
      ),
    ),
    ["requestTimeoutMs", { ...stdio, requestTimeoutMs: Number.NaN }, "got NaN"],
    ["requestTimeoutMs", { ...stdio, requestTimeoutMs: 2 ** 31 }, "up to 2147483647"],
    ["idleTimeoutMs", { ...stdio, idleTimeoutMs: Number.POSITIVE_INFINITY }, "got Infinity"],
    ["idleTimeoutMs", { ...stdio, idleTimeoutMs: "60000" }, "got string"],
    ["command", { name: "s", command: "" }, "must not be empty"],
    ["command", { name: "s", command: ["npx", "x"] }, "expected a string, got an array"],
    ["command", { name: "s", command: "a\0b" }, "NUL"],
    ["args", { ...stdio, args: "-y" }, "expected an array of strings, got string"],
    ["args[1]", { ...stdio, args: ["a", 1] }, "expected a string, got number"],
    ["args[0]", { ...stdio, args: ["a\nb"] }, "line break"],
    ["args[0]", { ...stdio, args: ["a\rb"] }, "line break"],
    ["args[0]", { ...stdio, args: ["a\0b"] }, "NUL"],
    ["env", { ...stdio, env: ["A=1"] }, "expected an object of strings, got an array"],
    ["env.PORT", { ...stdio, env: { PORT: 80 } }, "expected a string, got number"],
    ["env.TOKEN", { ...stdio, env: { TOKEN: undefined } }, "expected a string, got undefined"],
    ["env.TOKEN", { ...stdio, env: { TOKEN: "secret\0secret" } }, "NUL"],
    ["env", { ...stdio, env: { "A=B": "x" } }, '"A=B" is not the name of a variable'],
    ["env", { ...stdio, env: { "": "x" } }, '"" is not the name of a variable'],
    ["command", { name: "s", command: "a\nb" }, "line break"],
    ["env.PORT", { ...stdio, env: { PORT: null } }, "expected a string, got null"],
    ["env.PORT", { ...stdio, env: { PORT: ["80"] } }, "expected a string, got an array"],
    ["cwd", { ...stdio, cwd: 1 }, "expected a string, got number"],
    ["cwd", { ...stdio, cwd: "" }, "must not be empty"],
    ["cwd", { ...stdio, cwd: "/tmp\0/x" }, "NUL"],
    ["cwd", { ...stdio, cwd: "/tmp\r\n" }, "line break"],
    ["inheritEnv[0]", { ...stdio, inheritEnv: ["A\0B"] }, "NUL"],
    ["inheritEnv", { ...stdio, inheritEnv: "PATH" }, "true, false or an array of names"],
    ["inheritEnv[0]", { ...stdio, inheritEnv: [true] }, "expected a string, got boolean"],
    ["killOnSignal", { ...stdio, killOnSignal: "no" }, "expected true or false, got string"],
    ["url", { name: "s", url: 80 }, "expected a string or a URL, got number"],
    ["url", { name: "s", url: "mcp.example" }, "not a valid absolute url"],
    ["url", { name: "s", url: "ftp://h/x" }, 'http or https, got the scheme "ftp:"'],
    ["url", { name: "s", url: "file:///etc/passwd" }, "http or https"],
    ["url", { name: "s", url: "http://me:pw@h/" }, "must not hold a user name or password"],
    ["headers", { ...http, headers: "a: b" }, "expected an object of strings"],
    ["headers", { ...http, headers: [["a", "b"]] }, "expected an object of strings"],
    ["headers.a", { ...http, headers: { a: 1 } }, "expected a string, got number"],
    ["headers.a", { ...http, headers: { a: null } }, "expected a string, got null"],
    ["headers.a", { ...http, headers: { a: "x\r\nb: y" } }, "line break"],
    ["headers.a", { ...http, headers: { a: "日" } }, "HTTP forbids"],
    ["headers", { ...http, headers: { "a b": "x" } }, '"a b" is not a header name'],
    ["headers", { ...http, headers: { "": "x" } }, '"" is not a header name'],
    ...[
      "Mcp-Session-Id",
      "mcp-protocol-version",
      "Mcp-Method",
      "Mcp-Param-Region",
      "Content-Type",
      "Content-Length",
      "Accept",
      "Host",
      "Connection",
      "Transfer-Encoding",
      "Last-Event-ID",
    ].map((name): [string, unknown, string] => [
      `headers.${name}`,
      { ...http, headers: { [name]: "x" } },
      "set by the protocol",
    ]),
    ["fetch", { ...http, fetch: {} }, "expected a function, got object"],
    ["authProvider", { ...http, authProvider: "token" }, "expected an object, got string"],
    ["authProvider.tokens", { ...http, authProvider: { clientInformation() {} } }, "a function"],
    ["allowedHosts", { ...http, allowedHosts: "a" }, "expected an array of strings"],
    ["allowedHosts[0]", { ...http, allowedHosts: ["http://a"] }, 'a host name or "*.suffix"'],
    ["allowedHosts[0]", { ...http, allowedHosts: ["a:80"] }, "without port"],
    ["allowedHosts[0]", { ...http, allowedHosts: ["*"] }, "host name"],
    ["allowedHosts[1]", { ...http, allowedHosts: ["a", ""] }, "must not be empty"],
  ])("%s of %j", (field, config, says) => {
    const error = failure(config);
    expect(error).toMatchObject({ name: "MCPTransportError", code: "config" });
    expect(error.field).toBe(field);
    expect(error.message).toContain(says);
    expect(error.message).toContain(`${error.field}: `);
  });

  it("says which server, once it has a name", () => {
    expect(failure({ name: "files", command: 1 }).message).toBe(
      'config of server "files": command: expected a string, got number',
    );
  });

  it("shortens what is long", () => {
    expect(failure({ ...stdio, ["x".repeat(10_000)]: 1 }).message.length).toBeLessThan(400);
    expect(failure({ ...stdio, transport: "x".repeat(10_000) }).message.length).toBeLessThan(400);
    expect(failure({ ...http, headers: { [" ".repeat(10_000)]: "" } }).message.length).toBeLessThan(
      400,
    );
  });
});

describe("secrets", () => {
  const secret = "sk-planted-0123456789";

  it.each([
    { ...stdio, args: [`--token=${secret}\n`] },
    { ...stdio, args: [secret, 1] },
    { ...stdio, env: { TOKEN: `${secret}\0` } },
    { ...http, headers: { Authorization: `Bearer ${secret}\r\n` } },
    { name: "s", url: `http://user:${secret}@host/` },
    { name: "s", url: `http://[${secret}` },
    { name: "s", url: `ftp://host/?key=${secret}` },
    { ...http, headers: { "Content-Type": secret } },
    { name: "s", command: `${secret}\n` },
  ])("are not in the error of config %#", (config) => {
    expect(inspect(failure(config), { depth: 9 })).not.toContain(secret);
  });

  it.each<MCPServerConfig>([
    { ...stdio, args: ["--token", secret], env: { TOKEN: secret } },
    { name: "s", url: `http://host/mcp?key=${secret}`, headers: { Authorization: secret } },
  ])("are not shown by what was parsed, %#", (config) => {
    const parsed = parseServerConfig(config);
    const shown = [inspect(parsed), inspect({ parsed }, { depth: 9 }), JSON.stringify([parsed])];
    expect(shown.join()).not.toContain(secret);
    expect(shown.join()).toContain("s");
    expect({ ...parsed }).toEqual(config);
  });

  it("leave the names that carry them visible", () => {
    const shown = JSON.parse(
      JSON.stringify(parseServerConfig({ ...stdio, args: ["a"], env: { TOKEN: secret } })),
    );
    expect(shown).toEqual({ ...stdio, args: "1 hidden", env: ["TOKEN"] });
    const { fetch } = globalThis;
    const remote = parseServerConfig({ ...http, headers: { "X-Key": secret }, fetch });
    expect(JSON.parse(JSON.stringify(remote))).toEqual({ ...http, headers: ["X-Key"] });
    const dynamic = parseServerConfig({ ...http, headers: () => ({ "X-Key": secret }) });
    expect(JSON.parse(JSON.stringify(dynamic))).toEqual({ ...http, headers: "function" });
  });
});

describe("types", () => {
  it("tell the two families apart by what they need", () => {
    expectTypeOf<
      Extract<MCPServerConfig, { command: string }>
    >().toEqualTypeOf<StdioServerConfig>();
    expectTypeOf<
      Extract<MCPServerConfig, { url: string | URL }>
    >().toEqualTypeOf<HTTPServerConfig>();
    expectTypeOf(parseServerConfig).returns.toEqualTypeOf<MCPServerConfig>();
    // @ts-expect-error stdio needs a command
    const incomplete: MCPServerConfig = { name: "s", transport: "stdio" };
    expect(() => parseServerConfig(incomplete)).toThrow("command");
  });

  it("take any OAuth provider written for the SDK", () => {
    expectTypeOf<OAuthClientProvider>().toExtend<AuthProviderLike>();
  });
});
