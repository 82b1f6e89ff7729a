import { httpServer, text, tool } from "./_lib.mjs";

httpServer(
  { tools: [tool("a")], call: () => text("fine") },
  {
    post: (_q, r, m, next) =>
      m && m.id === undefined
        ? void r.writeHead(200, { "content-type": "application/json" }).end("null")
        : next(),
  },
);
