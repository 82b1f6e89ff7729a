export type JsonObject = Readonly<Record<string, unknown>>;
export type RequestId = string | number;

export interface RpcRequest {
  readonly kind: "request";
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
}

export interface RpcNotification {
  readonly kind: "notification";
  readonly method: string;
  readonly params: JsonObject;
}

export interface RpcResponse {
  readonly kind: "response";
  readonly id: RequestId;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** JSON, but no message of JSON-RPC 2.0 as MCP uses it; `answer` is what the sender is told. */
interface RpcInvalid {
  readonly kind: "invalid";
  readonly answer: JsonObject;
}

export type RpcMessage = RpcRequest | RpcNotification | RpcResponse | RpcInvalid;

export interface Incoming {
  readonly messages: readonly RpcMessage[];
  readonly batch: boolean;
}

export const rpcCode = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  resourceNotFound: -32002,
} as const;

/** Becomes the `error` of an answer. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

export function resultAnswer(id: RequestId, result: unknown): JsonObject {
  return { jsonrpc: "2.0", id, result };
}

export function errorAnswer(id: RequestId | null, error: RpcError): JsonObject {
  const { code, message, data } = error;
  return {
    jsonrpc: "2.0",
    id,
    error: { code, message, ...(data !== undefined && data !== null && { data }) },
  };
}

export function notification(method: string, params?: JsonObject): JsonObject {
  return { jsonrpc: "2.0", method, ...(params !== undefined && { params }) };
}

/** One line of stdio or one body of a POST. Never throws. */
export function readIncoming(text: string): Incoming {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { messages: [invalid(null, rpcCode.parse, `Parse error: ${reason}`)], batch: false };
  }
  if (!Array.isArray(value)) return { messages: [readMessage(value)], batch: false };
  if (value.length === 0) return { messages: [readMessage(value)], batch: false };
  return { messages: value.map(readMessage), batch: true };
}

export function readMessage(value: unknown): RpcMessage {
  if (!isObject(value) || value["jsonrpc"] !== "2.0") {
    return invalid(null, rpcCode.invalidRequest, "Invalid Request: no JSON-RPC 2.0 message");
  }
  const { id, method, params = {} } = value;
  if (id !== undefined && !isRequestId(id)) {
    return invalid(null, rpcCode.invalidRequest, "Invalid Request: id is no string and no integer");
  }
  if (method === undefined) return readResponse(id, value);
  if (typeof method !== "string") {
    return invalid(id ?? null, rpcCode.invalidRequest, "Invalid Request: method is no string");
  }
  if (!isObject(params)) {
    return invalid(id ?? null, rpcCode.invalidParams, "Invalid params: params is no object");
  }
  if (id === undefined) return { kind: "notification", method, params };
  return { kind: "request", id, method, params };
}

function readResponse(id: RequestId | undefined, value: JsonObject): RpcMessage {
  if (id === undefined || "result" in value === "error" in value) {
    return invalid(id ?? null, rpcCode.invalidRequest, "Invalid Request: neither call nor answer");
  }
  if ("error" in value) return { kind: "response", id, error: value["error"] };
  return { kind: "response", id, result: value["result"] };
}

function invalid(id: RequestId | null, code: number, message: string): RpcInvalid {
  return { kind: "invalid", answer: errorAnswer(id, new RpcError(code, message)) };
}
