import { stdio, text, tool } from "./_lib.mjs";

stdio(
  { tools: [tool("a")], call: () => text("tools are fine") },
  { caps: { tools: {}, resources: {}, prompts: {} } },
);
