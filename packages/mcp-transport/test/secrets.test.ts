import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { createTransport, type MCPServerConfig } from "../src/index.ts";
import { caseServer } from "./support/case-server.ts";
import { failure } from "./support/failure.ts";

const secret = "planted-secret-value";

/** Everything that a log could show of it, the chain of causes included. */
function everythingOf(thing: unknown): string {
  const parts = [
    inspect(thing, { depth: 12, showHidden: true, getters: true }),
    JSON.stringify(thing),
  ];
  for (let cause = thing; cause instanceof Error; cause = cause.cause) {
    parts.push(String(cause), cause.stack ?? "", JSON.stringify(cause));
  }
  return parts.join("\n");
}

describe.each(["v1", "v2"] as const)("over engine %s", (engine) => {
  describe("a secret of the config is shown neither by the error nor by the transport where", () => {
    const { args, env } = caseServer("workshop").config;
    const says = `token ${secret} from --key=${secret}-arg\n`;
    it.each<[name: string, config: MCPServerConfig]>([
      [
        "the command does not exist",
        { name: "s", command: "no-such-command-x", args: [secret, `--key=${secret}`] },
      ],
      [
        "the command is a directory",
        { name: "s", command: "/tmp", args: [secret], env: { KEY: secret } },
      ],
      [
        "the folder does not exist",
        { name: "s", command: process.execPath, args: [secret], cwd: "/no/such" },
      ],
      [
        "the process exits and tells it",
        {
          name: "s",
          command: process.execPath,
          args: [...args, `--key=${secret}-arg`],
          env: { ...env, TOKEN: secret, LAST_WORDS: says, EXIT_AT_ONCE: "1" },
        },
      ],
      [
        "the process prints it where messages belong",
        {
          name: "s",
          command: process.execPath,
          args: ["-e", "console.log('my key is', process.env.KEY); process.exit(1)"],
          env: { KEY: secret },
        },
      ],
      [
        "nothing listens",
        {
          name: "s",
          url: `http://127.0.0.1:1/mcp?key=${secret}`,
          headers: { Authorization: `Bearer ${secret}` },
        },
      ],
      [
        "the host does not exist",
        {
          name: "s",
          url: `http://no-such-host.invalid/?key=${secret}`,
          headers: { "X-Key": secret },
        },
      ],
    ])("%s", async (_, config) => {
      const transport = createTransport(config, { engine });
      const error = await failure(transport.open({ timeoutMs: 10_000 }));
      expect(["spawn", "exited", "refused", "network"]).toContain(error.code);
      expect(everythingOf(error)).not.toContain(secret);
      expect(everythingOf(transport)).not.toContain(secret);
      expect(error.message).toContain("s (");
    });

    it("the server tells it in an error, or in its last words", async () => {
      const { config } = caseServer("workshop", { TOKEN: secret });
      const connection = await createTransport(config, { engine }).open();
      expect(everythingOf(connection)).not.toContain(secret);
      const died = await failure(connection.callTool("exit", { code: 2, last: `bye ${secret}` }));
      expect(died.stderrTail).toBe("bye ***");
      expect(everythingOf(died)).not.toContain(secret);
      await connection.close();
    });

    it("the server tells it in a JSON-RPC error", async () => {
      const script = `
      process.stdin.on("data", (chunk) => {
        const { id } = JSON.parse(chunk);
        const error = { code: -32603, message: "bad key " + process.env.KEY };
        console.log(JSON.stringify({ jsonrpc: "2.0", id, error }));
      });`;
      const args = ["-e", script.replaceAll("\n", " ")];
      const transport = createTransport(
        {
          name: "s",
          command: process.execPath,
          args,
          env: { KEY: secret },
        },
        { engine },
      );
      const error = await failure(transport.open());
      expect(error).toMatchObject({ code: "rpc", rpcMessage: "bad key ***" });
      expect(everythingOf(error)).not.toContain(secret);
    });
  });

  it("short values are no secrets: they would hide half of every message", async () => {
    const { config } = caseServer("workshop", { PORT: "8080" });
    const connection = await createTransport(config, { engine }).open();
    const error = await failure(connection.callTool("exit", { last: "port 8080 is taken" }));
    expect(error.stderrTail).toBe("port 8080 is taken");
  });
});
