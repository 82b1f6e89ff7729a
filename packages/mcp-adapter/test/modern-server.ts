import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A server of MCP 2026-07-28 over HTTP, written from the specification: it knows nothing older. */

type Json = Record<string, unknown>;

interface ModernRequest {
  readonly id: unknown;
  readonly method: string;
  readonly params: Json;
  readonly headers: IncomingMessage["headers"];
}

export interface ModernServer {
  readonly url: string;
  readonly requests: readonly ModernRequest[];
  methods(): string[];
  /** Says so to everybody who listens. */
  changed(): void;
  /** Streams on which the client listens. */
  readonly listeners: number;
  stop(): Promise<void>;
}

/** Answers with a result, an `RpcError`, or not at all: the connection is cut. */
export type Answer = (request: ModernRequest) => unknown;

export class RpcError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export const cut: unique symbol = Symbol("cut");

const capabilities = { tools: { listChanged: true }, resources: {} };

export async function modernServer(answers: Record<string, Answer>): Promise<ModernServer> {
  const requests: ModernRequest[] = [];
  const listening = new Map<ServerResponse, unknown>();

  const answer = (request: ModernRequest): unknown => {
    if (request.method === "server/discover") {
      return { supportedVersions: ["2026-07-28"], capabilities, ttlMs: 0, cacheScope: "private" };
    }
    if (request.method === "initialize") throw new RpcError(-32022, "Unsupported protocol version");
    const found = new Map(Object.entries(answers)).get(request.method);
    if (found === undefined) throw new RpcError(-32601, "Method not found");
    return found(request);
  };

  const server = createServer(async (incoming, outgoing) => {
    const request = await readRequest(incoming);
    requests.push(request);
    const { id, method } = request;
    if (method === "subscriptions/listen") {
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      listening.set(outgoing, id);
      outgoing.on("close", () => listening.delete(outgoing));
      const { notifications } = request.params;
      notify(outgoing, id, "notifications/subscriptions/acknowledged", { notifications });
      return;
    }
    const message = await messageOf(id, () => answer(request));
    if (message === undefined) {
      incoming.socket.destroy();
      return;
    }
    outgoing.writeHead(200, { "content-type": "application/json" });
    outgoing.end(JSON.stringify(message));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/mcp`,
    requests,
    methods: () => requests.map(({ method }) => method),
    changed() {
      for (const [outgoing, id] of listening) {
        notify(outgoing, id, "notifications/tools/list_changed", {});
      }
    },
    get listeners() {
      return listening.size;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readRequest(incoming: IncomingMessage): Promise<ModernRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { id, method, params = {} } = JSON.parse(Buffer.concat(chunks).toString());
  return { id, method, params, headers: incoming.headers };
}

async function messageOf(id: unknown, answer: () => unknown): Promise<Json | undefined> {
  try {
    const result = await answer();
    if (result === cut) return undefined;
    return { jsonrpc: "2.0", id, result: { resultType: "complete", ...Object(result) } };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { jsonrpc: "2.0", id, error: { code: error.code, message: error.message } };
  }
}

function notify(outgoing: ServerResponse, id: unknown, method: string, params: Json): void {
  const _meta = { "io.modelcontextprotocol/subscriptionId": id };
  const message = { jsonrpc: "2.0", method, params: { ...params, _meta } };
  outgoing.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}
