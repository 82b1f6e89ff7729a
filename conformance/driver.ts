// Drives one scenario of the conformance suite through MCPToolAdapter. The suite adds the server's url.
import { MCPToolAdapter, type MCPToolAdapterOptions } from "../packages/mcp-adapter/src/index.ts";
import { createTransport, type HTTPServerConfig } from "../packages/mcp-transport/src/index.ts";
import { RedirectProvider } from "./redirect-provider.ts";

type JsonObject = Record<string, unknown>;

const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const context: JsonObject = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}");
const engine = process.env["MCP_ENGINE"] === "v2" ? "v2" : "v1";
const protocol = process.env["MCP_PROTOCOL"] === "auto" ? "auto" : "legacy";
const url = process.argv[2] ?? "";

/** A text of the context that the suite gives with some scenarios. */
function given(key: string): string {
  const value = context[key];
  return typeof value === "string" ? value : "";
}

/** More than this many redirects of a user are a loop. */
const mostAuthorizations = 3;

async function createProvider(): Promise<NonNullable<HTTPServerConfig["authProvider"]>> {
  const clientId = given("client_id");
  const sdk =
    engine === "v2"
      ? await import("@modelcontextprotocol/client")
      : await import("@modelcontextprotocol/sdk/client/auth-extensions.js");
  if (scenario === "auth/client-credentials-basic") {
    return new sdk.ClientCredentialsProvider({ clientId, clientSecret: given("client_secret") });
  }
  if (scenario === "auth/client-credentials-jwt") {
    const algorithm = given("signing_algorithm") || "ES256";
    return new sdk.PrivateKeyJwtProvider({
      clientId,
      privateKey: given("private_key_pem"),
      algorithm,
    });
  }
  const provider = new RedirectProvider();
  if (scenario === "auth/pre-registration") {
    const client = { client_id: clientId, client_secret: given("client_secret") };
    provider.saveClientInformation(client);
  }
  return provider;
}

/** Fills in what the form proposes. */
async function onElicit({ requestedSchema }: JsonObject): Promise<JsonObject> {
  const { properties = {} } = (requestedSchema ?? {}) as {
    properties?: Record<string, JsonObject>;
  };
  const defaults = Object.entries(properties).filter(([, field]) => "default" in field);
  const content = Object.fromEntries(defaults.map(([name, field]) => [name, field["default"]]));
  return { action: "accept", content };
}

/** What the mocks of some scenarios, which test only what follows, do not answer. */
const undiscoverable = ["http-", "sep-2322-"];

async function fetchDiscovered(address: string | URL, init?: RequestInit): Promise<Response> {
  const message =
    typeof init?.body === "string" && init.body.startsWith("{") ? JSON.parse(init.body) : {};
  if (message.method !== "server/discover") return fetch(address, init);
  const response = await fetch(address, init);
  const text = await response.text();
  if (response.ok && text.includes("supportedVersions")) {
    return new Response(text, { status: 200, headers: { "content-type": "application/json" } });
  }
  const result = {
    resultType: "complete",
    supportedVersions: ["2026-07-28"],
    capabilities: { tools: {} },
    ttlMs: 0,
    cacheScope: "private",
  };
  return Response.json({ jsonrpc: "2.0", id: message.id, result });
}

interface Tool {
  readonly name: string;
  readonly inputSchema: JsonObject;
}

const samples: JsonObject = {
  string: "x",
  integer: 1,
  number: 1,
  boolean: true,
  array: [],
  object: {},
};

/** What the scenario wants to see; else something for whatever is required. */
function argumentsFor({ name, inputSchema }: Tool, tools: readonly Tool[]): JsonObject {
  if (name === "add_numbers") return { a: 5, b: 3 };
  if (name === "json_schema_echo") return { schema: tools[0]?.inputSchema };
  const { toolCalls } = context;
  const planned = Array.isArray(toolCalls)
    ? toolCalls.find((call) => call.name === name)
    : undefined;
  // The suite wants null or nothing, and the schema it gives forbids null.
  if (planned) return withoutNulls(planned.arguments ?? {});
  const { properties = {}, required = [] } = inputSchema as {
    properties?: Record<string, { type?: string }>;
    required?: string[];
  };
  return Object.fromEntries(
    required.map((key) => [key, samples[properties[key]?.type ?? "string"]]),
  );
}

function withoutNulls(args: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

async function run(): Promise<void> {
  const provider = scenario.startsWith("auth/") ? await createProvider() : undefined;
  const config: HTTPServerConfig = {
    name: "conformance",
    url,
    transport: "streamable-http",
    protocol,
    // The suite starts all its clients at once, on however few cores.
    connectTimeoutMs: 120_000,
    ...(provider && { authProvider: provider }),
    ...(undiscoverable.some((prefix) => scenario.startsWith(prefix)) && { fetch: fetchDiscovered }),
  };
  const options: MCPToolAdapterOptions = {
    transport: createTransport(config, { engine }),
    ...((scenario.includes("elicitation") || scenario.startsWith("sep-2322")) && { onElicit }),
  };
  const adapter = new MCPToolAdapter(config, options);
  let authorizations = 0;

  /** Does what needs authorization, and once more whenever the user had to be asked for it. */
  async function authorized(act: (response?: URLSearchParams) => Promise<void>): Promise<void> {
    let response: URLSearchParams | undefined;
    for (;;) {
      try {
        return await act(response);
      } catch (error) {
        response = provider instanceof RedirectProvider ? provider.takeResponse() : undefined;
        authorizations += 1;
        if (response === undefined || authorizations >= mostAuthorizations) throw error;
      }
    }
  }

  const connect = (response?: URLSearchParams): Promise<void> =>
    authorized(async (authorizationResponse = response) => {
      await adapter.connect({
        timeoutMs: 120_000,
        ...(authorizationResponse && { authorizationResponse }),
      });
    });

  try {
    await connect();
    await authorized(async (response) => {
      if (response !== undefined) await reconnect(adapter, () => connect(response));
      const tools = await adapter.discoverTools();
      if (scenario === "initialize") return;
      const failed: string[] = [];
      for (const tool of toolsToCall(tools)) {
        const args = argumentsFor(tool, tools);
        const result = await adapter.invoke(tool.name, args, { timeoutMs: 120_000 });
        console.log(tool.name, JSON.stringify(result));
        if (result.errorCode === "unauthorized") throw new Error(result.error);
        if (!result.success) failed.push(`${tool.name}: ${result.errorCode}: ${result.error}`);
      }
      if (failed.length > 0) throw new Error(failed.join("\n"));
    });
  } finally {
    await adapter.disconnect();
  }
}

async function reconnect(adapter: MCPToolAdapter, connect: () => Promise<void>): Promise<void> {
  await adapter.disconnect();
  await connect();
}

function toolsToCall<T extends { readonly name: string }>(tools: readonly T[]): readonly T[] {
  const { toolCalls } = context;
  // The other tool is there to be looked at.
  const echo = tools.filter(({ name }) => name === "json_schema_echo");
  if (echo.length > 0) return echo;
  if (!Array.isArray(toolCalls)) return tools;
  const names = toolCalls.map(({ name }) => name);
  return names.flatMap((name) => tools.find((tool) => tool.name === name) ?? []);
}

try {
  await run();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
