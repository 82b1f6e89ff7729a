import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MCPAdapterError, type MCPServersReading, readServers } from "../src/index.ts";
import { readJsonText } from "../src/json-text.ts";

const SECRET = "s3cret-value-0815";
const env = { TOKEN: SECRET, EMPTY: "", HOST: "mcp.example.com", PORT: "8080", SHELL_ARG: "a b" };

const read = (entry: unknown, name = "github"): MCPServersReading =>
  readServers({ mcpServers: { [name]: entry } }, { env });

/** The config as it was read, without the cover that hides its values. */
const configOf = (entry: unknown): object => ({ ...read(entry).servers[0] });

const problemOf = (entry: unknown): [field: string | undefined, message: string | undefined] => {
  const { servers, problems } = read(entry);
  expect(servers).toEqual([]);
  return [problems[0]?.field, problems[0]?.message];
};

const thrownBy = (action: () => unknown): MCPAdapterError => {
  try {
    action();
  } catch (error) {
    if (error instanceof MCPAdapterError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
};

describe("the file", () => {
  const entry = { command: "node" };

  it.each([
    ["mcpServers", { mcpServers: { a: entry, b: entry } }],
    ["servers", { servers: { a: entry, b: entry } }],
    [
      "an array",
      {
        mcpServers: [
          { name: "a", ...entry },
          { name: "b", ...entry },
        ],
      },
    ],
    ["other sections beside", { inputs: [], $schema: 5, mcpServers: { a: entry, b: entry } }],
    ["JSON text", '{"mcpServers":{"a":{"command":"node"},"b":{"command":"node"}}}'],
    [
      "text with comments",
      '\uFEFF// mine\n{ /* two */ "servers": { "a": {"command":"node"}, // one\n "b": {"command":"node",}, } }\n',
    ],
  ])("may have %s", (_what, json) => {
    const { servers, disabled, problems, ignored } = readServers(json);
    expect(servers.map(({ name }) => name)).toEqual(["a", "b"]);
    expect({ ...servers[0] }).toEqual({ name: "a", command: "node" });
    expect([disabled, problems, ignored]).toEqual([[], [], []]);
  });

  it.each([
    ["nothing", undefined, '"mcpServers" or "servers"'],
    ["an array", [], '"mcpServers" or "servers"'],
    ["neither section", { mcp: {} }, '"mcpServers" or "servers"'],
    ["both sections", { mcpServers: {}, servers: {} }, "keep one"],
    ["text for a section", { mcpServers: "x" }, "mcpServers must be an object"],
    ["null for a section", { servers: null }, "servers must be an object"],
    ["a section twice", '{"servers":{},"servers":{}}', "twice"],
    ["a section that is inherited", Object.create({ mcpServers: {} }), '"mcpServers"'],
  ])("is refused as a whole with %s", (_what, json, message) => {
    const error = thrownBy(() => readServers(json));
    expect(error.code).toBe("config");
    expect(error.message).toContain(message);
  });

  it.each([
    ["", "a value at line 1, column 1"],
    [`{"a": ${SECRET}}`, "a value at line 1, column 7"],
    [`{\n  "a": "${SECRET}" "b": 1\n}`, `"," or "}" at line 2, column 28`],
    [`{"a": "${SECRET}`, "a string at line 1, column 7"],
    [`{"a\\x": "${SECRET}"}`, "a key at line 1, column 2"],
    [`{a: "${SECRET}"}`, "a key in double quotes at line 1, column 2"],
    [`{"a" "${SECRET}"}`, '":" at line 1, column 6'],
    [`{"a": 01}`, "a value at line 1, column 7"],
    [`{"a": NaN}`, "a value at line 1, column 7"],
    [`{"a": [1, 2}`, '"," or "]" at line 1, column 12'],
    [`{} ${SECRET}`, "the end of the text at line 1, column 4"],
    [`{"a": /* ${SECRET}`, "a value at line 1, column 7"],
    [`{"a": "line\nbreak"}`, "a string at line 1, column 7"],
  ])(
    "is refused where it is no JSON, with the place and nothing of the text: %j",
    (text, where) => {
      const error = thrownBy(() => readServers(text));
      expect(error.code).toBe("config");
      expect(error.message).toContain(where);
      expect(inspect(error)).not.toContain(SECRET);
    },
  );

  it.each([
    ["a bottomless text", `{"a":${"[".repeat(100_000)}`, "at most 64 levels"],
    ["a huge text", " ".repeat(1_048_577), "over 1048576 characters"],
  ])("is refused as %s", (_what, text, message) => {
    expect(thrownBy(() => readServers(text)).message).toContain(message);
  });

  it("reads JSON as JSON.parse does", () => {
    const text = String.raw`{"mcpServers":{"__proto__":{"command":"n\u00f6de","args":["\"q\"", "//","\ud83d\ude00"]}}}`;
    const { servers } = readServers(text);
    expect({ ...servers[0] }).toEqual({
      name: "__proto__",
      command: "nöde",
      args: ['"q"', "//", "😀"],
    });
    expect({}).not.toHaveProperty("command");
  });

  it.each([null, "x", 5])("refuses %j for env", (wrong) => {
    expect(thrownBy(() => readServers({ servers: {} }, { env: wrong as never })).code).toBe(
      "config",
    );
  });
});

describe("a server", () => {
  it.each([
    ["stdio", { type: "stdio", command: "node" }, { transport: "stdio" }],
    ["no type and a command", { command: "node" }, { command: "node" }],
    ["http", { type: "http", url: "https://a.b/" }, { transport: "streamable-http" }],
    [
      "streamable-http",
      { type: "streamable-http", url: "https://a.b/" },
      { transport: "streamable-http" },
    ],
    [
      "streamableHttp",
      { type: "streamableHttp", url: "https://a.b/" },
      { transport: "streamable-http" },
    ],
    [
      "streamable_http",
      { transport: "streamable_http", url: "https://a.b/" },
      { transport: "streamable-http" },
    ],
    ["SSE", { type: "SSE", url: "https://a.b/" }, { transport: "sse" }],
    ["local", { type: "local", command: "node" }, { transport: "stdio" }],
    [
      "both alike",
      { type: "http", transport: "streamable-http", url: "https://a.b/" },
      { transport: "streamable-http" },
    ],
    ["serverUrl", { serverUrl: "https://a.b/x" }, { url: "https://a.b/x" }],
    [
      "httpUrl",
      { httpUrl: "https://a.b/x" },
      { url: "https://a.b/x", transport: "streamable-http" },
    ],
    ["null fields", { command: "node", cwd: null, env: null, url: null }, { command: "node" }],
  ])("may be given with %s", (_what, entry, config) => {
    expect(configOf(entry)).toMatchObject(config);
    expect(read(entry).ignored).toEqual([]);
  });

  it("without a type falls back to SSE, so it pins none", () => {
    expect(configOf({ url: "https://a.b/" })).toEqual({ name: "github", url: "https://a.b/" });
  });

  it("keeps what is this package's own", () => {
    const own = { connectTimeoutMs: 5, requestTimeoutMs: 6, idleTimeoutMs: 7, protocol: "auto" };
    expect(configOf({ url: "https://a.b/", ...own, allowedHosts: ["a.b"] })).toMatchObject(own);
    const process = { cwd: "/tmp", inheritEnv: ["A"], killOnSignal: false };
    expect(configOf({ command: "node", ...process })).toMatchObject(process);
  });

  it.each([
    ["disabled", { disabled: true, command: 5, nonsense: `\${NOT_THERE}` }],
    ["not enabled", { enabled: false, command: "node" }],
  ])("that is %s is named, and not looked at further", (_what, entry) => {
    const { servers, disabled, problems } = read(entry);
    expect([servers, disabled, problems]).toEqual([[], ["github"], []]);
  });

  it.each([
    { disabled: false, command: "node" },
    { enabled: true, command: "node" },
  ])("that is on is read: %j", (entry) => {
    expect(configOf(entry)).toEqual({ name: "github", command: "node" });
  });
});

describe("variables", () => {
  it("are expanded in command, args, env, cwd, url and headers", () => {
    expect(
      configOf({
        command: `/opt/\${HOST}/run`,
        args: [`--token=\${env:TOKEN}`, `\${SHELL_ARG}`, `\${EMPTY}`, "plain $TOKEN {x} $"],
        env: { A: `\${TOKEN}\${PORT}`, [`\${TOKEN}`]: "key" },
        cwd: `/\${PORT}`,
      }),
    ).toEqual({
      name: "github",
      command: "/opt/mcp.example.com/run",
      args: [`--token=${SECRET}`, "a b", "", "plain $TOKEN {x} $"],
      env: { A: `${SECRET}8080`, "${TOKEN}": "key" },
      cwd: "/8080",
    });
    expect(
      configOf({
        url: `https://\${HOST}:\${PORT}/?k=\${TOKEN}`,
        headers: { A: `Bearer \${TOKEN}` },
      }),
    ).toEqual({
      name: "github",
      url: `https://mcp.example.com:8080/?k=${SECRET}`,
      headers: { A: `Bearer ${SECRET}` },
    });
  });

  it.each([
    [`\${NONE:-x}`, "x"],
    [`\${NONE:-}`, ""],
    [`\${EMPTY:-x}`, "x"],
    [`\${HOST:-x}`, "mcp.example.com"],
    [`\${env:NONE:-http://a:1/}`, "http://a:1/"],
    [`\${EMPTY}`, ""],
    [`\${NONE:-$TOKEN}`, "$TOKEN"],
    [`$\${HOST}{x}`, "$mcp.example.com{x}"],
  ])("%s stands for %j", (text, expanded) => {
    expect(configOf({ command: "node", args: [text] })).toMatchObject({ args: [expanded] });
  });

  it("are not expanded again when they are values", () => {
    const args = [`\${A}`];
    const { servers } = readServers(
      { servers: { a: { command: "node", args } } },
      { env: { A: `\${B}`, B: "no" } },
    );
    expect(servers[0]).toMatchObject({ args: [`\${B}`] });
  });

  it("that are not set are all named, and the server is left out", () => {
    const { servers, problems } = read({
      command: `\${NONE}`,
      args: ["-y", `\${env:NOR_THIS}`],
      env: { KEY: `\${AND_NOT_THIS}`, FINE: `\${TOKEN}` },
    });
    expect(servers).toEqual([]);
    expect(problems.map(({ field, variable }) => [field, variable])).toEqual([
      ["command", "NONE"],
      ["args[1]", "NOR_THIS"],
      ["env.KEY", "AND_NOT_THIS"],
    ]);
    expect(problems[0]?.message).toBe(
      `server "github": command: the variable NONE is not set; set it, or write \${NONE:-default}`,
    );
  });

  it.each(["toString", "__proto__", "constructor"])("never come from a prototype: %s", (name) => {
    expect(read({ command: `\${${name}}` }).problems[0]?.variable).toBe(name);
  });

  it.each([
    [`\${input:api-key}`, `\${input:api-key} is no variable`],
    [`\${a b}`, "what stands in braces is no variable"],
    [`\${}`, "what stands in braces is no variable"],
    [`\${NONE-${SECRET}}`, "is no variable"],
    [`\${TOKEN:-{"k":1}}`, "what stands in braces is no variable"],
    [`\${TOKEN`, "what stands in braces is no variable"],
    [`Bearer \${TOKEN:-\${HOST}}`, "what stands in braces is no variable"],
    [`\${HOST} and \${TOKEN:-\${NONE:-x}}`, "what stands in braces is no variable"],
  ])("of other kinds are refused: %s", (text, message) => {
    const { problems } = read({ command: "node", args: [text] });
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toContain(message);
    expect(problems[0]).not.toHaveProperty("variable");
  });

  it.each(["$TOKEN", "$env:TOKEN", "Bearer $TOKEN"])(
    "as a shell writes them would be sent as they stand, so %s is refused",
    (text) => {
      const [field, message] = problemOf({ url: "https://a.b/", headers: { Authorization: text } });
      expect(field).toBe("headers.Authorization");
      expect(message).toContain(`$TOKEN is not expanded; write \${TOKEN}`);
      expect(read({ command: "node", env: { A: text } }).problems[0]?.variable).toBe("TOKEN");
    },
  );

  it.each([
    ["$uperS3cret", "uperS3cret"],
    ["$env:uperS3cret", "uperS3cret"],
    ["Bearer $uperS3cret", "uperS3cret"],
    ["$toString", "toString"],
  ])("%s, of which no variable has the name, may be a secret and is not shown", (value, hidden) => {
    for (const entry of [
      { url: "https://a.b/", headers: { "X-Key": value } },
      { command: "node", env: { KEY: value } },
    ]) {
      const { servers, problems } = read(entry);
      expect([servers.length, problems.length]).toEqual([0, 1]);
      expect(problems[0]?.message).toContain(`$NAME is not expanded: write \${NAME}`);
      expect(problems[0]).not.toHaveProperty("variable");
      expect(inspect(problems) + JSON.stringify(problems)).not.toContain(hidden);
    }
  });
});

describe("an entry that is not understood names its field", () => {
  it.each([
    ["no object", 5, "", "must be an object"],
    ["null", null, "", "must be an object"],
    ["an array", [], "", "must be an object"],
    ["nothing in it", {}, "command", 'or "url" is required'],
    [
      "an unknown transport",
      { type: "websocket", url: "https://a.b/" },
      "type",
      'expected "stdio", "http" (also "streamable-http") or "sse", got "websocket"',
    ],
    [
      "a number for a transport",
      { transport: 5, url: "https://a.b/" },
      "transport",
      "got a number",
    ],
    [
      "two transports",
      { type: "sse", transport: "http", url: "https://a.b/" },
      "transport",
      "give one",
    ],
    ["stdio without a command", { type: "stdio" }, "command", "is required"],
    ["http without a url", { type: "http", command: "node" }, "url", "is required"],
    ["command and url", { command: "node", url: "https://a.b/" }, "transport", "give one"],
    ["two urls", { url: "https://a.b/", serverUrl: "https://a.c/" }, "serverUrl", "give one"],
    ["a word for disabled", { command: "node", disabled: "yes" }, "disabled", "true or false"],
    ["a typing error", { comand: "node" }, "comand", "is unknown; known are command, args"],
    ["a very long field", { ["x".repeat(1_000)]: 1 }, `${"x".repeat(60)}…`, "is unknown"],
    ["a number for a command", { command: 5 }, "command", "expected a string, got a number"],
    ["text for args", { command: "node", args: "-y" }, "args", "an array of strings"],
    [
      "a number in args",
      { command: "node", args: [1] },
      "args[0]",
      "expected a string, got a number",
    ],
    [
      "a number in env",
      { command: "node", env: { PORT: 12345678 } },
      "env.PORT",
      "expected a string, got a number",
    ],
    ["text for env", { command: "node", env: "A=b" }, "env", "an object of strings"],
    [
      "headers as text",
      { url: "https://a.b/", headers: "A: b" },
      "headers",
      "an object of strings",
    ],
    [
      "headers as an array",
      { url: "https://a.b/", headers: ["A: b"] },
      "headers",
      "an object of strings",
    ],
    [
      "an object in headers",
      { url: "https://a.b/", headers: { A: {} } },
      "headers.A",
      "expected a string, got an object",
    ],
    [
      "headers of the protocol",
      { url: "https://a.b/", headers: { Accept: "x" } },
      "headers.Accept",
      "protocol",
    ],
    ["a file url", { url: "file:///etc/passwd" }, "url", "must begin with http"],
    ["a number for a url", { url: 5 }, "url", "expected a string, got a number"],
    [
      "text for a timeout",
      { command: "node", connectTimeoutMs: "5s" },
      "connectTimeoutMs",
      "milliseconds",
    ],
    ["a function", { url: "https://a.b/", headers: () => ({}) }, "headers", "function"],
    ["a class instance", { url: new URL("https://a.b/") }, "url", "URL"],
    ["a fetch of the file's own", { url: "https://a.b/", fetch: "x" }, "fetch", "is unknown"],
    ["an env file", { command: "node", envFile: ".env" }, "envFile", "put its variables into env"],
    [
      "a helper for headers",
      { url: "https://a.b/", headersHelper: "x" },
      "headersHelper",
      "in the program",
    ],
    ["oauth", { url: "https://a.b/", oauth: { clientId: "x" } }, "oauth", "authProvider"],
    [
      "tools that are forbidden",
      { command: "node", disabledTools: ["rm"] },
      "disabledTools",
      "filter",
    ],
    ["tools that are chosen", { command: "node", includeTools: ["ls"] }, "includeTools", "filter"],
    ["a sandbox", { command: "node", sandboxEnabled: true }, "sandboxEnabled", "is not supported"],
    ["a bottomless entry", { command: "node", env: deep(100) }, "", "too deep"],
    ["a huge entry", { command: "x".repeat(300_000) }, "", "too large"],
  ])("%s", (_what, entry, field, message) => {
    const [at, text] = problemOf(entry);
    expect(at).toBe(field);
    expect(text).toContain('server "github": ');
    expect(text).toContain(message);
    expect(text?.length).toBeLessThan(400);
  });

  it("or several, each once", () => {
    const { problems } = read({ type: "ws", comand: "node", env: { A: 1 } });
    expect(problems.map(({ field }) => field)).toEqual(["comand", "type", "env.A"]);
  });

  it.each([
    [{ command: "node", autoApprove: ["*"], alwaysAllow: [], alwaysLoad: true, trust: true }, 4],
    [{ command: "node", description: "x", icon: "y", dev: {}, gallery: "z", version: "1" }, 5],
    [{ command: "node", timeout: 60, watchPaths: ["a"], name: "Mine" }, 3],
    [{ command: "node", disabledTools: [], tools: ["*"], sandbox: {}, envFile: "" }, 0],
  ])("fields of other programs are passed over and named: %j", (entry, count) => {
    const { servers, problems, ignored } = read(entry);
    expect(problems).toEqual([]);
    expect({ ...servers[0] }).toEqual({ name: "github", command: "node" });
    expect(ignored).toHaveLength(count);
    for (const { server, message } of ignored) expect(message).toContain(`server "${server}": `);
  });

  it("says why a file may not decide whom to trust", () => {
    const { ignored } = read({ command: "node", trust: "annotations" });
    expect(ignored).toEqual([
      {
        server: "github",
        field: "trust",
        message: 'server "github": trust: is not taken from a file: decide it in the program',
      },
    ]);
  });
});

describe("names", () => {
  it.each(["a/b", "/"])("%j is refused, and costs the others nothing", (name) => {
    const { servers, problems } = readServers({
      servers: { [name]: { command: "node" }, fine: { command: "node" } },
    });
    expect(servers.map((server) => server.name)).toEqual(["fine"]);
    expect(problems).toMatchObject([{ server: name, field: "name" }]);
    expect(problems[0]?.message).toMatch(/must not hold "\/"/);
  });

  it("that are empty are refused", () => {
    const { problems } = readServers({ servers: { "": { command: "node" } } });
    expect(problems).toMatchObject([{ server: "", field: "name" }]);
    expect(problems[0]?.message).toContain("must not be empty");
  });

  it.each(["__proto__", "constructor", "toString", "日本", "a b"])("%j is a name", (name) => {
    const json = `{"mcpServers":{${JSON.stringify(name)}:{"command":"node"}}}`;
    for (const given of [json, JSON.parse(json)]) {
      const { servers, problems } = readServers(given);
      expect(servers.map((server) => server.name)).toEqual([name]);
      expect(problems).toEqual([]);
    }
    expect(Object.prototype).not.toHaveProperty("command");
  });

  it.each([
    ["in text", '{"servers":{"a":{"command":"one"},"a":{"command":"two"},"b":{"command":"x"}}}'],
    [
      "in an array",
      {
        servers: [
          { name: "a", command: "one" },
          { name: "a", command: "two" },
          { name: "b", command: "x" },
        ],
      },
    ],
  ])("given twice %s leave the first, and the second is named", (_what, json) => {
    const { servers, problems } = readServers(json);
    expect(servers).toMatchObject([{ name: "a", command: "one" }, { name: "b" }]);
    expect(problems).toEqual([
      {
        server: "a",
        field: "",
        message:
          'server "a": two servers have this name: the second is left out, rename one of them',
      },
    ]);
  });

  it("a field given twice spoils its server alone", () => {
    const { servers, problems } = readServers(
      '{"servers":{"a":{"command":"x","env":{"A":"1","A":"2"}},"b":{"command":"x"}}}',
    );
    expect(servers.map(({ name }) => name)).toEqual(["b"]);
    expect(problems).toMatchObject([{ server: "a", field: "env.A" }]);
    expect(problems[0]?.message).toContain("stands there twice");
  });

  it.each([[{ command: "node" }], [{ name: 5, command: "node" }], [null]])(
    "are needed in an array: %j",
    (entry) => {
      const { servers, problems } = readServers({ servers: [entry] });
      expect(servers).toEqual([]);
      expect(problems).toMatchObject([{ server: "servers[0]" }]);
      expect(problems[0]?.message).toContain("with a name in an array");
    },
  );
});

describe("files as people have them", () => {
  const namesIn = (text: string, variables = {}) => {
    const { servers, problems } = readServers(text, { env: variables });
    return [servers.map(({ name }) => name), problems.map(({ server, field }) => [server, field])];
  };

  it("VS Code: comments, an inputs section, servers of its gallery with a slash in the name", () => {
    const text = `{
      // added by the gallery
      "servers": {
        "io.github.acme/devtools": {
          "type": "stdio", "command": "npx", "args": ["acme-devtools@1.2.3"],
          "gallery": "https://api.example.com", "version": "1.2.3"
        },
        "backstage": {
          "type": "http", "url": "http://localhost:7007/api/mcp",
          "headers": { "Authorization": "Bearer \${env:BACKSTAGE_TOKEN}" }
        },
        "asks": { "command": "npx", "env": { "KEY": "\${input:key}" } },
      },
      "inputs": [{ "id": "key", "type": "promptString", "password": true }]
    }`;
    expect(namesIn(text, { BACKSTAGE_TOKEN: "t" })).toEqual([
      ["backstage"],
      [
        ["io.github.acme/devtools", "name"],
        ["asks", "env.KEY"],
      ],
    ]);
    expect(readServers(text).problems[0]?.message).toContain('"io.github.acme-devtools"');
  });

  it("Claude Code: a plugin's variable for its own folder", () => {
    const args = `["\${CLAUDE_PLUGIN_ROOT}/dist/server.mjs"]`;
    const text = `{"mcpServers":{"sub":{"command":"node","args":${args},"cwd":"./"}}}`;
    expect(namesIn(text)).toEqual([[], [["sub", "args[0]"]]]);
    expect(namesIn(text, { CLAUDE_PLUGIN_ROOT: "/p" })).toEqual([["sub"], []]);
  });

  it("Cline and Roo: permissions and seconds", () => {
    const text = `{"mcpServers":{"db":{"type":"streamableHttp","url":"https://a.b/","disabled":false,
      "autoApprove":["query"],"alwaysAllow":["query"],"timeout":60}}}`;
    expect(namesIn(text)).toEqual([["db"], []]);
  });

  it("Windsurf and Gemini: other names for the url", () => {
    const text = `{"mcpServers":{"w":{"serverUrl":"https://a.b/sse","disabledTools":[]},
      "g":{"httpUrl":"https://a.b/mcp","timeout":5000,"trust":false,"excludeTools":["rm"]}}}`;
    expect(namesIn(text)).toEqual([["w"], [["g", "excludeTools"]]]);
  });

  it("an array with names, with a comment where the last server was", () => {
    const text = `{"servers":[{"name":"a","type":"stdio","command":"npx"}, // {"name":"b"}
    ]}`;
    expect(namesIn(text)).toEqual([["a"], []]);
  });

  it("a brace too few", () => {
    const text = '{\n  "servers": {\n    "a": { "url": "http://localhost:3001/mcp", }\n  }\n';
    expect(thrownBy(() => readServers(text)).message).toBe(
      'the text is no JSON: expected "," or "}" at line 5, column 1',
    );
  });
});

describe("whatever the text or the object", () => {
  it("JSON is read as JSON.parse reads it", () => {
    const key = fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "a"));
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(fc.jsonValue(), fc.dictionary(key, tie("tree")), fc.array(tie("tree"))),
    }));
    fc.assert(
      fc.property(tree, fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        const { value: read, repeated } = readJsonText(text);
        expect(JSON.stringify(read)).toBe(JSON.stringify(JSON.parse(text)));
        expect(repeated).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("only errors of this package are thrown, and each server is somewhere", () => {
    const field = fc.constantFrom("command", "args", "env", "url", "headers", "type", "disabled");
    const entry = fc.oneof(fc.anything(), fc.dictionary(field, fc.anything()));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), entry), (servers) => {
        const { servers: read, disabled, problems } = readServers({ mcpServers: servers });
        const named = [...read.map(({ name }) => name), ...disabled];
        const all = new Set([...named, ...problems.map(({ server }) => server)]);
        expect(all).toEqual(new Set(Object.keys(servers)));
      }),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.anything()), (json) => {
        try {
          readServers(json);
        } catch (error) {
          expect(error).toBeInstanceOf(MCPAdapterError);
        }
      }),
      { numRuns: 300 },
    );
  });
});

it("no value shows, in messages, JSON or inspection, whatever is wrong with it", () => {
  const wrong = [
    { command: "node", args: [`\${TOKEN}`], env: { A: `\${TOKEN}` } },
    { command: `\${TOKEN}`, nonsense: SECRET },
    { url: `\${TOKEN}`, headers: { A: `\${TOKEN}` } },
    { url: `\${SCHEME}` },
    { url: `https://\${TOKEN}:x@a.b/` },
    { url: `https://a.b/?\${TOKEN}`, headers: { A: `\${LINES}` } },
    { command: "node", args: [`\${LINES}`] },
    { command: "node", env: { A: `\${NUL}` } },
    { url: `https://a b/\${TOKEN}` },
  ];
  const variables = {
    TOKEN: SECRET,
    SCHEME: `${SECRET}:x`,
    LINES: `${SECRET}\n`,
    NUL: `${SECRET}\0`,
  };
  const reading = readServers({ servers: { ...wrong } }, { env: variables });
  expect(reading.servers).toHaveLength(1);
  expect(new Set(reading.problems.map(({ server }) => server)).size).toBe(8);
  const shown = inspect(reading, { depth: 9 }) + JSON.stringify(reading);
  expect(shown.toLowerCase()).not.toContain(SECRET);
});

function deep(levels: number): object {
  let value: object = {};
  for (let level = 0; level < levels; level += 1) value = { value };
  return value;
}
