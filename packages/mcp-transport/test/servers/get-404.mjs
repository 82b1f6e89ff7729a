import { httpServer, text, tool } from "./_lib.mjs";

httpServer(
  { tools: [tool("a")], call: () => text("post works") },
  {
    get: (_q, r) =>
      r.writeHead(404, { "content-type": "text/html" }).end("<h1>Cannot GET /mcp</h1>"),
  },
);
