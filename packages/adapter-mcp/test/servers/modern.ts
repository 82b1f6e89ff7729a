import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { createMcpHandler, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { onTestFinished } from "vitest";
import { z } from "zod";

export interface ModernServer {
  readonly url: string;
  /** Each POST: its JSON-RPC method and its headers. */
  readonly requests: {
    readonly method: string;
    readonly headers: IncomingMessage["headers"];
  }[];
  /** What became of each call of `wait`. */
  readonly waits: ("began" | "aborted")[];
}

/** A server that speaks MCP 2026-07-28 and nothing older, over HTTP; ends with the test. */
export async function serveModern(): Promise<ModernServer> {
  const requests: ModernServer["requests"] = [];
  const waits: ModernServer["waits"] = [];
  const handler = createMcpHandler(() => modernServer(waits), { legacy: "reject" });
  const http = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    requests.push({ method: JSON.parse(body).method, headers: incoming.headers });
    await answer(await handler.fetch(asRequest(incoming, outgoing, body)), outgoing);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    await handler.close();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  // A server that listens on a port has an address that is no string.
  const { port } = http.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, requests, waits };
}

function modernServer(waits: ModernServer["waits"]): McpServer {
  const server = new McpServer({ name: "modern", version: "1.0.0" });
  const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });
  server.registerTool("echo", { inputSchema: z.object({ said: z.string() }) }, ({ said }) =>
    text(said),
  );
  const region = z.string().meta({ "x-mcp-header": "Region" });
  server.registerTool("sales", { inputSchema: z.object({ region }) }, (args) => text(args.region));
  server.registerTool("greet", { inputSchema: z.object({}) }, (_args, { mcpReq }) => {
    const given = mcpReq.inputResponses?.["who"];
    if (given !== undefined) return text(JSON.stringify(given));
    const requestedSchema = { type: "object", properties: { name: { type: "string" } } } as const;
    const who = inputRequired.elicit({ message: "Who?", requestedSchema });
    return inputRequired({ inputRequests: { who } });
  });
  server.registerTool("wait", { inputSchema: z.object({}) }, async (_args, { mcpReq }) => {
    waits.push("began");
    await new Promise<void>((resolve) => {
      mcpReq.signal.addEventListener("abort", () => resolve());
    });
    waits.push("aborted");
    return text("too late");
  });
  server.registerResource("note", "note://1", {}, () => ({
    contents: [{ uri: "note://1", text: "remember" }],
  }));
  server.registerPrompt("plain", {}, () => ({
    messages: [{ role: "user", content: { type: "text", text: "Say something." } }],
  }));
  return server;
}

function asRequest(incoming: IncomingMessage, outgoing: ServerResponse, body: string): Request {
  const gone = new AbortController();
  outgoing.on("close", () => gone.abort());
  const { method = "POST", headers, url = "/" } = incoming;
  return new Request(`http://127.0.0.1${url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]),
    body,
    signal: gone.signal,
  });
}

async function answer(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  if (response.body === null) return void outgoing.end();
  // The DOM's type of a stream and Node's are one class at run time.
  const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
  // A client that aborts breaks the stream.
  body.on("error", () => undefined).pipe(outgoing);
}
