import { log, NONE, ok, stdio, text, tool } from "./_lib.mjs";

const seen = [];
let napId;
stdio({
  tools: [tool("nap"), tool("report")],
  "notifications/cancelled": (p) => {
    seen.push(p?.requestId);
    log({ ev: "cancelled", id: p?.requestId });
  },
  call: (n, _a, m, io) => {
    if (n === "report") return text(`cancelled ${napId !== undefined && seen.includes(napId)}`);
    napId = m.id;
    setTimeout(() => io.send(ok(m.id, text("slept"))), 4000);
    return NONE;
  },
});
