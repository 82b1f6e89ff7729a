import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import {
  createTransport,
  type HTTPServerConfig,
  type MCPServerConfig,
  MCPTransport,
  MCPTransportError,
  SseTransport,
  type StdioServerConfig,
  StdioTransport,
  StreamableHttpTransport,
  TRANSPORT_DEFAULTS,
} from "../src/index.ts";

const stdio: StdioServerConfig = { name: "s", command: "node", args: ["a", "b"] };
const http: HTTPServerConfig = { name: "s", url: "https://user.example/mcp?key=planted#x" };

function thrown(act: () => unknown): MCPTransportError {
  try {
    act();
  } catch (error) {
    if (error instanceof MCPTransportError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("createTransport", () => {
  it.each<[config: MCPServerConfig, type: unknown, description: string]>([
    [stdio, StdioTransport, "node with 2 arguments"],
    [{ name: "s", command: "x", args: ["a"] }, StdioTransport, "x with 1 argument"],
    [{ name: "s", command: "x" }, StdioTransport, "x with 0 arguments"],
    [{ ...http, transport: "sse" }, SseTransport, "https://user.example/mcp"],
    [
      { ...http, transport: "streamable-http" },
      StreamableHttpTransport,
      "https://user.example/mcp",
    ],
    [http, MCPTransport, "https://user.example/mcp"],
  ])("%j", (config, type, description) => {
    const transport = createTransport(config);
    expect(transport).toBeInstanceOf(type);
    expect(transport.description).toBe(description);
    expect(inspect(transport, { depth: 9, showHidden: true })).not.toContain("planted");
    expect(JSON.stringify(transport)).toBe(JSON.stringify({ description }));
  });

  it("takes engine v1 for what it can do", () => {
    expect(createTransport(stdio, { engine: "v1" })).toBeInstanceOf(StdioTransport);
    expect(createTransport({ ...stdio, protocol: "legacy" })).toBeInstanceOf(StdioTransport);
  });

  it.each<[config: MCPServerConfig, options: object]>([
    [{ ...stdio, protocol: "auto" }, {}],
    [{ ...http, protocol: "2026-07-28" }, {}],
    [{ ...stdio, protocol: "auto" }, { engine: "v2" }],
    [stdio, { engine: "v2" }],
  ])("takes engine v2 for %j with %j", (config, options) => {
    expect(createTransport(config, options)).toBeInstanceOf(MCPTransport);
  });

  it.each<[config: MCPServerConfig, options: object, field: string]>([
    [{ ...stdio, protocol: "auto" }, { engine: "v1" }, "engine"],
    [{ ...http, protocol: "2026-07-28" }, { engine: "v1" }, "engine"],
  ])("names the package that %j with %j would need", (config, options, field) => {
    const error = thrown(() => createTransport(config, options));
    expect(error).toMatchObject({ code: "unsupported", field });
    expect(error.message).toContain("@modelcontextprotocol/client");
    expect(error.message).toContain('"s"');
  });

  it.each<[options: unknown, field: string]>([
    ["v1", "options"],
    [5_000, "options"],
    [null, "options"],
    [{ engine: "v3" }, "engine"],
    [{ maxMessageBytes: 0 }, "maxMessageBytes"],
    [{ maxMessageBytes: 1.5 }, "maxMessageBytes"],
    [{ maxMessageBytes: "1" }, "maxMessageBytes"],
  ])("refuses the options %j", (options, field) => {
    expect(thrown(() => createTransport(stdio, options as object))).toMatchObject({
      code: "config",
      field,
    });
  });

  it("refuses a config like parseServerConfig", () => {
    expect(thrown(() => createTransport({ ...stdio, args: [1] } as never))).toMatchObject({
      code: "config",
      field: "args[0]",
    });
  });
});

describe("a transport class", () => {
  it.each<[name: string, act: () => unknown, field: string]>([
    ["stdio over a url", () => new StdioTransport(http as never), "command"],
    ["stdio without a config", () => new StdioTransport(undefined as never), "server config"],
    ["SSE over a command", () => new SseTransport(stdio as never), "url"],
    ["HTTP over a command", () => new StreamableHttpTransport(stdio as never), "url"],
    [
      "SSE named streamable-http",
      () => new SseTransport({ ...http, transport: "streamable-http" }),
      "transport",
    ],
    [
      "streamable HTTP named sse",
      () => new StreamableHttpTransport({ ...http, transport: "sse" }),
      "transport",
    ],
    ["options that are a number", () => new StdioTransport(stdio, 1 as never), "options"],
  ])("refuses %s", (_, act, field) => {
    expect(thrown(act)).toMatchObject({ code: "config", field });
  });
});

describe("TRANSPORT_DEFAULTS", () => {
  it("are those of the design", () => {
    expect(TRANSPORT_DEFAULTS).toEqual({
      connectTimeoutMs: 30_000,
      requestTimeoutMs: 300_000,
      idleTimeoutMs: 60_000,
      maxMessageBytes: 64 * 1024 * 1024,
    });
  });
});
