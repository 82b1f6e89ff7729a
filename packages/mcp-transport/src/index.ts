export type {
  ConnectionInfo,
  JsonObject,
  ListKind,
  MCPConnection,
  Page,
  Progress,
  RequestOptions,
} from "./connection.ts";
export {
  type Delivery,
  MCPTransportError,
  type MCPTransportErrorCode,
  type MCPTransportErrorOptions,
} from "./errors.ts";
export { MCPTransport, type OpenOptions } from "./transport.ts";
