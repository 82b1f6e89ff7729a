import assert from "node:assert/strict";
import { MCPToolAdapter } from "@x/mcp-adapter";
import { everything } from "@x/test-servers";
import { resultText, ToolRegistry } from "@x/tool-registry";

const adapter = new MCPToolAdapter({ name: "demo", ...everything() }, { recovery: "manual" });
try {
  await adapter.connect();

  const registry = new ToolRegistry();
  const { added } = await adapter.registerTools(registry, "demo");
  console.log(`${added.length} tools registered, among them ${added.slice(0, 3).join(", ")}`);

  const sum = await registry.invoke("demo/get-sum", { a: 19, b: 23 });
  assert(sum.success);
  console.log(`demo/get-sum says: ${resultText(sum)}`);
  assert.match(resultText(sum), /42/);

  const wrong = await registry.invoke("demo/get-sum", { a: "19" });
  assert(!wrong.success && wrong.ran === "no");
  console.log(`and of wrong arguments: ${wrong.error}`);
} finally {
  await adapter.disconnect();
}
