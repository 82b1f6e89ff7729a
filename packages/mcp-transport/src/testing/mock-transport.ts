import { TRANSPORT_DEFAULTS } from "../config.ts";
import type { JsonObject, MCPConnection } from "../connection.ts";
import type { EngineWire, RequestId, Sending, WireEvents } from "../engine/engine-wire.ts";
import { type Negotiation, negotiate } from "../engine/negotiation.ts";
import { checkOpenOptions } from "../engine/open.ts";
import { MCPTransportError } from "../errors.ts";
import { MCPTransport, type OpenOptions } from "../transport.ts";
import { negotiationOf, type TransportOptions } from "../transport-options.ts";
import type { MockPort, MockServer } from "./mock-server.ts";

/** Opens connections to a {@link MockServer}: the real client, and messages in memory. */
export class MockTransport extends MCPTransport {
  readonly description = "mock server";
  readonly #port: MockPort;
  readonly #negotiation: Negotiation;
  readonly #failures: MCPTransportError[] = [];
  readonly #opened: OpenOptions[] = [];

  /** @throws MCPTransportError `config` */
  constructor(server: MockServer, options: Pick<TransportOptions, "engine"> = {}) {
    super();
    this.#port = server.port;
    this.#negotiation = negotiationOf({}, options);
  }

  /** How often `open` was called. */
  get opens(): number {
    return this.#opened.length;
  }

  /** What each `open` was given, in order. */
  get opened(): readonly OpenOptions[] {
    return this.#opened;
  }

  /** The next `open` rejects with this error. */
  failNextOpen(error: MCPTransportError): void {
    this.#failures.push(error);
  }

  async open(options: OpenOptions = {}): Promise<MCPConnection> {
    checkOpenOptions(options, true);
    this.#opened.push(options);
    const failure = this.#failures.shift();
    if (failure !== undefined) throw failure;
    return negotiate(
      () => new MockWire(this.#port),
      { ...TRANSPORT_DEFAULTS, redact: (text) => text },
      options,
      this.#negotiation,
    );
  }
}

class MockWire implements EngineWire {
  readonly description = "mock server";
  readonly #port: MockPort;
  readonly #calls = new Map<RequestId, AbortController>();
  #events: WireEvents | undefined;
  #detach: (() => void) | undefined;

  constructor(port: MockPort) {
    this.#port = port;
  }

  async start(events: WireEvents): Promise<void> {
    this.#events = events;
    this.#detach = this.#port.attach({
      notify: (method, params) => this.#deliver({ method, params }),
      drop: (reason) => {
        this.#stop();
        events.ended(reason);
      },
    });
  }

  async send(_message: JsonObject, sending: Sending): Promise<void> {
    // What the server gets is a copy, as over any wire.
    const { id, method, params = {} } = JSON.parse(sending.text);
    const failure = id === undefined ? undefined : this.#port.takeFailure(method);
    if (failure?.delivery === "not_sent") throw failure;
    sending.leaving();
    if (failure !== undefined) throw failure;
    if (method === "notifications/cancelled") this.#calls.get(params.requestId)?.abort();
    if (id === undefined || method === undefined) return;
    void this.#answer(id, method, params);
  }

  async close(): Promise<void> {
    this.#stop();
  }

  async #answer(id: RequestId, method: string, params: JsonObject): Promise<void> {
    const controller = new AbortController();
    this.#calls.set(id, controller);
    const { signal } = controller;
    try {
      const result = await this.#port.answer(method, params, {
        signal,
        progress: (progress) => {
          if (signal.aborted) return;
          const step = { ...progress, progressToken: id };
          this.#deliver({ method: "notifications/progress", params: step });
        },
      });
      this.#deliver({ id, result });
    } catch (error) {
      this.#deliver({ id, error: rpcError(error) });
    }
    this.#calls.delete(id);
  }

  #deliver(message: JsonObject): void {
    if (this.#detach === undefined) return;
    this.#events?.message(JSON.parse(JSON.stringify({ jsonrpc: "2.0", ...message })));
  }

  #stop(): void {
    this.#detach?.();
    this.#detach = undefined;
    for (const controller of this.#calls.values()) controller.abort();
    this.#calls.clear();
  }
}

function rpcError(error: unknown): JsonObject {
  if (error instanceof MCPTransportError && error.code === "rpc") {
    return { code: error.rpcCode ?? -32603, message: error.message, data: error.rpcData };
  }
  return { code: -32603, message: error instanceof Error ? error.message : String(error) };
}
