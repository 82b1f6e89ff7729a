export {
  type HTTPServerConfig,
  type MCPServerConfig,
  type StdioServerConfig,
  TRANSPORT_DEFAULTS,
} from "./config.ts";
export type {
  ConnectionInfo,
  JsonObject,
  ListKind,
  MCPConnection,
  Page,
  Progress,
  RequestOptions,
} from "./connection.ts";
export { type CreateTransportOptions, createTransport } from "./create-transport.ts";
export {
  type Delivery,
  MCPTransportError,
  type MCPTransportErrorCode,
  type MCPTransportErrorOptions,
} from "./errors.ts";
export type { AuthProviderLike } from "./http/auth-provider.ts";
export type { FetchLike, HeadersFn, HeadersRequest } from "./http/headers.ts";
export { SseTransport, StreamableHttpTransport } from "./http/transport.ts";
export { parseServerConfig } from "./parse-config.ts";
export { StdioTransport } from "./stdio/transport.ts";
export { MCPTransport, type OpenOptions } from "./transport.ts";
export type { TransportOptions } from "./transport-options.ts";
export type { MCPWire } from "./wire.ts";
export { WireTransport, type WireTransportOptions } from "./wire-transport.ts";
