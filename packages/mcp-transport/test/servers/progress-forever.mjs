import { NONE, stdio, text, tool } from "./_lib.mjs";

stdio({
  tools: [tool("spin"), tool("quick")],
  call: (n, _a, m, io) => {
    if (n === "quick") return text("quick");
    let i = 0;
    const token = m.params?._meta?.progressToken ?? m.id;
    const h = setInterval(() => {
      if (i > 400) return clearInterval(h);
      io.send({
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: token, progress: ++i },
      });
    }, 50);
    return NONE;
  },
});
