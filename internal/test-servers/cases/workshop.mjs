// A server with a tool for each thing that a process can do to its client.
import { spawn } from "node:child_process";
import { closeSync, writeSync } from "node:fs";
import { log, NONE, ok, stdio, text, tool } from "./_lib.mjs";

const idle = "setInterval(() => {}, 1000); setTimeout(() => process.exit(), 60000)";

const tools = {
  surroundings: () =>
    text(JSON.stringify({ env: process.env, cwd: process.cwd(), argv: process.argv.slice(2) })),
  /** A line of so many bytes, in two parts if `pause` says so. */
  line: ({ bytes, first = false }, id) => {
    const data = "x".repeat(bytes);
    const result = { content: [{ type: "text", text: data }] };
    process.stdout.write(
      `${JSON.stringify(first ? { jsonrpc: "2.0", id, result } : { result, jsonrpc: "2.0", id })}\n`,
    );
    return NONE;
  },
  anonymous: ({ bytes }) => {
    process.stdout.write(
      `{"jsonrpc":"2.0","result":{"x":"${"x".repeat(bytes)}"},"id":1,"more":{}}\n`,
    );
    return NONE;
  },
  endless: ({ bytes }) => {
    process.stdout.write("x".repeat(bytes));
    return NONE;
  },
  glued: (_, id) => {
    process.stdout.write(`ready> ${JSON.stringify(ok(id, text("glued")))} done\n`);
    return NONE;
  },
  bom: (_, id) => {
    process.stdout.write(`\uFEFF${JSON.stringify(ok(id, text("bom")))}\n`);
    return NONE;
  },
  /** Starts a process that holds stdout and stderr, and says its pid. */
  helper: ({ ignoresTerm = false } = {}) => {
    const code = `${ignoresTerm ? "process.on('SIGTERM', () => {});" : ""}${idle}`;
    const child = spawn(process.execPath, ["-e", code], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    log({ ev: "helper", helper: child.pid });
    return text(child.pid);
  },
  exit: ({ code = 0, last }) => {
    if (last) writeSync(2, last);
    process.exit(code);
  },
  kill: ({ signal }) => {
    process.kill(process.pid, signal);
    return NONE;
  },
  answerAndExit: (_, id) => {
    writeSync(1, `${JSON.stringify(ok(id, text("last words")))}\n`);
    process.exit(0);
  },
  closeStdout: () => {
    closeSync(1);
    return NONE;
  },
  deaf: () => {
    process.stdin.pause();
    setInterval(() => {}, 1000);
    return NONE;
  },
  echo: (args) => text(JSON.stringify(args)),
  stderr: ({ said }) => {
    writeSync(2, said);
    return text("said");
  },
};

if (process.env.LAST_WORDS) writeSync(2, process.env.LAST_WORDS);
if (process.env.EXIT_AT_ONCE) process.exit(Number(process.env.EXIT_AT_ONCE));
stdio({
  tools: Object.keys(tools).map((name) => tool(name)),
  call: (name, args, message) => tools[name](args ?? {}, message.id),
});
