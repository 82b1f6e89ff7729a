import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterAll } from "vitest";
import type { Message } from "./scripted-wire.ts";
import { handshake } from "./scripted-wire.ts";

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly message: Message | undefined;
}

export interface LocalServer {
  readonly url: string;
  readonly seen: Seen[];
  /** Requests with this JSON-RPC method. */
  of(method: string): Seen[];
  /** Breaks all connections and stops listening. */
  stop(): Promise<void>;
}

type Handler = (request: Seen, response: ServerResponse) => unknown;

const running = new Set<LocalServer>();

afterAll(() => Promise.all([...running].map((server) => server.stop())));

/** A server on loopback, gone when the tests of the file are over. */
export async function serve(handler: Handler, port = 0): Promise<LocalServer> {
  const seen: Seen[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const entry: Seen = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        message: body.startsWith("{") ? JSON.parse(body) : undefined,
      };
      seen.push(entry);
      handler(entry, response);
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const local: LocalServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen,
    of: (method) => seen.filter(({ message }) => message?.method === method),
    stop: async () => {
      running.delete(local);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  running.add(local);
  return local;
}

export function json(response: ServerResponse, body: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

export interface Replies {
  readonly session?: string;
  /** Instead of the answer to this request. */
  readonly call?: (message: Message, request: Seen, response: ServerResponse) => unknown;
  readonly get?: Handler;
  readonly delete?: Handler;
  /** Before anything else; true if it has answered. */
  readonly first?: (request: Seen, response: ServerResponse) => boolean;
}

/** A streamable HTTP server that does as it should wherever `replies` says nothing. */
export function mcp(replies: Replies = {}, port = 0): Promise<LocalServer> {
  const { first = () => false, get = refuse, delete: end = refuse } = replies;
  return serve((request, response) => {
    if (first(request, response)) return;
    if (request.method === "GET") get(request, response);
    else if (request.method === "DELETE") end(request, response);
    else post(replies, request, response);
  }, port);
}

function post(replies: Replies, request: Seen, response: ServerResponse): void {
  const { message } = request;
  if (message?.id === undefined) {
    response.writeHead(202).end();
  } else if (message.method === "initialize") {
    const headers = replies.session ? { "mcp-session-id": replies.session } : {};
    json(response, { jsonrpc: "2.0", id: message.id, result: handshake }, 200, headers);
  } else if (replies.call) {
    replies.call(message, request, response);
  } else {
    json(response, { jsonrpc: "2.0", id: message.id, result: { ok: true } });
  }
}

export function events(response: ServerResponse, text = ""): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  if (text !== "") response.write(text);
}

function refuse(_request: Seen, response: ServerResponse): void {
  response.writeHead(405).end();
}

export interface SseServer extends LocalServer {
  /** Writes to the open stream. */
  say(text: string): void;
  /** Ends the open stream. */
  cut(): void;
}

export interface SseOptions {
  /** Null for a stream that never names one. */
  readonly endpoint?: string | null;
  readonly first?: NonNullable<Replies["first"]>;
  readonly answers?: (message: Message) => boolean;
}

/** A server of the old HTTP+SSE transport. */
export async function sse(options: SseOptions = {}): Promise<SseServer> {
  const { endpoint = "/messages?sid=1", first = () => false, answers = () => true } = options;
  const retry = "retry: 100\n";
  const greeting =
    endpoint === null ? `: hi\n${retry}\n` : `event: endpoint\n${retry}data: ${endpoint}\n\n`;
  let stream: ServerResponse | undefined;
  const say = (text: string): void => void stream?.write(text);
  const reply = ({ id, method }: Message): void => {
    const result = method === "initialize" ? handshake : { ok: true };
    say(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
  };
  const server = await serve((request, response) => {
    const { message } = request;
    if (first(request, response)) return;
    if (request.method === "GET") {
      stream = response;
      events(response, greeting);
    } else if (request.path !== endpoint || message === undefined) {
      response.writeHead(405).end();
    } else {
      response.writeHead(202).end("Accepted");
      if (message.id !== undefined && answers(message)) reply(message);
    }
  });
  return Object.assign(server, { say, cut: () => void stream?.end() });
}
