import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { everything } from "../servers.ts";

const client = new MultiServerMCPClient({ mcpServers: { demo: everything } });
try {
  const tools = await client.getTools();
  const getSum = tools.find(({ name }) => name === "get-sum");
  console.log(await getSum?.invoke({ a: 19, b: 23 }));

  console.log(await getSum?.invoke({ a: "19" }).catch(({ message }) => message));
} finally {
  await client.close();
}
