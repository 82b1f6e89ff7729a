import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { env } from "../servers.ts";

const file = readFileSync(new URL("../mcp.json", import.meta.url), "utf8");
const known = new Map(Object.entries(env));
const text = file.replace(/\$\{(\w+)(?::-[^}]*)?\}/g, (_, name) => {
  const value = known.get(name);
  if (value === undefined) throw new Error(`${name} is not set`);
  return JSON.stringify(value).slice(1, -1);
});
const client = new MultiServerMCPClient({
  prefixToolNameWithServerName: true,
  onConnectionError: ({ serverName }) => {
    if (serverName === "files") throw new Error("files is required");
  },
  mcpServers: Object.fromEntries(
    Object.entries<{ command: string; args: string[]; disabled?: boolean }>(
      JSON.parse(text).mcpServers,
    ).filter(([, { disabled }]) => disabled !== true),
  ),
});
try {
  const byServer = await client.initializeConnections();
  for (const [name, tools] of Object.entries(byServer)) {
    const shown = tools.map(({ name, description, schema }) => ({ name, description, schema }));
    console.log(`${name.padEnd(7)} ${tools.length} tools, ${JSON.stringify(shown).length} bytes`);
  }
  const reads = Object.values(byServer)
    .flat()
    .filter(({ metadata }) => Object(metadata?.["annotations"]).readOnlyHint === true);
  const list = reads.find(({ name }) => name === "files__list_directory");
  assert.notEqual(await list?.invoke({ path: env.FOLDER }), undefined);
} finally {
  await client.close();
}
