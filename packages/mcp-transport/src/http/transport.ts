import { type HTTPServerConfig, TRANSPORT_DEFAULTS } from "../config.ts";
import type { MCPConnection } from "../connection.ts";
import { describeUrl } from "../describe.ts";
import { type Negotiation, negotiate } from "../engine/negotiation.ts";
import { checkOpenOptions } from "../engine/open.ts";
import { MCPTransportError } from "../errors.ts";
import { parseServerConfig } from "../parse-config.ts";
import { createRedactor, type Redactor } from "../redact.ts";
import { MCPTransport, type OpenOptions } from "../transport.ts";
import {
  checkTransportOptions,
  negotiationOf,
  type TransportOptions,
} from "../transport-options.ts";
import { HttpWire } from "./wire.ts";

/** The protocol version of 2025-03-26 and later. */
export class StreamableHttpTransport extends MCPTransport {
  readonly description: string;
  readonly #server: Server;

  /** @throws MCPTransportError `config` */
  constructor(config: HTTPServerConfig, options?: TransportOptions) {
    super();
    this.#server = parseServer(config, "streamable-http", options);
    this.description = describeUrl(this.#server.config.url);
  }

  async open(options: OpenOptions = {}): Promise<MCPConnection> {
    return openWire(new Wires(this.#server, options), "streamable-http", options);
  }
}

/** The transport of 2024-11-05, deprecated by the protocol since. */
export class SseTransport extends MCPTransport {
  readonly description: string;
  readonly #server: Server;

  /** @throws MCPTransportError `config` */
  constructor(config: HTTPServerConfig, options?: TransportOptions) {
    super();
    this.#server = parseServer(config, "sse", options);
    this.description = describeUrl(this.#server.config.url);
  }

  async open(options: OpenOptions = {}): Promise<MCPConnection> {
    return openWire(new Wires(this.#server, options), "sse", options);
  }
}

/** How a server that speaks only SSE answers the first POST. */
const fallbackStatuses = [400, 404, 405];
/** What says less about the server than its first refusal. */
const vague = ["http", "network", "invalid_result"];

/** Streamable HTTP, and SSE where the server does not know that. */
export class FallbackTransport extends MCPTransport {
  readonly description: string;
  readonly #server: Server;

  constructor(config: HTTPServerConfig, options?: TransportOptions) {
    super();
    this.#server = parseServer(config, undefined, options);
    this.description = describeUrl(this.#server.config.url);
  }

  async open(options: OpenOptions = {}): Promise<MCPConnection> {
    const server = this.#server;
    const timeoutMs = options.timeoutMs ?? server.connectTimeoutMs;
    const end = performance.now() + timeoutMs;
    const wires = new Wires(server, options);
    try {
      return await openWire(wires, "streamable-http", options);
    } catch (first) {
      const refusedHandshake = wires.last?.refusedHandshake;
      const left = end - performance.now();
      if (first !== refusedHandshake || left < 1) throw first;
      if (refusedHandshake === undefined || !isFallback(refusedHandshake)) throw first;
      try {
        return await openWire(wires, "sse", { ...options, timeoutMs: left });
      } catch (second) {
        throw bothFailed(refusedHandshake, second);
      }
    }
  }
}

function isFallback(error: MCPTransportError): boolean {
  return error.code === "http" && fallbackStatuses.includes(error.httpStatus ?? 0);
}

function bothFailed(first: MCPTransportError, second: unknown): unknown {
  if (!(second instanceof MCPTransportError)) return second;
  const { code, message, ...details } = vague.includes(second.code) ? first : second;
  return new MCPTransportError(code, `${first.message}; over SSE: ${second.message}`, {
    ...details,
    cause: first,
  });
}

interface Server {
  readonly config: HTTPServerConfig;
  readonly connectTimeoutMs: number;
  readonly maxMessageBytes: number;
  readonly negotiation: Negotiation;
}

function parseServer(
  config: HTTPServerConfig,
  transport: HTTPServerConfig["transport"],
  options: TransportOptions = {},
): Server {
  checkTransportOptions(options);
  const parsed = parseServerConfig(config);
  if (!("url" in parsed) || (parsed.transport ?? transport) !== transport) {
    const field = "url" in parsed ? "transport" : "url";
    const message = `${field}: the server is not reached by ${transport ?? "a url"}`;
    throw new MCPTransportError("config", message, { field });
  }
  return {
    config: parsed,
    connectTimeoutMs: parsed.connectTimeoutMs ?? TRANSPORT_DEFAULTS.connectTimeoutMs,
    negotiation: negotiationOf(parsed, options),
    maxMessageBytes: options.maxMessageBytes ?? TRANSPORT_DEFAULTS.maxMessageBytes,
  };
}

/** The wires of one opening. The first has the authorization, which can be finished only once. */
class Wires {
  readonly server: Server;
  readonly redactor: Redactor;
  last: HttpWire | undefined;
  #authorizationResponse: URLSearchParams | undefined;

  constructor(server: Server, options: OpenOptions) {
    checkOpenOptions(options, server.config.authProvider !== undefined);
    this.server = server;
    this.redactor = createRedactor([...new URL(server.config.url).searchParams.values()]);
    this.#authorizationResponse = options.authorizationResponse;
  }

  create(kind: "sse" | "streamable-http"): HttpWire {
    const { config, maxMessageBytes, negotiation } = this.server;
    this.last = new HttpWire({
      kind,
      config,
      maxMessageBytes,
      redactor: this.redactor,
      engine: negotiation.engine,
      authorizationResponse: this.#authorizationResponse,
    });
    this.#authorizationResponse = undefined;
    return this.last;
  }
}

function openWire(
  wires: Wires,
  kind: "sse" | "streamable-http",
  options: OpenOptions,
): Promise<MCPConnection> {
  const { config, connectTimeoutMs, negotiation } = wires.server;
  const { requestTimeoutMs, idleTimeoutMs } = { ...TRANSPORT_DEFAULTS, ...config };
  return negotiate(
    () => wires.create(kind),
    { requestTimeoutMs, idleTimeoutMs, redact: wires.redactor.redact },
    { ...options, timeoutMs: options.timeoutMs ?? connectTimeoutMs },
    negotiation,
  );
}
