import { NONE, stdio, text, tool } from "./_lib.mjs";

stdio({
  tools: [tool("fine"), tool("boom")],
  call: (n) => {
    if (n === "fine") return text("ok");
    process.stderr.write("fatal: disk detached\n");
    setTimeout(() => process.exit(3), 50);
    return NONE;
  },
});
