export {
  type ConnectOptions,
  MCPToolAdapter,
  type RegistrationChange,
  type ToolMap,
  type TypedTools,
  type WaitOptions,
} from "./adapter.ts";
export type { MCPDiscovery } from "./catalog.ts";
export type { ClientRequestOptions, MCPClientLike } from "./client.ts";
export type { MCPServerIdentity } from "./config.ts";
export {
  type ConnectServersOptions,
  connectServers,
  type MCPServerEntry,
} from "./connect-servers.ts";
export type {
  ContentOptions,
  PromptListing,
  ResourceAddress,
  ResourceListing,
  ResourceTemplateListing,
} from "./contents.ts";
export {
  MCPAdapterError,
  type MCPAdapterErrorCode,
  MCPConnectionError,
  MCPNotConnectedError,
} from "./errors.ts";
export type { MCPAdapterEvent } from "./event.ts";
export type { MCPToolFilter, MCPToolPattern } from "./filter.ts";
export type { MCPServerFailure, MCPToolHub } from "./hub.ts";
export type { InvokeOptions } from "./invoke.ts";
export type { AdapterState } from "./link.ts";
export type { MCPToolAdapterOptions } from "./options.ts";
export type {
  CompileSchema,
  Evidence,
  NamespaceChange,
  SchemaValidator,
  SinkCallContext,
  SinkTool,
  ToolCapability,
  ToolSink,
  ValidationIssue,
} from "./ports.ts";
export type { MCPQuarantined } from "./quarantine.ts";
export {
  type MCPServerProblem,
  type MCPServersReading,
  type ReadServersOptions,
  readServers,
} from "./read-servers.ts";
export type { MCPSinkTool, MCPToolSink } from "./registration.ts";
export type { ReplayPolicy } from "./replay.ts";
export type { MCPErrorCode, MCPToolResult, ResultWarning } from "./result.ts";
export type { MCPServerInfo } from "./server-info.ts";
