import { inputRequired, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

const texts = (text) => ({ content: [{ type: "text", text }] });

/** One factory for both transports; what it saw is kept across requests, which have a server each. */
export function modernServer() {
  const seen = { calls: [], naps: 0, aborted: 0, states: [] };
  const factory = () => {
    const server = new McpServer(
      { name: "modern", version: "3" },
      { capabilities: { tools: { listChanged: true }, logging: {} }, instructions: "be kind" },
    );
    server.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, ({ text }) => {
      seen.calls.push(text);
      return texts(text);
    });
    server.registerTool(
      "region",
      {
        inputSchema: z.object({
          region: z.string().meta({ "x-mcp-header": "Region" }),
          count: z.number().int().optional().meta({ "x-mcp-header": "Count" }),
        }),
      },
      ({ region, count }) => texts(`${region} ${count ?? "-"}`),
    );
    server.registerTool("ask", { inputSchema: z.object({}) }, (_args, context) => {
      const answer = context.mcpReq.inputResponses?.name;
      if (answer !== undefined) {
        seen.states.push(context.mcpReq.requestState());
        return texts(`answer ${JSON.stringify(answer)}`);
      }
      return inputRequired({
        inputRequests: {
          name: inputRequired.elicit({
            message: "Who?",
            requestedSchema: { type: "object", properties: { name: { type: "string" } } },
          }),
        },
        requestState: "opaque ≤ state",
      });
    });
    server.registerTool("roots", { inputSchema: z.object({}) }, (_args, context) => {
      const roots = context.mcpReq.inputResponses?.roots;
      if (roots !== undefined) return texts(JSON.stringify(roots));
      return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
    });
    server.registerTool("nap", { inputSchema: z.object({}) }, async (_args, context) => {
      seen.naps += 1;
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, 20_000);
        context.mcpReq.signal.addEventListener("abort", () => {
          seen.aborted += 1;
          clearTimeout(timer);
          resolve();
        });
      });
      return texts("awake");
    });
    server.registerTool("report", { inputSchema: z.object({}) }, () => texts(JSON.stringify(seen)));
    server.registerTool("grow", { inputSchema: z.object({}) }, () => {
      server.sendToolListChanged();
      return texts("grown");
    });
    return server;
  };
  return { factory, seen };
}
