import type { JsonObject } from "../connection.ts";
import { MCPTransportError } from "../errors.ts";
import { readAnswer } from "./answer.ts";
import type { RequestId } from "./engine-wire.ts";
import { type Handshake, readDiscovery, readHandshake } from "./handshake.ts";

export interface OwnRequestsOptions {
  readonly description: string;
  redact(text: string): string;
  /** Hands a message to the client. */
  tell(message: JsonObject): void;
}

/** The requests that the SDK client makes for itself, the handshake above all: it gets the answers. */
export class OwnRequests {
  handshake: Handshake | undefined;
  /** What became of the question after the era, if it got no answer. */
  unanswered: MCPTransportError | undefined;
  readonly #options: OwnRequestsOptions;
  readonly #methods = new Map<RequestId, string>();
  /** What the answer to `server/discover` said. */
  #discovered: Handshake | undefined;
  #initializeId: RequestId | undefined;

  constructor(options: OwnRequestsOptions) {
    this.#options = options;
  }

  /** There is no more to the handshake of 2026-07-28 than what the server said of itself. */
  enterModern(): void {
    this.handshake = this.#discovered;
  }

  /** Whether the handshake of before 2026-07-28 has begun. */
  get initializing(): boolean {
    return this.#initializeId !== undefined;
  }

  /** The question after the era, while it is open. */
  get probe(): RequestId {
    return [...this.#methods].find(([, method]) => method === "server/discover")?.[0] ?? "null";
  }

  /** Whether the handshake waits for the answer to this request. */
  shakes(id: RequestId): boolean {
    return id === this.#initializeId && this.handshake === undefined;
  }

  begin(id: RequestId, method: string): void {
    if (method === "initialize") this.#initializeId = id;
    else this.#methods.set(id, method);
  }

  take(id: RequestId): string | undefined {
    const method = this.#methods.get(id);
    this.#methods.delete(id);
    return method;
  }

  notSent(id: RequestId, error: MCPTransportError): void {
    if (this.take(id) === "server/discover") this.unanswered = error;
  }

  /** The client is told no more than it needs of what the server says. */
  answered(id: RequestId, method: string, message: JsonObject): void {
    const { description, redact } = this.#options;
    const answer = readAnswer(`${description}: ${method}`, message, redact);
    if (answer instanceof MCPTransportError) {
      this.refused(id, method, answer);
    } else if (method !== "server/discover") {
      this.answer(id, {});
    } else {
      const discovered = readDiscovery(answer);
      this.#discovered = discovered;
      const supportedVersions = discovered === undefined ? [] : [discovered.protocolVersion];
      this.answer(id, { resultType: "complete", supportedVersions, capabilities: {} });
    }
  }

  refused(id: RequestId, method: string, error: MCPTransportError): void {
    const { message, rpcCode: code = -32603, rpcData: data } = error;
    const answered = error.rpcCode !== undefined || error.code === "invalid_result";
    if (method === "server/discover" && !answered) this.unanswered = error;
    this.#options.tell({ jsonrpc: "2.0", id, error: { code, message, data } });
  }

  /** @returns why it is of no use, which ends the session */
  shookHands(id: RequestId, message: JsonObject): MCPTransportError | undefined {
    const label = `${this.#options.description}: initialize`;
    const answer = readAnswer(label, message, this.#options.redact);
    const handshake = answer instanceof MCPTransportError ? answer : readHandshake(label, answer);
    if (handshake instanceof MCPTransportError) return handshake;
    this.handshake = handshake;
    // The client gets no more of it than it needs, in the form that it accepts.
    this.answer(id, {
      protocolVersion: handshake.protocolVersion,
      capabilities: {},
      serverInfo: { name: "server", version: "0" },
    });
    return undefined;
  }

  answer(id: RequestId, result: JsonObject): void {
    this.#options.tell({ jsonrpc: "2.0", id, result });
  }
}
