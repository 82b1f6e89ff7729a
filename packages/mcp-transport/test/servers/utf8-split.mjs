import { sleep, stdio, text, tool } from "./_lib.mjs";

const slowly = async (o) => {
  for (const b of Buffer.from(`${JSON.stringify(o)}\n`)) {
    process.stdout.write(Buffer.from([b]));
    if (b > 127) await sleep(2);
  }
};
stdio({ tools: [tool("say")], call: () => text("≤ café 日本 🚢 fin") }, { write: slowly });
