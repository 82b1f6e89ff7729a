import assert from "node:assert/strict";
import { createEquipMCP } from "@x/adapter-mcp";
import { MCPToolAdapter } from "@x/mcp-adapter";
import { stdioTestServer } from "@x/mcp-testkit";
import { createAgent } from "./agent.ts";

const server = stdioTestServer({ faults: [{ fault: "exit", tool: "effect", when: "after" }] });
const { command, args } = server;
const adapter = await new MCPToolAdapter({ name: "shop", command, args }).connect();
const agent = createAgent();
const kit = await createEquipMCP(agent.host)(adapter.client, { clientId: "shop" });
kit.inject();

const order = await agent.call("effect", { id: "order-1" }); // the process dies with the work done
assert.match(order, /outcome unknown/);
assert.equal(server.effects.get("order-1"), 1); // and it is not done again
assert.match(await agent.call("echo", { text: "still here" }), /still here/); // a new process
assert.match(await agent.call("effect", { id: 7 }), /`id` must be a string/); // never sent
console.log(order);
await adapter.disconnect().finally(() => server.stop());
