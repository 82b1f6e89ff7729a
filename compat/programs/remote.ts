import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

let valid = "none yet";
let issued = 0;

/** Gives out a token, which takes the place of the one before. */
export async function issueToken(): Promise<string> {
  issued += 1;
  valid = randomUUID();
  return valid;
}

export const tokensIssued = (): number => issued;

export function expireTokens(): void {
  valid = "none any more";
}

const http = createServer(async (request, response) => {
  const known = request.headers.authorization === `Bearer ${valid}`;
  if (!known || request.method !== "POST") {
    response.writeHead(known ? 405 : 401).end();
    return;
  }
  const server = new McpServer({ name: "remote", version: "1.0.0" });
  server.registerTool("echo", { inputSchema: { text: z.string() } }, ({ text }) => ({
    content: [{ type: "text", text }],
  }));
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  await transport.handleRequest(request, response);
});
http.listen(0, "127.0.0.1").unref();
await once(http, "listening");
const address = http.address();

/** An MCP server in this process that lets in only who brings the token given out last. */
export const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/mcp`;
