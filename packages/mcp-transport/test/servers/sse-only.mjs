import { sseServer, text, tool } from "./_lib.mjs";

sseServer({ tools: [tool("a")], call: () => text("over sse") });
