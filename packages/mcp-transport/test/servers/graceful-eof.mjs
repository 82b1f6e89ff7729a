// Needs 800 ms after end of input to save its state; a signal sent at once loses it.
import { log, stdio, text, tool } from "./_lib.mjs";

process.stdin.on("end", () =>
  setTimeout(() => {
    log({ ev: "saved" });
    process.exit(0);
  }, 800),
);
stdio({ tools: [tool("a")], call: () => text("ok") }, { exitOnEof: false });
