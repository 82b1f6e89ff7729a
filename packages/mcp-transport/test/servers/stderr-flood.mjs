// Blocking stderr writes, as in most languages: if nobody reads stderr, the server never answers.
import { stderrBlocking, stdio, text, tool } from "./_lib.mjs";

const flood = (mb) => stderrBlocking(`${"w".repeat(1023)}\n`.repeat(1024 * mb));
flood(1);
stdio({
  tools: [tool("noisy")],
  call: () => {
    flood(3);
    return text("survived");
  },
});
