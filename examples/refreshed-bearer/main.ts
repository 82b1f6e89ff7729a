import assert from "node:assert/strict";
import { MCPToolAdapter } from "@x/mcp-adapter";
import { startProtected } from "./server.ts";

const server = await startProtected();
let token = await server.issueToken();
const adapter = await new MCPToolAdapter({
  name: "remote",
  url: server.url,
  headers: async ({ reason }) => {
    if (reason === "unauthorized") token = await server.issueToken();
    return { Authorization: `Bearer ${token}` };
  },
}).connect();
server.expireTokens();
const calls = ["one", "two", "three"].map((text) => adapter.invoke("echo", { text }));
for (const { success } of await Promise.all(calls)) assert(success);
assert.equal(server.issued(), 2, "one new token for all three");
await adapter.disconnect().finally(server.stop);
