import type { JsonObject, ListKind, RequestOptions } from "../connection.ts";
import { MCPTransportError } from "../errors.ts";
import { checkOptions } from "../options.ts";
import type { MCPWire } from "../wire.ts";
import { readAnswer, readProgress } from "./answer.ts";
import type { EngineClient } from "./engine.ts";
import { type EngineWire, type RequestId, requestId, type WireEvents } from "./engine-wire.ts";
import { type Clocks, Flight, withDelivery } from "./flight.ts";
import { type Handshake, isObject } from "./handshake.ts";
import type { InputAnswers } from "./input-required.ts";
import { landModern } from "./modern-answer.ts";
import { OwnRequests } from "./own-requests.ts";
import {
  abortedBefore,
  endError,
  engineError,
  messageText,
  type SessionEnd,
  sendError,
} from "./session-errors.ts";
import { Subscribers } from "./subscribers.ts";
import type { PortSending, Transmission } from "./transmission.ts";

export interface SessionSettings extends Clocks {
  redact(text: string): string;
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
  readonly own: OwnRequests;
  readonly #wire: EngineWire;
  readonly #settings: SessionSettings;
  readonly #flights = new Map<RequestId, Flight>();
  /** All that have not ended; one that was answered with a question has no id in between. */
  readonly #open = new Set<Flight>();
  readonly #subscribers = new Subscribers();
  readonly #answers: InputAnswers;
  /** The request that the client is about to number. */
  #starting: Flight | undefined;
  #ended: SessionEnd | undefined;

  constructor(wire: EngineWire, settings: SessionSettings, answers: InputAnswers = {}) {
    this.#wire = wire;
    this.#settings = settings;
    this.#answers = answers;
    this.description = wire.description;
    this.own = new OwnRequests({
      description: wire.description,
      redact: (text) => settings.redact(text),
      tell: (message) => this.port.onmessage?.(message),
    });
    this.port = {
      start: async () => {
        // The opening may have been given up while the engine was loading.
        if (this.#ended) throw endError(this.#ended, this.description, "not_sent");
        await wire.start(this);
      },
      send: (message, options) => this.#send({ ...message }, options ?? {}),
      // The client closes its transport when it gives up; the connection is closed by its owner.
      close: async () => {},
      setProtocolVersion: (version) => wire.setProtocolVersion?.(version),
      ...(wire.streamPerRequest && { hasPerRequestStream: true }),
    };
  }

  get handshake(): Handshake | undefined {
    return this.own.handshake;
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
      if (this.#ended) throw endError(this.#ended, label, "not_sent");
      if (options.signal?.aborted) throw abortedBefore(label, options.signal);
      const flight = new Flight(label, options, this.#settings, {
        resolve: (result) => {
          this.#open.delete(flight);
          resolve(result);
        },
        reject: (error) => {
          this.#open.delete(flight);
          // Nobody cancels by message what is cancelled by the end of its stream.
          if (this.#endsWithStream && flight.id !== undefined) this.#land(flight.id);
          reject(error);
        },
      });
      this.#open.add(flight);
      flight.resume = (more) => {
        this.#starting = flight;
        const { rounds } = flight;
        client
          .request(method, { ...params, ...more }, flight.signal, headers)
          .catch((cause: unknown) => {
            // Only if the port has not decided already.
            if (rounds === flight.rounds) flight.fail(engineError(label, cause));
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
    for (const flight of [...this.#open]) {
      flight.fail(endError(this.#ended, flight.label, flight.delivery));
    }
    this.#flights.clear();
    this.port.onclose?.();
    this.#subscribers.close(reason);
  }

  ended(reason: MCPTransportError): void {
    this.end(reason);
  }

  lost(id: RequestId, error: MCPTransportError): void {
    const own = this.own.take(id);
    if (own !== undefined) this.own.refused(id, own, error);
    if (this.own.shakes(id)) this.end(error);
    this.#land(id)?.fail(error);
  }

  diagnostic(error: Error): void {
    const message = this.#settings.redact(error.message.slice(0, diagnosticLength));
    const short = message === error.message ? error : new Error(message, { cause: error.cause });
    this.#subscribers.diagnose(short);
  }

  /** A batch holds messages, never batches: a server must not choose how deep this goes. */
  message(message: unknown): void {
    for (const part of Array.isArray(message) ? message : [message]) this.#read(part);
  }

  #read(message: unknown): void {
    if (this.#ended) return;
    if (!isObject(message)) {
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
    const id = message["id"] === null ? this.own.probe : requestId(message["id"]);
    const flight = this.#land(id);
    const own = this.own.take(id);
    if (flight !== undefined) {
      this.own.answer(id, {});
      const answer = readAnswer(flight.label, message, this.#settings.redact);
      if (this.handshake?.era === "modern") landModern(flight, answer, this.#answers);
      else if (answer instanceof MCPTransportError) flight.fail(withDelivery(answer, "unknown"));
      else flight.succeed(answer);
    } else if (own !== undefined) {
      this.own.answered(id, own, message);
    } else if (this.own.shakes(id)) {
      const refusal = this.own.shookHands(id, message);
      if (refusal !== undefined) this.end(refusal);
    }
    // Any other is one that nobody waits for any more, which is no fault.
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
      flight.fail(sendError(flight.label, error));
      throw error;
    }
  }

  async #sendOwn(
    id: RequestId,
    method: string,
    message: JsonObject,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    this.own.begin(id, method);
    try {
      await this.#transmit(message, { signal });
    } catch (error) {
      this.own.notSent(id, sendError(this.description, error));
      throw error;
    }
  }

  /** Only what left, and whose caller left, is cancelled; never `initialize`. */
  async #sendCancelled(message: JsonObject): Promise<void> {
    const params = isObject(message["params"]) ? message["params"] : {};
    const id = requestId(params["requestId"]);
    if (this.own.take(id) !== undefined && !this.#endsWithStream) await this.#transmit(message);
    const flight = this.#land(id);
    if (flight?.cancelled && flight.delivery !== "not_sent") await this.#transmit(message);
  }

  async #transmit(message: JsonObject, sending: Transmission = {}): Promise<void> {
    const { flight, signal, headers } = sending;
    if (this.#ended) throw endError(this.#ended, this.description, "not_sent");
    const text = messageText(message);
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

  #land(id: RequestId): Flight | undefined {
    const flight = this.#flights.get(id);
    this.#flights.delete(id);
    return flight;
  }
}

/** What the client keeps account of itself. */
const ofTheClient = ["notifications/cancelled", "notifications/subscriptions/acknowledged"];
