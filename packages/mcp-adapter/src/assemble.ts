import { inferCapabilities } from "@x/capability-infer";
import { createTransport, type MCPServerConfig } from "@x/mcp-transport";
import { Catalog } from "./catalog.ts";
import { clientOver, type MCPClientLike } from "./client.ts";
import { startClock } from "./clock.ts";
import { type AdapterConfig, adapterConfig, type MCPServerIdentity, readConfig } from "./config.ts";
import type { ContentSite } from "./contents.ts";
import { Discovery } from "./discovery.ts";
import { emitter } from "./event.ts";
import { readFilter } from "./filter.ts";
import { createGate } from "./gate.ts";
import { type CallSite, invokeTool } from "./invoke.ts";
import { Link } from "./link.ts";
import type { ListLimits } from "./listing.ts";
import { checkOptions, type MCPToolAdapterOptions } from "./options.ts";
import { Recovery } from "./recovery.ts";
import { type MCPSinkTool, type RegisteredBy, Registrations, sinkTool } from "./registration.ts";
import { type MCPServerInfo, serverInfo } from "./server-info.ts";
import { clientInfo } from "./version.ts";

/** What an adapter is made of; the adapter is its face. */
export interface AdapterParts {
  readonly config: AdapterConfig;
  readonly link: Link;
  readonly catalog: Catalog;
  readonly discovery: Discovery;
  readonly registrations: Registrations;
  readonly site: CallSite;
  readonly contents: ContentSite;
  readonly client: MCPClientLike;
  sinkTools(): MCPSinkTool[];
  serverInfo(): MCPServerInfo | undefined;
}

/** @throws MCPAdapterError `config` */
export function assemble(
  given: MCPServerConfig | MCPServerIdentity,
  options: MCPToolAdapterOptions,
): AdapterParts {
  const config = adapterConfig(given);
  const { name: server, requestTimeoutMs: timeoutMs, idleTimeoutMs, trust } = config;
  checkOptions(options, server);
  const emit = emitter(server, options.onEvent);
  const limits = listLimits(options);
  const compile = async () =>
    options.compileSchema ?? (await import("@x/tool-schema")).compileSchema;
  let info: MCPServerInfo | undefined;

  const catalog = new Catalog({
    emit,
    limits,
    always: options.filter && readFilter(options.filter, "options.filter"),
    infer: (tool) => inferCapabilities(tool, { trust }),
  });
  const mode = options.recovery ?? "auto";
  const link = new Link({
    server,
    transport: options.transport ?? createTransport(readConfig(given)),
    emit,
    recovery: mode,
    startsProcess: "command" in given,
    connectTimeoutMs: config.connectTimeoutMs,
    circuitResetMs: options.circuitResetMs ?? 30_000,
    onReady: () => discovery.onReady(),
    open: {
      clientInfo: options.clientInfo ?? clientInfo,
      ...(options.onElicit && { onElicit: options.onElicit }),
      ...(options.roots && { roots: options.roots }),
    },
    onConnected: async (connection) => {
      await Promise.all([compile(), discovery.follow(connection)]);
      info = serverInfo(connection.info);
    },
  });
  const recovery = new Recovery({ link, recovery: mode });
  const site: CallSite = {
    server,
    link,
    recovery,
    replay: options.replay ?? "safe",
    catalog,
    emit,
    gate: options.maxConcurrency
      ? createGate(options.maxConcurrency, options.maxQueue ?? 1_000)
      : undefined,
    argumentLimits: {
      maxBytes: options.maxArgumentBytes ?? 1_000_000,
      maxDepth: options.maxArgumentDepth ?? 64,
    },
    maxResultBytes: options.maxResultBytes,
    timeoutMs,
    idleTimeoutMs,
    discover: (connection) => discovery.ensureOn(connection),
  };
  const by: RegisteredBy = {
    server,
    site,
    invoke: (name, args, callOptions) => invokeTool(site, name, args, callOptions),
  };
  const sinkTools = () => catalog.visible().map((tool) => sinkTool(tool, by));
  const registrations = new Registrations(server);
  const discovery = new Discovery({
    link,
    recovery,
    catalog,
    registrations,
    emit,
    timeouts: { timeoutMs, idleTimeoutMs },
    compile,
    sinkTools,
  });
  const contents: ContentSite = { server, limits, timeoutMs, link, recovery };
  const client = clientOver({
    content: contents,
    serverInfo: () => info,
    listTools: async () => {
      const clock = startClock(timeoutMs, undefined);
      try {
        await discovery.ensure(clock);
      } finally {
        clock.stop();
      }
      return catalog.discovery.tools.map(({ raw }) => raw);
    },
    invoke: by.invoke,
  });
  return {
    config,
    link,
    catalog,
    discovery,
    registrations,
    site,
    contents,
    client,
    sinkTools,
    serverInfo: () => info,
  };
}

function listLimits(options: MCPToolAdapterOptions): ListLimits {
  return {
    maxPages: options.maxPages ?? 1_000,
    maxItems: options.maxTools ?? 20_000,
    maxBytes: options.maxListBytes ?? 64 * 1024 * 1024,
  };
}
