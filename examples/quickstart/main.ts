import assert from "node:assert/strict";
import { MCPToolAdapter } from "@x/mcp-adapter";
import { everything } from "@x/test-servers";

const adapter = new MCPToolAdapter({ name: "demo", ...everything() });
try {
  await adapter.connect({ timeoutMs: 20_000 });

  const sum = await adapter.invoke("get-sum", { a: 19, b: 23 });
  assert(sum.success);
  console.log(sum.content[0]?.text);

  const wrong = await adapter.invoke("get-sum", { a: "19" });
  assert(!wrong.success && wrong.errorCode === "validation" && wrong.ran === "no");
  console.log(wrong.error);
} finally {
  await adapter.disconnect();
}
