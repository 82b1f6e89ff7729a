import type { ServerResponse } from "node:http";
import { encode, flood, writePieces } from "../frames.ts";
import { type Framing, plain } from "../protocol/reply.ts";
import type { Listener } from "../protocol/session.ts";
import type { EventLog } from "./event-log.ts";
import { resetSocket } from "./reset-socket.ts";

type Headers = Readonly<Record<string, string>>;

interface StreamOptions {
  /** What is known only when the response begins. */
  readonly headers?: () => Headers;
  /** Gives every event an id, and keeps it for a client that resumes. */
  readonly log?: EventLog | undefined;
}

/** How soon a client that was dropped is asked to come back, in ms. */
const retryMs = 50;

/** The response to one request as a stream of server-sent events, opened by the first of them. */
export class EventStream {
  #response: ServerResponse;
  /** The response was cut; nothing is written until the client comes back. */
  #dropped = false;
  readonly #headers: () => Headers;
  /** Name of the stream in the log. */
  readonly #name: string | undefined;
  readonly #events: Buffer[] = [];
  #ended = false;

  constructor(response: ServerResponse, { headers = () => ({}), log }: StreamOptions = {}) {
    this.#response = response;
    this.#headers = headers;
    this.#name = log?.add(this);
  }

  /** With a log, the first event is empty: it gives the client an id to resume by. */
  open(): void {
    if (this.#response.headersSent) return;
    this.#begin(this.#headers());
    if (this.#name === undefined) return;
    const first = Buffer.from(`id: ${this.#name}-0\nretry: ${retryMs}\ndata: \n\n`);
    this.#events.push(first);
    this.#response.write(first);
  }

  /** Writes one event for each message. @returns false if the client has gone */
  async send(messages: readonly unknown[], framing: Framing): Promise<boolean> {
    this.open();
    if (this.#name === undefined) return this.#write(encode("event", messages, framing), framing);
    let taken = true;
    for (const message of messages) {
      const bytes = encode("event", [message], framing, `${this.#name}-${this.#events.length}`);
      if (!framing.half) this.#events.push(bytes);
      taken = (await this.#write(bytes, framing)) && taken;
    }
    return taken;
  }

  flood(signal: AbortSignal): Promise<void> {
    this.open();
    return flood("data: ", (piece) => writeTo(this.#response, piece), signal);
  }

  /** There is no more to come. */
  end(): void {
    this.open();
    this.#ended = true;
    if (!this.#dropped) this.#response.end();
  }

  /** Cuts the connection; what is sent later waits for a client that resumes, if there is a log. */
  drop(reset: boolean): void {
    this.open();
    this.#dropped = true;
    const { socket } = this.#response;
    if (reset) setTimeout(() => resetSocket(socket), resetAfterMs);
    else this.#response.end();
  }

  reset(): void {
    resetSocket(this.#response.socket);
  }

  /** Goes on in another response, from the event of that number. */
  resume(response: ServerResponse, next: number): void {
    this.#response.end();
    this.#response = response;
    this.#dropped = false;
    this.#begin({});
    for (const event of this.#events.slice(next)) response.write(event);
    if (this.#ended) response.end();
  }

  onClose(listener: () => void): void {
    this.#response.once("close", listener);
  }

  #begin(headers: Headers): void {
    this.#response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      ...headers,
    });
    this.#response.flushHeaders();
  }

  #write(bytes: Buffer, framing: Framing): Promise<boolean> {
    if (this.#dropped) return Promise.resolve(false);
    return writePieces(bytes, framing, (piece) => writeTo(this.#response, piece));
  }
}

/** Time for the client to read what has been written before a reset, which may discard it. */
export const resetAfterMs = 10;

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
