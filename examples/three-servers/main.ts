import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { connectServers, readServers } from "@x/mcp-adapter";
import { modelTools, ToolRegistry } from "@x/tool-registry";
import { env } from "./environment.ts";

const file = readFileSync(new URL("mcp.json", import.meta.url), "utf8");
const registry = new ToolRegistry();
const hub = await connectServers(readServers(file, { env }), { registry, required: ["files"] });
try {
  assert.deepEqual(hub.failed, []);
  assert.deepEqual([...hub.adapters.keys()], ["demo", "files", "memory"]);
  for (const { namespace, tools, bytes } of registry.cost().namespaces)
    console.log(`${namespace.padEnd(7)} ${tools} tools, ${bytes} bytes in every request`);
  const reads = modelTools(registry, { filter: { effect: "read" }, maxTools: 40 });
  const found = await reads.call("files__list_directory", `{"path":"${env.FOLDER}"}`);
  assert(found.success);
} finally {
  await hub.close();
}
