import { stderrBlocking, stdio, text, tool } from "./_lib.mjs";

stderrBlocking(Buffer.from([0xff, 0xfe, 0x00, 0xc3]));
stderrBlocking("z".repeat(1 << 20)); // no newline at all
stdio({
  tools: [tool("a")],
  call: () => {
    stderrBlocking(Buffer.alloc(300000, 0xe2));
    return text("ok");
  },
});
