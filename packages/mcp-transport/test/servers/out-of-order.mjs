import { NONE, ok, stdio, text, tool } from "./_lib.mjs";

const held = [];
stdio({
  tools: [tool("t", { inputSchema: { type: "object", properties: { n: { type: "integer" } } } })],
  call: (_n, a, m, io) => {
    held.push([m.id, a?.n]);
    if (held.length === 3)
      for (const [id, k] of held.splice(0).reverse()) io.send(ok(id, text(`answer ${k}`)));
    return NONE;
  },
});
