import { stdio, text, tool } from "./_lib.mjs";

stdio({
  tools: [tool("a")],
  call: () => text("id was a string"),
  out: (r) => ({ ...r, id: String(r.id) }),
});
