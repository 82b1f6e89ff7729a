import { stdio, text, tool } from "./_lib.mjs";

stdio({
  "tools/list": () => ({ tools: [tool("a"), tool("b")], nextCursor: "end" }),
  call: (n) => text(n),
});
