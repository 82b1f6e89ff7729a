import type { ServerResponse } from "node:http";
import { encode, flood, writePieces } from "../frames.ts";
import { type Framing, plain } from "../protocol/reply.ts";
import type { Listener } from "../protocol/session.ts";
import { resetSocket } from "./reset-socket.ts";

/** The response to one request as a stream of server-sent events, opened by the first of them. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #headers: () => Readonly<Record<string, string>>;

  constructor(
    response: ServerResponse,
    headers: () => Readonly<Record<string, string>> = () => ({}),
  ) {
    this.#response = response;
    this.#headers = headers;
  }

  get isOpen(): boolean {
    return this.#response.headersSent && !this.#response.writableEnded && !this.#response.destroyed;
  }

  open(): void {
    if (this.#response.headersSent) return;
    this.#response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      ...this.#headers(),
    });
    this.#response.flushHeaders();
  }

  /** Writes one event for each message. @returns false if the client has gone */
  send(messages: readonly unknown[], framing: Framing): Promise<boolean> {
    this.open();
    const bytes = encode("event", messages, framing);
    return writePieces(bytes, framing, (piece) => writeTo(this.#response, piece));
  }

  flood(signal: AbortSignal): Promise<void> {
    this.open();
    return flood("data: ", (piece) => writeTo(this.#response, piece), signal);
  }

  end(): void {
    this.open();
    this.#response.end();
  }

  reset(): void {
    resetSocket(this.#response.socket);
  }

  onClose(listener: () => void): void {
    this.#response.once("close", listener);
  }
}

/** Messages that answer no request, as events of a stream. */
export function listenOn(stream: EventStream): Listener {
  return {
    send: (message) => void stream.send([message], plain),
    cut: (reset) => (reset ? stream.reset() : stream.end()),
  };
}

/** @returns false if nobody takes it any more */
export function writeTo(response: ServerResponse, piece: Buffer): Promise<boolean> {
  if (response.destroyed || response.writableEnded) return Promise.resolve(false);
  return new Promise((resolve) => {
    const onClose = (): void => resolve(false);
    response.once("close", onClose);
    response.write(piece, (error) => {
      response.off("close", onClose);
      resolve(!error);
    });
  });
}
