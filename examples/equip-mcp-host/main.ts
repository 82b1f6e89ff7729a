import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createEquipMCP } from "@x/adapter-mcp";
import { everything } from "@x/test-servers";
import { callTool, host, runTurn } from "./agent.ts";

const equipMCP = createEquipMCP(host);
const client = new Client({ name: "example", version: "1.0.0" });
const { command, args } = everything();
await client.connect(new StdioClientTransport({ command, args: [...args] }));

try {
  const memory = new Map<string, string>();
  await runTurn(memory, async () => {
    const called: string[] = [];
    const kit = await equipMCP(client, { clientId: "demo", namespace: "demo" });
    kit.inject({
      middleware: [
        {
          name: "log",
          handler: async ({ toolName }, next) => {
            called.push(toolName);
            return next();
          },
        },
      ],
    });
    console.log(`${kit.tools.length} tools, among them ${kit.tools[0]?.name}`);

    const sum = await callTool("demo_get-sum", { a: 19, b: 23 });
    console.log(`demo_get-sum says: ${sum}`);
    assert.match(String(sum), /42/);

    const wrong = String(await callTool("demo_get-sum", { a: "19", b: 23 }));
    console.log(`and of wrong arguments: ${wrong}`);
    assert.match(wrong, /`a` must be a number/);
    assert.deepEqual(called, ["demo_get-sum"], "the wrong call went no further");

    const image = await callTool("demo_get-tiny-image", {});
    assert.match(JSON.stringify(image), /"url":"data:image\/png;base64,/);
    console.log("an image comes as a part that a model can look at");

    assert.throws(() => kit.inject(), { code: "duplicate_name" });
  });

  await client.close();
  await runTurn(memory, async () => {
    const kit = await equipMCP(client, { clientId: "demo", namespace: "demo" });
    console.log(`the next turn remembers ${kit.tools.length} tools and asks nobody`);
    assert(kit.toolMap["demo_get-sum"]);
  });
} finally {
  await client.close();
}
