import { httpServer, json, text, tool } from "./_lib.mjs";

let n = 0;
const live = new Set();
let calls = 0;
const h = {
  tools: [tool("count"), tool("expire")],
  call: (name) => {
    if (name === "expire") {
      live.clear();
      return text("expired");
    }
    return text(`count ${++calls}`);
  },
};
httpServer(h, {
  post: (req, res, m, next) => {
    const sid = req.headers["mcp-session-id"];
    if (m?.method === "initialize") {
      const s = `s${++n}`;
      live.add(s);
      return next({ "mcp-session-id": s });
    }
    if (!sid || !live.has(sid))
      return json(res, sid ? 404 : 400, {
        jsonrpc: "2.0",
        id: null,
        error: { code: -32001, message: "Session not found" },
      });
    return next();
  },
});
