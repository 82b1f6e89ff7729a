import { ToolSchemaError } from "@x/tool-schema";
import { callsOf } from "./calls.ts";
import {
  type Catalog,
  fetchCatalog,
  readCatalog,
  type Selection,
  toolsMissing,
} from "./catalog.ts";
import { requiredMethod } from "./client-method.ts";
import { AdapterMCPError } from "./errors.ts";
import type { AdapterMCPEvent, OmittedTool, OnEvent } from "./event.ts";
import { shared } from "./flight.ts";
import { type ToolSite, toolOver } from "./from-mcp-tool.ts";
import { registerAll } from "./inject.ts";
import { quoted } from "./json.ts";
import type { EquipMCPOptions, InjectOptions, MCPKit } from "./kit.ts";
import { registeredNames } from "./names.ts";
import type { AgentHost, MCPClientLike } from "./ports.ts";
import { promptsKit } from "./prompts.ts";
import { resourceTools } from "./resources.ts";
import { checkMaxTextBytes } from "./text-limit.ts";
import type { ToolDefinition } from "./tool-definition.ts";

export type EquipMCP = <Client extends MCPClientLike>(
  client: Client,
  options: EquipMCPOptions,
) => Promise<MCPKit<Client>>;

/**
 * `equipMCP` for the framework behind `host`.
 *
 * @throws AdapterMCPError `invalid_port` if the host lacks a method
 */
export function createEquipMCP(host: AgentHost): EquipMCP {
  for (const name of ["memo", "number", "registerTool"]) requiredMethod(host, name, "the host");
  return (client, options) => equip(host, client, options);
}

async function equip<Client extends MCPClientLike>(
  host: AgentHost,
  client: Client,
  options: EquipMCPOptions,
): Promise<MCPKit<Client>> {
  const selection = selectionOf(options);
  for (const name of ["listTools", "callTool"]) requiredMethod(client, name, "the client");
  const { clientId, namespace, maxTextBytes, onEvent, middleware = [] } = options;
  const site = {
    calls: callsOf(client, options.callStyle),
    signal: () => host.signal?.(),
    maxTextBytes,
    warn: warner(clientId, onEvent),
  };
  const catalog = await remembered(host, client, { options, selection, site });
  const { tools, omitted } = definitions(catalog, { site, namespace, selection });
  if (omitted.length > 0) emit(onEvent, { type: "tools.omitted", clientId, omitted });
  const taken = new Set(tools.map(({ name }) => name));
  const ownTools = options.enableResources ? resourceTools(site, namespace, taken) : [];
  return Object.freeze({
    client,
    tools: Object.freeze(tools),
    resourceTools: Object.freeze(ownTools),
    toolMap: byName(tools),
    resourceToolMap: byName(ownTools),
    prompts: promptsKit(site),
    omitted: Object.freeze(omitted),
    inject(given: InjectOptions = {}) {
      const { injectTools = true, injectResourceTools = false } = given;
      const chosen = [...(injectTools ? tools : []), ...(injectResourceTools ? ownTools : [])];
      registerAll(host, chosen, given.middleware ?? middleware);
    },
  });
}

/** @throws AdapterMCPError `config` */
function selectionOf(options: EquipMCPOptions): Selection {
  const { clientId, tools, autoPaginate = true, maxItems = 100, maxTextBytes, callStyle } = options;
  if (typeof clientId !== "string" || clientId === "") throw wrong("clientId must be a name");
  if (!(maxItems === Number.POSITIVE_INFINITY || (Number.isInteger(maxItems) && maxItems > 0))) {
    throw wrong(`maxItems must be a positive integer or Infinity, got ${maxItems}`);
  }
  if (callStyle !== undefined && !["object", "positional"].includes(callStyle)) {
    throw wrong(`callStyle must be "object" or "positional", got ${quoted(String(callStyle))}`);
  }
  checkMaxTextBytes(maxTextBytes);
  const names = tools === undefined ? undefined : [...new Set(tools)].sort();
  return { tools: names, autoPaginate, maxItems };
}

function wrong(message: string): AdapterMCPError {
  return new AdapterMCPError("config", message);
}

interface Equipment {
  readonly options: EquipMCPOptions;
  readonly selection: Selection;
  readonly site: Omit<ToolSite, "name">;
}

/** The list that the agent remembers, or else a new one; each selection is remembered apart. */
async function remembered(
  host: AgentHost,
  client: object,
  { options, selection, site }: Equipment,
): Promise<Catalog> {
  const { clientId, forceRefresh = false } = options;
  if (selection.tools?.length === 0) return { tools: [], omitted: [] };
  const prefix = `@x/adapter-mcp:${JSON.stringify(clientId)}`;
  const [known, setEpoch] = host.number(`${prefix}:epoch`, 0);
  const epoch = forceRefresh ? known + 1 : known;
  if (forceRefresh) setEpoch(epoch);
  const { tools, autoPaginate, maxItems } = selection;
  // JSON has no Infinity: it stands there as null.
  const key = `${prefix}:tools:${JSON.stringify([tools ?? null, autoPaginate, maxItems])}`;
  const text = await host.memo(
    key,
    () =>
      shared(client, {
        key: `${key}:${epoch}:${options.callStyle ?? ""}`,
        signal: host.signal?.(),
        isFresh: forceRefresh,
        start: (signal) => fetchCatalog(site.calls, selection, signal, site.warn),
      }),
    [epoch],
  );
  return readCatalog(text, selection);
}

function definitions(
  catalog: Catalog,
  { site, namespace, selection }: Omit<Equipment, "options"> & { namespace: string | undefined },
): { tools: ToolDefinition[]; omitted: OmittedTool[] } {
  const natives = catalog.tools.map(({ name }) => name);
  const names = registeredNames(natives, namespace);
  const omitted = [...catalog.omitted];
  const unusable: string[] = [];
  const tools = catalog.tools.flatMap((tool) => {
    try {
      return [toolOver(tool, { ...site, name: names.get(tool.name) ?? tool.name })];
    } catch (error) {
      if (!(error instanceof ToolSchemaError)) throw error;
      unusable.push(tool.name);
      omitted.push({ name: tool.name, code: "unusable_schema", message: error.message });
      return [];
    }
  });
  if (selection.tools !== undefined && unusable.length > 0) {
    throw toolsMissing(unusable, omitted, "or cannot be used");
  }
  return { tools, omitted };
}

function byName(tools: readonly ToolDefinition[]): Readonly<Record<string, ToolDefinition>> {
  const map: Record<string, ToolDefinition> = Object.create(null);
  for (const tool of tools) map[tool.name] = tool;
  return Object.freeze(map);
}

function warner(clientId: string, onEvent: OnEvent | undefined): ToolSite["warn"] {
  return (method, warnings, name) => {
    for (const { code, message } of warnings) {
      const about = name === undefined ? {} : { name };
      emit(onEvent, { type: "warning", clientId, method, ...about, code, message });
    }
  };
}

function emit(onEvent: OnEvent | undefined, event: AdapterMCPEvent): void {
  try {
    onEvent?.(event);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
