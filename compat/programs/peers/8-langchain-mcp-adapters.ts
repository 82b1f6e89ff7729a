import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { files, folder } from "../servers.ts";

const [yes, no] = [join(folder, "yes.txt"), join(folder, "no.txt")];
const reads = new Set<string>();
const client = new MultiServerMCPClient({
  mcpServers: { files },
  beforeToolCall: ({ name, args }) => {
    if (reads.has(name)) return;
    const { path } = Object(args);
    console.log(`may ${name} write ${path}?`);
    if (path !== yes) throw new Error("denied: the user says no");
  },
});
try {
  const tools = await client.getTools();
  for (const { name, metadata } of tools) {
    if (Object(metadata?.["annotations"]).readOnlyHint === true) reads.add(name);
  }
  const write = tools.find(({ name }) => name === "write_file");
  const denied = write?.invoke({ path: no, content: "" });
  await assert.rejects(Promise.resolve(denied), /denied/);
  await write?.invoke({ path: yes, content: "" });
  await tools.find(({ name }) => name === "list_directory")?.invoke({ path: folder });
  assert(existsSync(yes) && !existsSync(no));
} finally {
  await client.close();
}
