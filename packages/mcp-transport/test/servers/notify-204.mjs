import { answer, httpServer, json, text, tool } from "./_lib.mjs";

const h = { tools: [tool("a")], call: () => text("fine") };
httpServer(h, {
  post: async (_q, r, m) => {
    if (m?.id === undefined) return void r.writeHead(204).end();
    json(r, 200, await answer(m, h), { "content-type": "application/json; charset=utf-8" });
  },
});
