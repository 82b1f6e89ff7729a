import { httpServer, text, tool } from "./_lib.mjs";

httpServer(
  { tools: [tool("cut"), tool("whole")], call: (n) => text(n) },
  {
    post: (_q, r, m, next) => {
      if (m?.method === "tools/call" && m.params?.name === "cut") {
        r.writeHead(200, { "content-type": "text/event-stream" });
        return void r.end(": bye\n\n");
      }
      return next();
    },
  },
);
