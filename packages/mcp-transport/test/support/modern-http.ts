import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { createMcpHandler, type McpHttpHandler } from "@modelcontextprotocol/server";
import { afterAll } from "vitest";
import { modernServer } from "./modern-tools.mjs";

export interface ModernHttpServer {
  readonly url: string;
  readonly handler: McpHttpHandler;
  readonly seen: { calls: string[]; aborted: number; states: unknown[] };
  /** Method, headers and JSON-RPC method of each request. */
  readonly requests: {
    readonly method: string;
    readonly headers: IncomingMessage["headers"];
    readonly rpc: string | undefined;
  }[];
  /** Breaks every connection, and serves on. */
  cut(): void;
  stop(): Promise<void>;
}

const running = new Set<ModernHttpServer>();

afterAll(() => Promise.all([...running].map((server) => server.stop())));

/** A server of @modelcontextprotocol/server on loopback, gone when the tests of the file are over. */
export async function serveModern(
  legacy: "stateless" | "reject" = "reject",
): Promise<ModernHttpServer> {
  const { factory, seen } = modernServer();
  const handler = createMcpHandler(factory, { legacy });
  const requests: ModernHttpServer["requests"] = [];
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { method = "GET", headers } = incoming;
    const rpc: unknown = body.length > 0 ? JSON.parse(body.toString()).method : undefined;
    requests.push({ method, headers, rpc: typeof rpc === "string" ? rpc : undefined });
    const gone = new AbortController();
    outgoing.on("close", () => gone.abort());
    const response = await handler.fetch(
      new Request(`http://127.0.0.1${incoming.url}`, {
        method,
        headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
        ...(body.length > 0 && { body }),
        signal: gone.signal,
      }),
    );
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.flushHeaders();
    if (response.body === null) outgoing.end();
    else
      Readable.fromWeb(response.body as never)
        .on("error", () => {})
        .pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const modern: ModernHttpServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    handler,
    seen,
    requests,
    cut: () => server.closeAllConnections(),
    stop: async () => {
      running.delete(modern);
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  running.add(modern);
  return modern;
}
