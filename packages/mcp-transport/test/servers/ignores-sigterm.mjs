import { log, stdio, text, tool } from "./_lib.mjs";

for (const s of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(s, () => log({ ev: s }));
setInterval(() => {}, 500);
setTimeout(() => process.exit(9), 60000);
stdio({ tools: [tool("a")], call: () => text(process.pid) }, { exitOnEof: false });
