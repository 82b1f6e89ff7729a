import { readCallResult, readResource, readResourceDescriptors } from "@x/mcp-parse";
import { facadeMark } from "./call-style.ts";
import { type Calls, callsOf } from "./calls.ts";
import type { MCPClientAdapter, MCPListedTool } from "./client-adapter.ts";
import { methodOf, requiredMethod } from "./client-method.ts";
import { isObject, type JsonObject } from "./json.ts";
import { listPage } from "./list.ts";
import { readAnswer } from "./parse-error.ts";
import type { ListParams, MCPClientLike } from "./ports.ts";

/**
 * Any client as one that takes names and arguments one by one, for code written against
 * `MCPClientAdapter`. `equipMCP` knows it again, also behind a proxy. It owns nothing: `close()`
 * closes the client.
 *
 * @throws AdapterMCPError `invalid_port`
 */
export function toClientFacade(client: MCPClientLike): MCPClientAdapter {
  for (const name of ["listTools", "callTool"]) requiredMethod(client, name, "the client");
  const calls = callsOf(client);
  const capabilities = methodOf(client, "getServerCapabilities");
  const has = (name: string) => methodOf(client, name) !== undefined;
  const facade: MCPClientAdapter = {
    async close() {
      await requiredMethod(client, "close", "the client")();
    },
    listTools: (params, options) => listTools(calls, params, options?.signal),
    async callTool(name, args, { signal, target = { name } } = {}) {
      const answer = await calls.callTool(target, args, signal);
      const { raw, content, isError } = readAnswer("invalid_call_result", name, () =>
        readCallResult(answer),
      );
      return { ...raw, content: [...content], isError };
    },
    async listResources(params, options) {
      const { items, nextCursor } = await listPage(
        calls,
        "resources",
        params?.cursor,
        options?.signal,
      );
      const { resources } = readResourceDescriptors(items);
      return {
        resources: resources.map(({ raw: _, ...resource }) => resource),
        ...(typeof nextCursor === "string" && { nextCursor }),
      };
    },
    async readResource(given, options) {
      const uri = typeof given === "string" ? given : given.uri;
      const answer = await calls.readResource(uri, options?.signal);
      const { contents } = readAnswer("invalid_resource", uri, () => readResource(answer));
      return { contents: [...contents] };
    },
    ...(has("getPrompt") && { getPrompt: (...args: unknown[]) => getPrompt(calls, args) }),
    ...(has("listPrompts") && { listPrompts: (...args: unknown[]) => listPrompts(calls, args) }),
  };
  if (capabilities) Object.assign(facade, { getServerCapabilities: () => capabilities() });
  return Object.defineProperty(facade, facadeMark, { value: true });
}

async function listTools(
  calls: Calls,
  params: ListParams | undefined,
  signal: AbortSignal | undefined,
): Promise<{ tools: MCPListedTool[]; nextCursor?: string }> {
  const { items, nextCursor } = await listPage(calls, "tools", params?.cursor, signal);
  return { tools: items.filter(isNamed), ...(typeof nextCursor === "string" && { nextCursor }) };
}

function isNamed(item: unknown): item is MCPListedTool {
  return isObject(item) && typeof item["name"] === "string";
}

async function listPrompts(calls: Calls, [params, options]: readonly unknown[]): Promise<unknown> {
  const cursor = isObject(params) ? params["cursor"] : undefined;
  const page = await listPage(
    calls,
    "prompts",
    typeof cursor === "string" ? cursor : undefined,
    signalOf(options),
  );
  return {
    prompts: page.items,
    ...(typeof page.nextCursor === "string" && { nextCursor: page.nextCursor }),
  };
}

/** Both ways of naming a prompt are in use. */
function getPrompt(calls: Calls, [first, second, third]: readonly unknown[]): Promise<unknown> {
  const params: JsonObject = isObject(first) ? first : { name: first, arguments: second };
  const { name, arguments: args } = params;
  const texts = Object.entries(isObject(args) ? args : {}).map(([key, value]) => [
    key,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return calls.getPrompt(String(name), Object.fromEntries(texts), signalOf(third));
}

function signalOf(options: unknown): AbortSignal | undefined {
  const signal = isObject(options) ? options["signal"] : undefined;
  return signal instanceof AbortSignal ? signal : undefined;
}
