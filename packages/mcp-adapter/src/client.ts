import type { JsonObject, Progress } from "@x/mcp-transport";
import {
  type ContentOptions,
  type ContentSite,
  fetchPrompt,
  fetchResource,
  listPrompts,
  listResources,
  listResourceTemplates,
} from "./contents.ts";
import { adapterError, MCPAdapterError } from "./errors.ts";
import type { InvokeOptions } from "./invoke.ts";
import type { MCPToolResult } from "./result.ts";
import type { MCPServerInfo } from "./server-info.ts";

export interface ClientRequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds, as the SDK clients call it. */
  readonly timeout?: number | undefined;
  readonly onprogress?: ((progress: Progress) => void) | undefined;
}

/**
 * The adapter as an MCP client, for code written against `Client` of the v2 SDK: a call takes its
 * options as the second argument. Calls go through the adapter, with its validation, filters and
 * deadlines.
 */
export interface MCPClientLike {
  /** All tools that pass the filters, in one page, as the server listed them. */
  listTools(params?: { readonly cursor?: string }): Promise<{ tools: JsonObject[] }>;
  /**
   * The result as the server sent it, `isError` included.
   *
   * Rejects with MCPAdapterError if there is none.
   */
  callTool(
    params: { readonly name: string; readonly arguments?: JsonObject },
    options?: ClientRequestOptions,
  ): Promise<JsonObject>;
  listResources(params?: { readonly cursor?: string }): Promise<{ resources: JsonObject[] }>;
  listResourceTemplates(params?: {
    readonly cursor?: string;
  }): Promise<{ resourceTemplates: JsonObject[] }>;
  readResource(
    params: { readonly uri: string },
    options?: ClientRequestOptions,
  ): Promise<JsonObject>;
  listPrompts(params?: { readonly cursor?: string }): Promise<{ prompts: JsonObject[] }>;
  getPrompt(
    params: { readonly name: string; readonly arguments?: Record<string, string> },
    options?: ClientRequestOptions,
  ): Promise<JsonObject>;
  getServerCapabilities(): JsonObject | undefined;
  getServerVersion():
    | { readonly name: string | undefined; readonly version: string | undefined }
    | undefined;
  getInstructions(): string | undefined;
  getNegotiatedProtocolVersion(): string | undefined;
}

/** What the client needs of its adapter. */
export interface ClientSite {
  readonly content: ContentSite;
  serverInfo(): MCPServerInfo | undefined;
  /** The tools that pass the filters, as the server listed them. */
  listTools(): Promise<JsonObject[]>;
  invoke(name: string, args: JsonObject, options: InvokeOptions): Promise<MCPToolResult>;
}

export function clientOver(site: ClientSite): MCPClientLike {
  return {
    async listTools() {
      try {
        return { tools: await site.listTools() };
      } catch (error) {
        throw adapterError(site.content.server, "the tools were not listed", error);
      }
    },
    async callTool({ name, arguments: args = {} }, options = {}) {
      const result = await site.invoke(name, args, invokeOptions(options));
      if (result.success || result.errorCode === "server_error") return result.data;
      throw new MCPAdapterError(result.errorCode, result.error, {
        server: site.content.server,
      });
    },
    async listResources() {
      const { resources } = await listResources(site.content);
      return { resources: resources.map(({ raw }) => raw) };
    },
    async listResourceTemplates() {
      const { resourceTemplates } = await listResourceTemplates(site.content);
      return { resourceTemplates: resourceTemplates.map(({ raw }) => raw) };
    },
    readResource: async ({ uri }, options = {}) =>
      (await fetchResource(site.content, uri, contentOptions(options))).raw,
    async listPrompts() {
      const { prompts } = await listPrompts(site.content);
      return { prompts: prompts.map(({ raw }) => raw) };
    },
    getPrompt: async ({ name, arguments: args }, options = {}) =>
      (await fetchPrompt(site.content, name, args, contentOptions(options))).raw,
    getServerCapabilities: () => site.serverInfo()?.capabilities,
    getServerVersion() {
      const info = site.serverInfo();
      return info && { name: info.name, version: info.version };
    },
    getInstructions: () => site.serverInfo()?.instructions,
    getNegotiatedProtocolVersion: () => site.serverInfo()?.protocolVersion,
  };
}

function contentOptions({ signal, timeout }: ClientRequestOptions): ContentOptions {
  return { ...(signal && { signal }), ...(timeout !== undefined && { timeoutMs: timeout }) };
}

function invokeOptions(options: ClientRequestOptions): InvokeOptions {
  return {
    ...contentOptions(options),
    ...(options.onprogress && { onProgress: options.onprogress }),
  };
}
