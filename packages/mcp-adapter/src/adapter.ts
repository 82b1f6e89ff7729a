import { inferCapabilities } from "@x/capability-infer";
import type { MCPToolDescriptor, Prompt, Resource } from "@x/mcp-parse";
import type { MCPServerConfig } from "@x/mcp-transport";
import { type AdapterParts, assemble } from "./assemble.ts";
import type { MCPDiscovery } from "./catalog.ts";
import type { MCPClientLike } from "./client.ts";
import { type Clock, startClock } from "./clock.ts";
import type { MCPServerIdentity } from "./config.ts";
import {
  type ContentOptions,
  fetchPrompt,
  fetchResource,
  listPrompts,
  listResources,
  listResourceTemplates,
  type PromptListing,
  type ResourceAddress,
  type ResourceListing,
  type ResourceTemplateListing,
} from "./contents.ts";
import { adapterError } from "./errors.ts";
import { type MCPToolFilter, readFilter } from "./filter.ts";
import { type InvokeOptions, invokeTool } from "./invoke.ts";
import type { AdapterState } from "./link.ts";
import type { MCPToolAdapterOptions } from "./options.ts";
import type { NamespaceChange, ToolCapability } from "./ports.ts";
import type { MCPQuarantined } from "./quarantine.ts";
import { type MCPToolSink, requireSink } from "./registration.ts";
import type { MCPToolResult } from "./result.ts";
import type { MCPServerInfo } from "./server-info.ts";
import { readOptions, readTimeout } from "./timeout.ts";

/** What the tools of a server take and give, by name. */
export type ToolMap = Record<string, { args: Record<string, unknown>; structured?: unknown }>;

/** What may be given as a {@link ToolMap}: also an interface, and arguments that are one. */
export type TypedTools<Tools> = {
  readonly [Name in keyof Tools]: { readonly args: object; readonly structured?: unknown };
};

/** The arguments may be left out where none are required. */
type InvokeRest<Args> =
  Record<string, never> extends Args
    ? [args?: Args, options?: InvokeOptions]
    : [args: Args, options?: InvokeOptions];

export interface ConnectOptions {
  /** For all of it: process or socket, handshake. @defaultValue `connectTimeoutMs` of the config */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The parameters of the OAuth callback. Comparing `state` is the caller's. */
  readonly authorizationResponse?: URLSearchParams | undefined;
}

export interface WaitOptions {
  /** Ends the wait with code `aborted`. */
  readonly signal?: AbortSignal | undefined;
}

export interface RegistrationChange extends NamespaceChange {
  readonly quarantined: readonly MCPQuarantined[];
}

/**
 * Connects to one MCP server: discovers its tools, validates arguments, invokes and registers.
 *
 * All methods may be called concurrently. What a tool or a model can cause comes back as a result;
 * only a missing connection and a mistake of the caller are thrown, as {@link MCPAdapterError}.
 */
export class MCPToolAdapter<Tools extends TypedTools<Tools> = ToolMap> {
  /** The server's name in its config. */
  readonly name: string;
  /** This adapter as an MCP client, for frameworks that take one. */
  readonly client: MCPClientLike;
  readonly #parts: AdapterParts;
  #reconnecting: Promise<this> | undefined;

  /**
   * @param config with `options.transport`, only its name, timeouts and trust are read
   * @throws MCPAdapterError `config`, naming the field
   */
  constructor(config: MCPServerConfig | MCPServerIdentity, options: MCPToolAdapterOptions = {}) {
    this.#parts = assemble(config, options);
    this.name = this.#parts.config.name;
    this.client = this.#parts.client;
  }

  get state(): AdapterState {
    return this.#parts.link.state;
  }

  /** The tools of the last listing that pass the filters. */
  get tools(): readonly MCPToolDescriptor[] {
    return this.#parts.catalog.discovery.tools;
  }

  /** What the last listing gave, with what was set aside and why. */
  get discovery(): MCPDiscovery {
    return this.#parts.catalog.discovery;
  }

  /** What the server said in the last handshake; `undefined` before the first. */
  get server(): MCPServerInfo | undefined {
    return this.#parts.serverInfo();
  }

  /**
   * Starts the server or opens the session, and shakes hands. Does nothing when connected;
   * concurrent calls share one attempt.
   *
   * @throws MCPConnectionError
   */
  async connect(options?: ConnectOptions): Promise<this> {
    const { timeoutMs, signal, authorizationResponse } = readOptions(options, "connect()");
    const limitMs = readTimeout(timeoutMs, "timeoutMs") ?? this.#parts.config.connectTimeoutMs;
    await this.#parts.link.connect({ timeoutMs: limitMs, authorizationResponse }, signal);
    return this;
  }

  /**
   * Ends the connection and everything that was started for it. Calls that were sent come back as
   * `outcome_unknown`, waiting ones as `cancelled`; registered tools answer `unavailable` from now
   * on. Idempotent.
   */
  async disconnect(): Promise<void> {
    this.#parts.discovery.stop();
    await this.#parts.link.disconnect();
    this.#parts.catalog.clear();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disconnect();
  }

  /**
   * Disconnects, clears the list of tools and connects again. Concurrent calls share one attempt.
   * What is registered stays so, and works again afterwards.
   *
   * @throws MCPConnectionError
   */
  reconnect(options?: ConnectOptions): Promise<this> {
    readTimeout(readOptions(options, "reconnect()").timeoutMs, "timeoutMs");
    this.#reconnecting ??= this.disconnect()
      .then(() => {
        this.#parts.link.resetCircuit();
        return this.connect(options);
      })
      .finally(() => {
        this.#reconnecting = undefined;
      });
    return this.#reconnecting;
  }

  /**
   * Reads the list of tools from the server.
   *
   * @param filter stays in force, for this list and for calls, until another is given; `{}` lifts it
   * @throws MCPNotConnectedError, MCPAdapterError
   */
  async discoverTools(
    filter?: MCPToolFilter,
    options?: WaitOptions,
  ): Promise<readonly MCPToolDescriptor[]> {
    const predicate = filter && readFilter(filter, "filter");
    const { signal } = readOptions(options, "discoverTools()");
    this.#parts.link.check();
    if (predicate) this.#parts.catalog.setFilter(predicate);
    await this.#waiting(signal, (clock) => this.#parts.discovery.read(clock));
    return this.tools;
  }

  /**
   * Calls a tool, once. The arguments are checked against the tool's schema first; the list of
   * tools is read when it has not been yet.
   *
   * @throws MCPNotConnectedError; everything else is in the result
   */
  invoke<Name extends keyof Tools & string>(
    name: Name,
    ...[args, options]: InvokeRest<Tools[Name]["args"]>
  ): Promise<MCPToolResult<Tools[Name]["structured"]>>;
  invoke(name: string, args?: unknown, options?: InvokeOptions): Promise<MCPToolResult> {
    return invokeTool(this.#parts.site, name, args, readOptions(options, "invoke()"));
  }

  /**
   * Registers every tool that passes the filters as `{namespace}/{tool}`; tools that an earlier call
   * registered there and that are gone are removed. A changed list is registered again by itself.
   *
   * @param sink for instance a `ToolRegistry`
   * @throws MCPNotConnectedError, MCPAdapterError, and what the sink throws when it refuses
   */
  async registerTools(
    sink: MCPToolSink,
    namespace: string,
    options?: WaitOptions,
  ): Promise<RegistrationChange> {
    requireSink(sink);
    const { signal } = readOptions(options, "registerTools()");
    this.#parts.link.check();
    await this.#waiting(signal, (clock) => this.#parts.discovery.ensure(clock));
    const change = this.#parts.registrations.put(sink, namespace, this.#parts.sinkTools());
    return { ...change, quarantined: this.discovery.quarantined };
  }

  /** Removes what {@link registerTools} put there; needs no connection. */
  unregisterTools(sink: MCPToolSink, namespace: string): NamespaceChange {
    requireSink(sink);
    return this.#parts.registrations.remove(sink, namespace);
  }

  /** What the tool may do, from its name, and from its hints if the list has been read. */
  inferCapabilities(toolName: string): ToolCapability {
    const lookup = this.#parts.catalog.lookup(toolName);
    return lookup.found === "tool"
      ? lookup.tool.capability
      : inferCapabilities(toolName, { trust: this.#parts.config.trust });
  }

  /** @throws MCPNotConnectedError, MCPAdapterError; a server without resources has an empty list */
  listResources(options?: ContentOptions): Promise<ResourceListing> {
    return listResources(this.#parts.contents, options);
  }

  /** @throws MCPNotConnectedError, MCPAdapterError */
  listResourceTemplates(options?: ContentOptions): Promise<ResourceTemplateListing> {
    return listResourceTemplates(this.#parts.contents, options);
  }

  /** @throws MCPNotConnectedError, MCPAdapterError */
  readResource(address: ResourceAddress, options?: ContentOptions): Promise<Resource> {
    return fetchResource(this.#parts.contents, address, options);
  }

  /** @throws MCPNotConnectedError, MCPAdapterError; a server without prompts has an empty list */
  listPrompts(options?: ContentOptions): Promise<PromptListing> {
    return listPrompts(this.#parts.contents, options);
  }

  /** @throws MCPNotConnectedError, MCPAdapterError */
  getPrompt(
    name: string,
    args?: Readonly<Record<string, string>>,
    options?: ContentOptions,
  ): Promise<Prompt> {
    return fetchPrompt(this.#parts.contents, name, args, options);
  }

  async #waiting(
    signal: AbortSignal | undefined,
    work: (clock: Clock) => Promise<void>,
  ): Promise<void> {
    const clock = startClock(this.#parts.config.requestTimeoutMs, signal);
    try {
      await clock.race(work(clock));
    } catch (error) {
      throw adapterError(this.name, "the tools were not listed", error);
    } finally {
      clock.stop();
    }
  }
}
