import { NONE, ok, stdio, text, tool } from "./_lib.mjs";

let waiting;
stdio({
  tools: [tool("a")],
  call: (_n, _a, m, io) => {
    waiting = m.id;
    io.send({ jsonrpc: "2.0", id: "srv-1", method: "ping" });
    return NONE;
  },
  response: (m, io) => {
    if (m.id === "srv-1" && waiting !== undefined)
      io.send(
        ok(
          waiting,
          text(m.error ? `ping refused ${m.error.code}` : "pong ok", { isError: !!m.error }),
        ),
      );
  },
});
