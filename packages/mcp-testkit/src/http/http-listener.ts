import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { resetSocket } from "./reset-socket.ts";

export type RequestListener = (
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
) => void;

/** A loopback port that can be closed and opened again, with all of its sockets. */
export class HttpListener {
  readonly #listener: RequestListener;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #closed: Promise<unknown> = Promise.resolve();
  #life = new AbortController();
  #port: number;

  /** @param port 0 takes a free one, and keeps to it */
  constructor(port: number, listener: RequestListener) {
    this.#port = port;
    this.#listener = listener;
  }

  get port(): number {
    return this.#port;
  }

  get sockets(): number {
    return this.#sockets.size;
  }

  get isUp(): boolean {
    return this.#server !== undefined;
  }

  async up(): Promise<void> {
    await this.#closed;
    this.#life = new AbortController();
    const { signal } = this.#life;
    const server = createServer((request, response) => this.#listener(request, response, signal));
    this.#server = server;
    server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
    server.listen(this.#port, "127.0.0.1");
    try {
      await once(server, "listening");
    } catch (error) {
      this.#server = undefined;
      throw error;
    }
    this.#port = portOf(server.address()) ?? this.#port;
  }

  /** Refuses new connections and ends those that are open; resolves when all are gone. */
  async down(reset: boolean): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    this.#life.abort();
    const cut = [...this.#sockets].map((socket) => once(socket, "close"));
    this.cut(reset);
    if (server !== undefined) {
      this.#closed = once(server, "close");
      server.close();
    }
    await Promise.all([this.#closed, ...cut]);
  }

  /** Ends the connections that are open; new ones are accepted. */
  cut(reset: boolean): void {
    for (const socket of this.#sockets) {
      if (reset) resetSocket(socket);
      else socket.destroy();
    }
  }
}

function portOf(address: AddressInfo | string | null): number | undefined {
  return typeof address === "object" && address !== null ? address.port : undefined;
}
