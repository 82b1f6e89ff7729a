import { fail, stdio, text, tool } from "./_lib.mjs";

stdio({
  "tools/list": (p) => {
    if (!p?.cursor) return { tools: [tool("first")], nextCursor: "p2" };
    throw fail(-32603, "catalogue offline");
  },
  call: (n) => text(n),
});
