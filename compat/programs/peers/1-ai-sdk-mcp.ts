import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio";
import { everything } from "../servers.ts";

const client = await createMCPClient({ transport: new Experimental_StdioMCPTransport(everything) });
try {
  const tools = await client.tools();
  const options = { toolCallId: "1", messages: [] };
  const sum = await tools["get-sum"]?.execute?.({ a: 19, b: 23 }, options);
  console.log(sum && "content" in sum ? sum.content : sum);

  const wrong = await tools["get-sum"]?.execute?.({ a: "19" }, options);
  console.log(wrong && "content" in wrong ? wrong.content : wrong);
} finally {
  await client.close();
}
