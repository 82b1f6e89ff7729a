import assert from "node:assert/strict";
import { createMCPClient } from "@ai-sdk/mcp";
import { expireTokens, issueToken, tokensIssued, url } from "../remote.ts";

let token = issueToken();
const client = await createMCPClient({
  transport: {
    type: "http",
    url,
    fetch: async (input, init) => {
      const used = token;
      const headers = new Headers(init?.headers);
      headers.set("authorization", `Bearer ${await used}`);
      const response = await fetch(input, { ...init, headers });
      if (response.status !== 401) return response;
      if (token === used) token = issueToken();
      headers.set("authorization", `Bearer ${await token}`);
      return fetch(input, { ...init, headers });
    },
  },
});
const tools = await client.tools();
expireTokens();
const options = { toolCallId: "1", messages: [] };
const calls = ["one", "two", "three"].map((text) => tools["echo"]?.execute?.({ text }, options));
for (const result of await Promise.all(calls)) assert(result && "content" in result);
assert.equal(tokensIssued(), 2);
await client.close();
