import { sleep, stdio, text, tool } from "./_lib.mjs";

await sleep(2500);
stdio({ tools: [tool("a")], call: () => text("late but fine") });
