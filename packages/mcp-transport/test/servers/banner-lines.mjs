import { stdio, text, tool } from "./_lib.mjs";

process.stdout.write("Tide server 3.1 starting\n\n\u001b[36mlistening on stdio\u001b[0m\n");
stdio({
  tools: [tool("tide")],
  call: (_n, _a, _m, io) => {
    io.raw("tide called with {}\n");
    return text("high");
  },
});
