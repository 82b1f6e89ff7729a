// A program that starts servers and then comes to an end in the way its first argument says.
import { createTransport, type MCPServerConfig, type StdioServerConfig } from "../../src/index.ts";
import { ServerProcess } from "../../src/stdio/process.ts";

const [, , how, json = "[]"] = process.argv;
const say = (text: string) => process.stdout.write(`${text}\n`);

if (how === "closes") {
  const configs: MCPServerConfig[] = JSON.parse(json);
  for (const config of configs) {
    const connection = await createTransport(config).open();
    say(`OPEN ${connection.info.pid ?? 0}`);
    await connection.callTool("a", {});
    await connection.close();
  }
  say("CLOSED");
} else {
  const [config]: StdioServerConfig[] = JSON.parse(json);
  if (config === undefined) throw new Error("a config is needed");
  if (how === "listens") process.on("SIGTERM", () => say("own SIGTERM"));
  let ready: () => void = () => {};
  const answered = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const server = await ServerProcess.start(config, config.env ?? {}, {
    stdout: ready,
    stderr() {},
    ended: ({ exitSignal }) => {
      say(`ended by ${exitSignal}`);
      void server.stop("graceful");
    },
  });
  // Only a server that answers has taken its measures against signals.
  await server.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  await answered;
  say(`OPEN ${server.pid}`);
  if (how === "exits") process.exit(3);
  if (how === "signals itself") {
    process.kill(process.pid, "SIGINT");
    process.kill(process.pid, "SIGTERM");
  }
  if (how === "throws") {
    setTimeout(() => {
      throw new Error("nobody catches this");
    });
  }
}
