import { log } from "./_lib.mjs";

log({ ev: "start" });
process.stdin.on("data", (d) => log({ ev: "got", n: d.length }));
process.stdin.on("end", () => log({ ev: "stdin-end" })); // does not leave by itself
setInterval(() => {}, 1000);
setTimeout(() => process.exit(9), 60000).unref?.();
