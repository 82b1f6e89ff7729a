import assert from "node:assert/strict";
import { MCPServerStreamableHttp } from "@openai/agents";
import { expireTokens, issueToken, tokensIssued, url } from "../remote.ts";

let token = issueToken();
const server = new MCPServerStreamableHttp({
  url,
  fetch: async (input: string | URL | Request, init?: RequestInit) => {
    const used = token;
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${await used}`);
    const response = await fetch(input, { ...init, headers });
    if (response.status !== 401) return response;
    if (token === used) token = issueToken();
    headers.set("authorization", `Bearer ${await token}`);
    return fetch(input, { ...init, headers });
  },
});
await server.connect();
expireTokens();
const calls = ["one", "two", "three"].map((text) => server.callTool("echo", { text }));
for (const [content] of await Promise.all(calls)) assert(content);
assert.equal(tokensIssued(), 2);
await server.close();
