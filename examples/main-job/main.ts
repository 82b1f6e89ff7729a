import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MCPNotConnectedError, MCPToolAdapter, type MCPToolResult } from "@x/mcp-adapter";
import { modelTools, resultText, ToolRegistry } from "@x/tool-registry";
import { readOverrides } from "@x/tool-registry/yaml";
import { cut, heading, line, shown, table } from "./print.ts";
import { startServers } from "./servers.ts";

const servers = await startServers();
const adapters: MCPToolAdapter[] = [];
const pids = new Map<string, number>();

try {
  for (const { address, port } of servers.listeners) assert.equal(address, "127.0.0.1", `${port}`);

  heading("Five connections to three servers");
  for (const config of servers.configs) {
    const adapter = new MCPToolAdapter(config, {
      recovery: "manual",
      onEvent: (event) => {
        if (event.type === "connect.end" && event.pid) pids.set(event.server, event.pid);
      },
    });
    adapters.push(adapter);
    const startedAt = performance.now();
    await adapter.connect({ timeoutMs: 20_000 });
    const connectedMs = performance.now() - startedAt;
    const tools = await adapter.discoverTools();
    assert(tools.length > 0 && adapter.server);
    const { name, version, protocolVersion } = adapter.server;
    const transport = "transport" in config ? config.transport : "stdio";
    heading(
      `${config.name}: ${name} ${version} over ${transport}, protocol ${protocolVersion}, connected in ${connectedMs.toFixed(0)} ms, ${tools.length} tools`,
    );
    const [first] = adapters;
    if (adapter !== first && sameTools(first, adapter)) line("the same tools as over stdio");
    else showTools(adapter);
  }
  const [everything, overSse, overHttp, files, memory] = adapters;
  assert(everything && overSse && overHttp && files && memory);
  assert(sameTools(everything, overSse) && sameTools(everything, overHttp));

  heading("Calls");
  const hello = await files.invoke("read_text_file", { path: join(servers.folder, "hello.txt") });
  assert(hello.success && resultText(hello).includes("Hello from a real file."));
  shown("text: files/read_text_file", resultText(hello));

  const weather = await overHttp.invoke("get-structured-content", { location: "Chicago" });
  assert(weather.success && weather.structuredContent);
  shown("structured: everything/get-structured-content", JSON.stringify(weather.structuredContent));

  const image = await overSse.invoke("get-tiny-image");
  const picture = image.content.find((block) => block.type === "image");
  assert(image.success && picture);
  shown("image: everything/get-tiny-image", resultText(image));

  refused(
    "wrong arguments, never sent",
    await everything.invoke("get-sum", { a: "2" }),
    "validation",
  );
  refused("unknown tool", await everything.invoke("get-product"), "not_found");
  refused(
    "the server's own error",
    await files.invoke("read_text_file", { path: "/no/such/file" }),
    "server_error",
  );
  refused(
    "a deadline of 300 ms",
    await overHttp.invoke(
      "trigger-long-running-operation",
      { duration: 20, steps: 2 },
      { timeoutMs: 300 },
    ),
    "timeout",
  );

  heading("Registered as {namespace}/{tool}");
  const registry = new ToolRegistry();
  for (const adapter of [everything, files, memory]) {
    const { added, quarantined } = await adapter.registerTools(registry, adapter.name);
    assert.equal(quarantined.length, 0);
    shown(`${added.length} tools in ${adapter.name}/`, added.join(", "));
  }
  const entities = [{ name: "Ada", entityType: "person", observations: ["wrote a program"] }];
  const created = await registry.invoke("memory/create_entities", { entities });
  assert(created.success);
  shown("registry.invoke memory/create_entities", resultText(created));

  heading("Overrides from overrides.yaml");
  const before = registry.get("memory/open_nodes")?.capability;
  const path = new URL("overrides.yaml", import.meta.url);
  const applied = registry.applyOverrides(
    readOverrides({ path: "overrides.yaml", text: readFileSync(path, "utf8") }),
    { origin: "overrides.yaml" },
  );
  assert.deepEqual(applied.unmatched, []);
  const after = registry.get("memory/open_nodes")?.capability;
  assert.equal(after?.readOnly, true);
  shown(
    "memory/open_nodes",
    `${before?.effect} → ${after.effect}: ${after.because.at(-1)?.detail}`,
  );
  const described = registry.get("everything/toggle-simulated-logging");
  assert.match(described?.description ?? "", /made-up/);
  shown("everything/toggle-simulated-logging", described?.description ?? "");

  heading("The server process is killed, and the adapter reconnects");
  const killed = pids.get("files");
  assert(killed);
  process.kill(killed, "SIGKILL");
  while (files.state === "ready") await new Promise((resolve) => setTimeout(resolve, 10));
  shown("after the kill", `state ${files.state}`);
  await assert.rejects(files.invoke("list_allowed_directories"), MCPNotConnectedError);
  const unavailable = await registry.invoke("files/list_allowed_directories", {});
  assert(!unavailable.success && unavailable.errorCode === "unavailable");
  shown("a registered tool meanwhile", unavailable.error);
  await files.reconnect({ timeoutMs: 20_000 });
  assert.notEqual(pids.get("files"), killed);
  const again = await registry.invoke("files/list_allowed_directories", {});
  assert(again.success);
  shown(`after reconnect, process ${pids.get("files")}`, resultText(again));

  heading("What a model is offered");
  const offered = modelTools(registry);
  assert.equal(offered.tools.length, registry.size);
  const call = await offered.call("memory__search_nodes", '{"query":"Ada"}');
  assert(call.success);
  shown("memory__search_nodes, arguments as JSON text", resultText(call));

  heading(`The final registry as JSON, ${registry.size} tools`);
  for (const { id, source, sourceMetadata, checkpointable, capability } of registry.toJSON()) {
    const { effect, destructive, idempotent } = capability;
    line(
      JSON.stringify({
        id,
        source,
        sourceMetadata,
        checkpointable,
        capability: { effect, destructive, idempotent },
      }),
    );
  }
} finally {
  await Promise.all(adapters.map((adapter) => adapter.disconnect()));
  await servers.stop();
}
heading("Everything above was asserted, and nothing is left running.");
for (const pid of pids.values()) assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });

function sameTools(one: MCPToolAdapter | undefined, other: MCPToolAdapter): boolean {
  const names = (adapter: MCPToolAdapter) => adapter.tools.map(({ name }) => name).sort();
  return one !== undefined && names(one).join() === names(other).join();
}

function showTools(adapter: MCPToolAdapter): void {
  const rows = adapter.tools.map(({ name }) => {
    const { effect, because } = adapter.inferCapabilities(name);
    const reasons = because.filter(({ from }) => from === "name");
    return [
      name,
      effect,
      cut((reasons.length > 0 ? reasons : because).map(({ detail }) => detail).join("; "), 80),
    ];
  });
  table(["tool", "may", "because"], rows);
}

function refused(what: string, result: MCPToolResult, errorCode: string): void {
  assert(!result.success);
  assert.equal(result.errorCode, errorCode);
  shown(what, `${result.errorCode}, ran: ${result.ran}. ${result.error}`);
}
