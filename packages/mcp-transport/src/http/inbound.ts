import type { RequestId, WireEvents } from "../engine/engine-wire.ts";
import { isObject } from "../engine/handshake.ts";
import { MCPTransportError } from "../errors.ts";
import { discard, readAll } from "./body.ts";
import { EventReader, type ServerEvent, writeEvent } from "./event-stream.ts";
import { networkFailure } from "./failure.ts";
import { lazyBody } from "./lazy-body.ts";

export interface InboundOptions {
  readonly label: string;
  readonly maxMessageBytes: number;
  readonly events: WireEvents;
  redact(text: string): string;
}

/** Reads the messages of one response. What the SDK sees of them is only what it has to know. */
export class Inbound {
  /** Whether the answer to the request of this exchange was among them. */
  answered = false;
  /** Whether the server named a point from which the stream can be resumed. */
  resumable = false;
  readonly #id: RequestId | undefined;
  readonly #options: InboundOptions;

  constructor(id: RequestId | undefined, options: InboundOptions) {
    this.#id = id;
    this.#options = options;
  }

  /** A response of one JSON text. */
  json(body: ReadableStream<Uint8Array> | null): ReadableStream<Uint8Array> {
    const { label, maxMessageBytes } = this.#options;
    return lazyBody(
      async (enqueue) => {
        try {
          this.#receive(await readAll(body, maxMessageBytes));
          this.#fail(new MCPTransportError("invalid_result", `${label}: answered without answer`));
        } catch (error) {
          this.#fail(this.#failure(error));
        }
        enqueue(Buffer.from("[]"));
        return "end";
      },
      () => discard(body),
    );
  }

  /**
   * A response of events.
   * @param pass what becomes of an event that the SDK may have to see
   * @param onEnd called once; without a reason the stream was only finished
   */
  stream(
    body: ReadableStream<Uint8Array>,
    pass: (event: ServerEvent, answer: JsonAnswer | undefined) => ServerEvent | undefined,
    onEnd: (reason?: MCPTransportError) => void,
  ): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    let seen: Uint8Array[] = [];
    const events = new EventReader(this.#options.maxMessageBytes, (event) => {
      const answer =
        event.type === "message" && event.data !== "" ? this.#receive(event.data) : undefined;
      if (event.id !== undefined) this.resumable = true;
      const shown = pass(event, answer);
      if (shown) seen.push(writeEvent(shown));
    });
    const finish = (reason?: MCPTransportError): "end" => {
      discard(reader);
      onEnd(reason);
      return "end";
    };
    return lazyBody(
      async (enqueue) => {
        try {
          const { done, value } = await reader.read();
          if (done) return finish();
          events.push(value);
        } catch (error) {
          return finish(this.#failure(error));
        }
        for (const bytes of seen) enqueue(bytes);
        seen = [];
        return this.answered ? finish() : "more";
      },
      () => discard(reader),
    );
  }

  #receive(text: string): JsonAnswer | undefined {
    const { events, label } = this.#options;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      events.diagnostic(new Error(`${label}: sent a message that is no JSON`));
      return undefined;
    }
    const parts: unknown[] = Array.isArray(message) ? message : [message];
    return parts.map((part) => this.#deliver(part)).find((answer) => answer !== undefined);
  }

  #deliver(message: unknown): JsonAnswer | undefined {
    if (!isObject(message) || message["method"] !== undefined) {
      this.#options.events.message(message);
      return undefined;
    }
    // An error that names no request is about the one that this is the response to.
    const id = message["id"] ?? this.#id;
    if (this.#id !== undefined && String(id) === String(this.#id)) this.answered = true;
    this.#options.events.message({ ...message, id });
    return { jsonrpc: "2.0", id, result: {} };
  }

  #fail(error: MCPTransportError): void {
    if (!this.answered && this.#id !== undefined) this.#options.events.lost(this.#id, error);
  }

  #failure(error: unknown): MCPTransportError {
    const { label, maxMessageBytes, redact } = this.#options;
    if (!(error instanceof RangeError)) return networkFailure(label, error, redact);
    const limit = `maxMessageBytes (${maxMessageBytes})`;
    return new MCPTransportError("limit", `${label}: sent a message over ${limit}`);
  }
}

/** What the SDK gets to see of an answer. */
export interface JsonAnswer {
  readonly jsonrpc: "2.0";
  readonly id: unknown;
  readonly result: Record<string, never>;
}
