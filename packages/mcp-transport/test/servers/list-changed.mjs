import { fail, NONE, ok, stdio, text, tool } from "./_lib.mjs";

let grown = false;
stdio(
  {
    tools: () => (grown ? [tool("grow"), tool("late")] : [tool("grow"), tool("old")]),
    call: (n, _a, m, io) => {
      if (n === "grow") {
        grown = true;
        setTimeout(
          () => io.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" }),
          5,
        );
        setTimeout(() => io.send(ok(m.id, text("grown"))), 60);
        return NONE;
      } // still running when the note comes
      if (n === "late" && grown) return text("late ok");
      if (n === "old" && !grown) return text("old ok");
      throw fail(-32602, `Unknown tool: ${n}`);
    },
  },
  { caps: { tools: { listChanged: true } } },
);
