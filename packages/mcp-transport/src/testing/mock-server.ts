import type { JsonObject, Progress } from "../connection.ts";
import { MCPTransportError } from "../errors.ts";

export interface MockToolContext {
  /** Aborts when the client cancels the call or the connection ends. */
  readonly signal: AbortSignal;
  /** Tells the caller's `onProgress`, unless the call has ended. */
  progress(progress: Progress): void;
}

/** A tool as it is listed, whatever its form; `call` is not listed. */
export interface MockTool {
  readonly name: string;
  /**
   * Gives the raw CallToolResult. A thrown {@link MCPTransportError} with code `rpc` becomes that
   * JSON-RPC error, any other throw becomes -32603.
   * @defaultValue answers `{ name, args }` as text
   */
  readonly call?: (args: JsonObject, context: MockToolContext) => unknown;
  readonly [field: string]: unknown;
}

export interface MockRequest {
  readonly method: string;
  readonly params: JsonObject;
}

export type MockHandler = (params: JsonObject, context: MockToolContext) => unknown;

export interface MockServerOptions {
  readonly tools?: readonly MockTool[];
  /** Tools on one page of `tools/list`. @defaultValue all of them */
  readonly pageSize?: number;
  /** @defaultValue `{ tools: { listChanged: true } }` */
  readonly capabilities?: JsonObject;
  readonly serverInfo?: JsonObject;
  readonly instructions?: string;
  readonly protocolVersion?: string;
  /** Answers for further methods, or instead of the own ones; gives the raw result. */
  readonly handlers?: Readonly<Record<string, MockHandler>>;
}

/** What a mock server asks of a connection to it. */
interface MockClient {
  notify(method: string, params: JsonObject): void;
  drop(reason: MCPTransportError): void;
}

export interface MockServer {
  /** Every request that arrived, `initialize` and `ping` included, in order. */
  readonly requests: readonly MockRequest[];
  /** Connections open now. */
  readonly connections: number;
  /** Replaces the tools and tells every connection that the list changed. */
  setTools(tools: readonly MockTool[]): void;
  /** Answers a method from now on. */
  handle(method: string, handler: MockHandler): void;
  /**
   * The next request, of that method if given, rejects with this error and never arrives. If the
   * error names no delivery it is `unknown`.
   */
  failNext(error: MCPTransportError, method?: string): void;
  /** The next request, of that method if given, is answered so much later. */
  delayNext(ms: number, method?: string): void;
  notify(method: string, params?: JsonObject): void;
  /** Ends every connection. @defaultValue code `closed` */
  drop(reason?: MCPTransportError): void;
  /** The side that {@link MockTransport} speaks to. */
  readonly port: MockPort;
}

export interface MockPort {
  attach(client: MockClient): () => void;
  /** Takes the error that the next such request is to be lost with. */
  takeFailure(method: string): MCPTransportError | undefined;
  answer(method: string, params: JsonObject, context: MockToolContext): Promise<unknown>;
}

interface Planned<T> {
  readonly method: string | undefined;
  readonly value: T;
}

/** A server in memory, for tests of what stands on a transport. It is a mock: no process, no socket. */
export function mockServer(options: MockServerOptions = {}): MockServer {
  let tools = options.tools ?? [];
  const handlers = new Map(Object.entries(options.handlers ?? {}));
  const requests: MockRequest[] = [];
  const clients = new Set<MockClient>();
  const failures: Planned<MCPTransportError>[] = [];
  const delays: Planned<number>[] = [];

  const own = new Map<string, MockHandler>([
    ["initialize", () => initializeResult(options)],
    ["ping", () => ({})],
    ["tools/list", (params) => listPage(tools, options.pageSize, params["cursor"])],
    ["tools/call", (params, context) => callTool(tools, params, context)],
  ]);

  const notify = (method: string, params: JsonObject = {}): void => {
    for (const client of [...clients]) client.notify(method, params);
  };

  return {
    requests,
    get connections() {
      return clients.size;
    },
    setTools(next) {
      tools = next;
      notify("notifications/tools/list_changed");
    },
    handle(method, handler) {
      handlers.set(method, handler);
    },
    failNext(error, method) {
      failures.push({ method, value: error });
    },
    delayNext(ms, method) {
      delays.push({ method, value: ms });
    },
    notify,
    drop(reason = new MCPTransportError("closed", "the mock server dropped the connection")) {
      for (const client of [...clients]) client.drop(reason);
    },
    port: {
      attach(client) {
        clients.add(client);
        return () => clients.delete(client);
      },
      takeFailure: (method) => take(failures, method),
      async answer(method, params, context) {
        requests.push({ method, params });
        const delay = take(delays, method);
        if (delay !== undefined) await new Promise((resolve) => setTimeout(resolve, delay));
        const handler = handlers.get(method) ?? own.get(method);
        if (handler === undefined) throw rpcError(-32601, `Method not found: ${method}`);
        return handler(params, context);
      },
    },
  };
}

function take<T>(planned: Planned<T>[], method: string): T | undefined {
  const index = planned.findIndex((plan) => plan.method === undefined || plan.method === method);
  return index < 0 ? undefined : planned.splice(index, 1)[0]?.value;
}

function rpcError(rpcCode: number, message: string): MCPTransportError {
  return new MCPTransportError("rpc", message, { rpcCode });
}

function initializeResult(options: MockServerOptions): JsonObject {
  return {
    protocolVersion: options.protocolVersion ?? "2025-11-25",
    capabilities: options.capabilities ?? { tools: { listChanged: true } },
    serverInfo: options.serverInfo ?? { name: "mock", version: "1.0.0" },
    ...(options.instructions !== undefined && { instructions: options.instructions }),
  };
}

function listPage(
  tools: readonly MockTool[],
  pageSize: number = tools.length,
  cursor: unknown,
): JsonObject {
  const start = typeof cursor === "string" ? Number(cursor) : 0;
  const end = start + pageSize;
  return {
    tools: tools.slice(start, end).map(({ call: _, ...listed }) => listed),
    ...(end < tools.length && { nextCursor: String(end) }),
  };
}

function callTool(
  tools: readonly MockTool[],
  params: JsonObject,
  context: MockToolContext,
): unknown {
  const { name, arguments: args = {} } = params;
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw rpcError(-32602, `Unknown tool: ${String(name)}`);
  if (tool.call !== undefined) return tool.call(args as JsonObject, context);
  return { content: [{ type: "text", text: JSON.stringify({ name, args }) }] };
}
