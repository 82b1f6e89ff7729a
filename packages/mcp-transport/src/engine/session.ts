import type { JsonObject, ListKind, RequestOptions } from "../connection.ts";
import { MCPTransportError } from "../errors.ts";
import { checkOptions } from "../options.ts";
import type { MCPWire } from "../wire.ts";
import { readAnswer, readProgress, readResultType } from "./answer.ts";
import type { EngineClient } from "./engine.ts";
import type { EngineWire, RequestId, WireEvents } from "./engine-wire.ts";
import { type Clocks, Flight, withDelivery } from "./flight.ts";
import { type Handshake, isObject, readDiscovery, readHandshake } from "./handshake.ts";
import { answerInputs, type InputAnswers, mostRounds } from "./input-required.ts";
import { Subscribers } from "./subscribers.ts";

export interface SessionSettings extends Clocks {
  redact(text: string): string;
}

interface Transmission {
  readonly flight?: Flight;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

interface PortSending {
  readonly requestSignal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What is shown of a message that may be as long as the server likes. */
const diagnosticLength = 1_000;

/**
 * Stands between a wire and an SDK client. The client numbers the requests, shakes hands and answers
 * the server; how a request ends is decided here, from the messages and the wire alone.
 */
export class Session implements WireEvents {
  /** What the SDK client takes for its transport. */
  readonly port: MCPWire;
  readonly description: string;
  handshake: Handshake | undefined;
  /** What the answer to `server/discover` said. */
  #discovered: Handshake | undefined;
  /** What became of the question after the era, if it got no answer. */
  unanswered: MCPTransportError | undefined;
  readonly #wire: EngineWire;
  readonly #settings: SessionSettings;
  readonly #flights = new Map<RequestId, Flight>();
  readonly #subscribers = new Subscribers();
  readonly #answers: InputAnswers;
  /** Requests that the client makes for itself: it gets the answers. */
  readonly #own = new Map<RequestId, string>();
  /** The request that the client is about to number. */
  #starting: Flight | undefined;
  #initializeId: RequestId | undefined;
  #ended: { readonly reason?: MCPTransportError } | undefined;

  constructor(wire: EngineWire, settings: SessionSettings, answers: InputAnswers = {}) {
    this.#wire = wire;
    this.#settings = settings;
    this.#answers = answers;
    this.description = wire.description;
    this.port = {
      start: async () => {
        // The opening may have been given up while the engine was loading.
        if (this.#ended) throw this.#endError(this.description, "not_sent");
        await wire.start(this);
      },
      send: (message, options) => this.#send({ ...message }, options ?? {}),
      // The client closes its transport when it gives up; the connection is closed by its owner.
      close: async () => {},
      setProtocolVersion: (version) => wire.setProtocolVersion?.(version),
      ...(wire.streamPerRequest && { hasPerRequestStream: true }),
    };
  }

  /** There is no more to the handshake of 2026-07-28 than what the server said of itself. */
  enterModern(): void {
    this.handshake = this.#discovered;
  }

  /** Whether the handshake of before 2026-07-28 has begun. */
  get initializing(): boolean {
    return this.#initializeId !== undefined;
  }

  request(
    client: EngineClient,
    method: string,
    params: JsonObject,
    options: RequestOptions = {},
    headers?: Readonly<Record<string, string>>,
  ): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      const label = `${this.description}: ${method}`;
      checkOptions(options, ["timeoutMs", "idleTimeoutMs"]);
      if (this.#ended) throw this.#endError(label, "not_sent");
      if (options.signal?.aborted) {
        throw new MCPTransportError(
          "aborted",
          `${label}: the caller's signal had ended it before`,
          {
            delivery: "not_sent",
            cause: options.signal.reason,
          },
        );
      }
      const flight = new Flight(label, options, this.#settings, {
        resolve,
        reject: (error) => {
          // Nobody cancels by message what is cancelled by the end of its stream.
          if (this.#endsWithStream && flight.id !== undefined) this.#land(flight.id);
          reject(error);
        },
      });
      flight.resume = (more) => {
        this.#starting = flight;
        client
          .request(method, { ...params, ...more }, flight.signal, headers)
          .catch((cause: unknown) => {
            // Only if the port has not decided already.
            flight.fail(engineError(label, cause));
          });
        this.#starting = undefined;
      };
      flight.resume({});
    });
  }

  onListChanged(kind: ListKind, callback: () => void): () => void {
    return this.#subscribers.onNotification(`notifications/${kind}/list_changed`, callback);
  }

  /** As if the server had said so. */
  changed(kind: ListKind): void {
    this.#subscribers.notify(`notifications/${kind}/list_changed`);
  }

  onClose(callback: (reason?: MCPTransportError) => void): () => void {
    const stop = this.#subscribers.onClose(callback);
    if (this.#ended) this.#subscribers.close(this.#ended.reason);
    return stop;
  }

  onDiagnostic(callback: (error: Error) => void): () => void {
    return this.#subscribers.onDiagnostic(callback);
  }

  /** Ends everything that waits; what runs behind the wire is left to its owner. */
  end(reason?: MCPTransportError): void {
    if (this.#ended) return;
    this.#ended = reason === undefined ? {} : { reason };
    for (const flight of [...this.#flights.values()]) {
      flight.fail(this.#endError(flight.label, flight.delivery));
    }
    this.#flights.clear();
    this.port.onclose?.();
    this.#subscribers.close(reason);
  }

  ended(reason: MCPTransportError): void {
    this.end(reason);
  }

  lost(id: RequestId, error: MCPTransportError): void {
    const own = this.#takeOwn(id);
    if (own !== undefined) this.#refuseClient(id, own, error);
    if (id === this.#initializeId && this.handshake === undefined) this.end(error);
    this.#land(id)?.fail(error);
  }

  diagnostic(error: Error): void {
    const message = this.#settings.redact(error.message.slice(0, diagnosticLength));
    const short = message === error.message ? error : new Error(message, { cause: error.cause });
    this.#subscribers.diagnose(short);
  }

  message(message: unknown): void {
    if (this.#ended) return;
    if (Array.isArray(message)) {
      for (const part of message) this.message(part);
    } else if (!isObject(message)) {
      this.diagnostic(new Error(`${this.description}: sent JSON that is no message`));
    } else if (typeof message["method"] === "string") {
      this.#called(message, message["method"]);
    } else {
      this.#answered(message);
    }
  }

  #called(message: JsonObject, method: string): void {
    if (message["id"] !== undefined || ofTheClient.includes(method)) {
      // The client may fail at a message of a hostile form.
      this.#subscribers.guard(() => this.port.onmessage?.(message));
    } else if (method === "notifications/progress") {
      this.#progressed(isObject(message["params"]) ? message["params"] : {});
    } else if (!this.#subscribers.notify(method)) {
      this.diagnostic(new Error(`${this.description}: nobody listens to ${method.slice(0, 80)}`));
    }
  }

  #progressed(params: JsonObject): void {
    // Late progress of a request that has ended is no fault.
    const flight = this.#flights.get(requestId(params["progressToken"]));
    const progress = readProgress(params);
    if (flight === undefined) return;
    if (progress === undefined) {
      this.diagnostic(new Error(`${flight.label}: sent progress without a number`));
    } else {
      this.#subscribers.guard(() => flight.progress(progress));
    }
  }

  #answered(message: JsonObject): void {
    // An error that names no request is about the only one that there can be before the handshake.
    const id = message["id"] === null ? this.#probe : requestId(message["id"]);
    const flight = this.#land(id);
    const own = this.#takeOwn(id);
    if (flight !== undefined) {
      this.#answerClient(id, {});
      const answer = readAnswer(flight.label, message, this.#settings.redact);
      if (answer instanceof MCPTransportError) flight.fail(withDelivery(answer, "unknown"));
      else if (this.handshake?.era === "modern") this.#answeredModern(flight, answer);
      else flight.succeed(answer);
    } else if (own !== undefined) {
      this.#answeredOwn(id, own, message);
    } else if (id === this.#initializeId && this.handshake === undefined) {
      this.#shookHands(id, message);
    }
    // Any other is one that nobody waits for any more, which is no fault.
  }

  #answeredModern(flight: Flight, answer: JsonObject): void {
    const read = readResultType(flight.label, answer);
    if (read instanceof MCPTransportError) {
      flight.fail(withDelivery(read, "unknown"));
    } else if (read.kind === "complete") {
      flight.succeed(read.result);
    } else {
      void this.#giveInput(flight, read.result);
    }
  }

  async #giveInput(flight: Flight, asked: JsonObject): Promise<void> {
    flight.alive();
    flight.rounds += 1;
    try {
      if (flight.rounds > mostRounds) {
        const message = `${flight.label}: asked for input more than ${mostRounds} times`;
        throw new MCPTransportError("limit", message);
      }
      const more = await answerInputs(flight.label, asked, this.#answers);
      if (!flight.signal.aborted) flight.resume(more);
    } catch (error) {
      flight.fail(this.#sendError(flight.label, error));
    }
  }

  /** The client is told no more than it needs of what the server says. */
  #answeredOwn(id: RequestId, method: string, message: JsonObject): void {
    const label = `${this.description}: ${method}`;
    const answer = readAnswer(label, message, this.#settings.redact);
    if (answer instanceof MCPTransportError) {
      this.#refuseClient(id, method, answer);
    } else if (method !== "server/discover") {
      this.#answerClient(id, {});
    } else {
      const discovered = readDiscovery(answer);
      this.#discovered = discovered;
      const supportedVersions = discovered === undefined ? [] : [discovered.protocolVersion];
      this.#answerClient(id, { resultType: "complete", supportedVersions, capabilities: {} });
    }
  }

  #refuseClient(id: RequestId, method: string, error: MCPTransportError): void {
    const answered = error.code === "rpc" || error.code === "invalid_result";
    if (method === "server/discover" && !answered) this.unanswered = error;
    const { message, rpcCode = -32603 } = error;
    this.port.onmessage?.({ jsonrpc: "2.0", id, error: { code: rpcCode, message } });
  }

  #shookHands(id: RequestId, message: JsonObject): void {
    const label = `${this.description}: initialize`;
    const answer = readAnswer(label, message, this.#settings.redact);
    const handshake = answer instanceof MCPTransportError ? answer : readHandshake(label, answer);
    if (handshake instanceof MCPTransportError) {
      this.end(handshake);
      return;
    }
    this.handshake = handshake;
    // The client gets no more of it than it needs, in the form that it accepts.
    this.#answerClient(id, {
      protocolVersion: handshake.protocolVersion,
      capabilities: {},
      serverInfo: { name: "server", version: "0" },
    });
  }

  #answerClient(id: RequestId, result: JsonObject): void {
    this.port.onmessage?.({ jsonrpc: "2.0", id, result });
  }

  async #send(message: JsonObject, { requestSignal, headers }: PortSending): Promise<void> {
    const flight = this.#starting;
    this.#starting = undefined;
    const { method, id } = message;
    if (method === "notifications/cancelled") return this.#sendCancelled(message);
    if (typeof method !== "string" || (typeof id !== "number" && typeof id !== "string")) {
      return this.#transmit(message);
    }
    if (flight === undefined) return this.#sendOwn(id, method, message, requestSignal);
    flight.id = id;
    this.#flights.set(id, flight);
    const params = isObject(message["params"]) ? message["params"] : {};
    const meta = isObject(params["_meta"]) ? params["_meta"] : {};
    const asked = { ...params, _meta: { ...meta, progressToken: id } };
    try {
      const asking = { ...message, params: asked };
      await this.#transmit(asking, { flight, signal: flight.signal, headers });
    } catch (error) {
      this.#land(id);
      flight.fail(this.#sendError(flight.label, error));
      throw error;
    }
  }

  async #sendOwn(
    id: RequestId,
    method: string,
    message: JsonObject,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    if (method === "initialize") this.#initializeId = id;
    else this.#own.set(id, method);
    try {
      await this.#transmit(message, { signal });
    } catch (error) {
      const own = this.#takeOwn(id);
      if (own === "server/discover") this.unanswered = this.#sendError(this.description, error);
      throw error;
    }
  }

  /** Only what left, and whose caller left, is cancelled; never `initialize`. */
  async #sendCancelled(message: JsonObject): Promise<void> {
    const params = isObject(message["params"]) ? message["params"] : {};
    const id = requestId(params["requestId"]);
    if (this.#takeOwn(id) !== undefined && !this.#endsWithStream) await this.#transmit(message);
    const flight = this.#land(id);
    if (flight?.cancelled && flight.delivery !== "not_sent") await this.#transmit(message);
  }

  async #transmit(
    message: JsonObject,
    { flight, signal, headers }: Transmission = {},
  ): Promise<void> {
    if (this.#ended) throw this.#endError(this.description, "not_sent");
    let text: string;
    try {
      text = JSON.stringify(message);
    } catch (cause) {
      throw new MCPTransportError("config", "the params cannot be written as JSON", {
        cause,
        field: "params",
        delivery: "not_sent",
      });
    }
    await this.#wire.send(message, {
      text,
      ...(signal && { signal }),
      ...(headers && { headers }),
      leaving: () => {
        if (flight) flight.delivery = "unknown";
      },
    });
  }

  get #endsWithStream(): boolean {
    return this.handshake?.era === "modern" && this.#wire.streamPerRequest === true;
  }

  /** The question after the era, while it is open. */
  get #probe(): RequestId {
    return [...this.#own].find(([, method]) => method === "server/discover")?.[0] ?? "null";
  }

  #takeOwn(id: RequestId): string | undefined {
    const method = this.#own.get(id);
    this.#own.delete(id);
    return method;
  }

  #land(id: RequestId): Flight | undefined {
    const flight = this.#flights.get(id);
    this.#flights.delete(id);
    return flight;
  }

  #sendError(label: string, error: unknown): MCPTransportError {
    if (error instanceof MCPTransportError) return error;
    return new MCPTransportError("network", `${label}: could not be sent`, { cause: error });
  }

  #endError(label: string, delivery: "not_sent" | "refused" | "unknown"): MCPTransportError {
    const reason = this.#ended?.reason;
    if (reason === undefined) {
      return new MCPTransportError("closed", `${label}: the connection was closed`, { delivery });
    }
    if (delivery !== "not_sent") return withDelivery(reason, delivery);
    return new MCPTransportError("closed", `${label}: the connection had ended`, {
      cause: reason,
      delivery,
    });
  }
}

/** What the client keeps account of itself. */
const ofTheClient = ["notifications/cancelled", "notifications/subscriptions/acknowledged"];

function engineError(label: string, cause: unknown): MCPTransportError {
  if (!(cause instanceof MCPTransportError)) {
    return new MCPTransportError("closed", `${label}: the engine gave up`, { cause });
  }
  const { code, delivery } = cause;
  return new MCPTransportError(code, `${label}: ${cause.message}`, {
    cause,
    ...(delivery !== undefined && { delivery }),
  });
}

/** Some servers answer with the number as a string. */
function requestId(value: unknown): RequestId {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : String(value);
}
