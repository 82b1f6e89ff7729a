import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type MCPConnection, type OpenOptions, WireTransport } from "../src/index.ts";
import { temporaryFolder } from "./support/case-server.ts";
import { eventually } from "./support/eventually.ts";
import { failure } from "./support/failure.ts";
import { ScriptedWire } from "./support/scripted-wire.ts";

const discovery = {
  resultType: "complete",
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: { listChanged: true }, extension: { own: 1 } },
};

/** A server of 2026-07-28 in the test's hand. */
class ModernWire extends ScriptedWire {
  readonly #discovery: object;

  constructor(result: object = discovery) {
    super(false);
    this.#discovery = result;
  }

  override async send(message: object): Promise<void> {
    await super.send(message);
    if (this.last.method === "server/discover") {
      this.say({ id: this.last.id, result: this.#discovery });
    }
  }
}

async function connect(
  options?: OpenOptions,
  wire: ModernWire = new ModernWire(),
): Promise<{ wire: ModernWire; connection: MCPConnection }> {
  const transport = new WireTransport(() => wire, {
    protocol: "2026-07-28",
    description: "script",
  });
  return { wire, connection: await transport.open(options) };
}

const question = { method: "elicitation/create", params: { message: "Who?" } };

function asks(inputRequests: unknown, rest: object = {}): object {
  return { result: { resultType: "input_required", inputRequests, ...rest } };
}

describe("a connection of 2026-07-28", () => {
  it("says what the client is and can with every request", async () => {
    const { wire, connection } = await connect({
      clientInfo: { name: "mine", version: "2" },
      onElicit: async () => ({ action: "decline" }),
    });
    void connection.callTool("t", {}).catch(() => {});
    expect(wire.sent.map(({ method }) => method)).toEqual(["server/discover", "tools/call"]);
    for (const { params } of wire.sent) {
      expect(params?.["_meta"]).toMatchObject({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "mine", version: "2" },
        "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
      });
    }
    expect(connection.info).toEqual({
      protocolVersion: "2026-07-28",
      era: "modern",
      server: {},
      capabilities: discovery.capabilities,
    });
    await connection.close();
  });

  it.each<[answer: object, outcome: object]>([
    [{ result: { resultType: "complete", a: 1 } }, { a: 1 }],
    [{ result: { a: 1 } }, { a: 1 }],
    [{ result: { resultType: "task", a: 1 } }, { code: "invalid_result", delivery: "unknown" }],
    [{ result: { resultType: 7 } }, { code: "invalid_result" }],
    [asks({}), { code: "invalid_result", delivery: "unknown" }],
    [asks("odd"), { code: "invalid_result" }],
    [asks({ a: question }), { code: "unsupported", delivery: "unknown" }],
    [asks({ a: { method: "sampling/createMessage" } }), { code: "unsupported" }],
    [asks({ a: { method: "roots/list" } }), { code: "unsupported" }],
    [asks({ a: null }), { code: "unsupported" }],
    [{ error: { code: -32021, message: "needs elicitation" } }, { code: "unsupported" }],
    [{ error: { code: -32602, message: "no" } }, { code: "rpc", rpcCode: -32602 }],
  ])("that answers %j ends as %j", async (answer, outcome) => {
    const { wire, connection } = await connect();
    const call = connection.callTool("t", {});
    wire.say({ id: wire.last.id, ...answer });
    const settled = await call.catch((error: unknown) => error);
    expect(settled).toMatchObject(outcome);
    expect(settled).not.toHaveProperty("resultType");
    await connection.close();
  });

  it("answers questions under a new id, and sends back the state as it came", async () => {
    const { wire, connection } = await connect({
      onElicit: async ({ message }) => ({ action: "accept", content: { message } }),
    });
    const call = connection.callTool("t", { x: 1 });
    const first = wire.last.id;
    wire.say({ id: first, ...asks({ q: question, __proto__: question }, { requestState: "≤ s" }) });
    await eventually(() => expect(wire.of("tools/call")).toHaveLength(2));
    expect(wire.last.id).not.toBe(first);
    expect(wire.last.params).toMatchObject({
      name: "t",
      arguments: { x: 1 },
      inputResponses: { q: { action: "accept", content: { message: "Who?" } } },
      requestState: "≤ s",
    });
    wire.say({ id: wire.last.id, result: { resultType: "complete", done: true } });
    expect(await call).toEqual({ done: true });
    await connection.close();
  });

  it("is asked no more than ten times, and url questions not at all", async () => {
    const { wire, connection } = await connect({ onElicit: async () => ({ action: "decline" }) });
    const call = failure(connection.callTool("t", {}));
    for (let round = 1; round <= 11; round += 1) {
      await eventually(() => expect(wire.of("tools/call")).toHaveLength(round));
      wire.say({ id: wire.last.id, ...asks({ q: question }) });
    }
    expect(await call).toMatchObject({ code: "limit", delivery: "unknown" });
    const other = failure(connection.callTool("t", {}));
    const params = { ...question.params, mode: "url" };
    wire.say({ id: wire.last.id, ...asks({ q: { ...question, params } }) });
    expect(await other).toMatchObject({ code: "unsupported" });
    await connection.close();
  });

  it("that ends while the user thinks rejects, and asks nothing more", async () => {
    let answer = (_: Record<string, unknown>): void => {};
    const { wire, connection } = await connect({
      onElicit: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    const call = failure(connection.callTool("t", {}, { timeoutMs: 100 }));
    wire.say({ id: wire.last.id, ...asks({ q: question }) });
    expect(await call).toMatchObject({ code: "timeout", delivery: "unknown" });
    answer({ action: "decline" });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(wire.of("tools/call")).toHaveLength(1);
    await connection.close();
  });

  it("listens again when the server ends the subscription", async () => {
    const { wire, connection } = await connect();
    let changes = 0;
    const acknowledge = (): void => {
      const meta = { "io.modelcontextprotocol/subscriptionId": wire.last.id };
      const params = { notifications: { toolsListChanged: true }, _meta: meta };
      wire.say({ method: "notifications/subscriptions/acknowledged", params });
    };
    const listening = connection.onListChanged("tools", () => {
      changes += 1;
    });
    acknowledge();
    const stop = await listening;
    wire.say({ method: "notifications/tools/list_changed" });
    expect(changes).toBe(1);
    wire.say({ id: wire.last.id, result: { resultType: "complete" } });
    await eventually(() => expect(wire.of("subscriptions/listen")).toHaveLength(2));
    acknowledge();
    await eventually(() => expect(changes).toBe(2));
    stop();
    await eventually(() => expect(wire.of("notifications/cancelled")).toHaveLength(1));
    await connection.close();
  });
});

describe("engine v2 without its package", () => {
  it("says what to install", async () => {
    const folder = temporaryFolder();
    const hooks = `export async function resolve(name, context, next) {
      if (name === "@modelcontextprotocol/client") throw Object.assign(new Error("none"), { code: "ERR_MODULE_NOT_FOUND" });
      return next(name, context);
    }`;
    const hook = join(folder, "hook.mjs");
    writeFileSync(
      hook,
      `import { register } from "node:module"; register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hooks)}`)});`,
    );
    const source = new URL("../src/index.ts", import.meta.url).href;
    const main = join(folder, "main.mjs");
    writeFileSync(
      main,
      `import { createTransport } from ${JSON.stringify(source)};
      const config = { name: "s", command: process.execPath, protocol: "auto" };
      await createTransport(config).open().catch((error) => console.log(error.code, error.message));`,
    );
    const tsx = new URL("../../../node_modules/tsx/dist/esm/index.mjs", import.meta.url).href;
    const child = spawn(process.execPath, ["--import", hook, "--import", tsx, main]);
    let said = "";
    child.stdout.on("data", (chunk) => {
      said += chunk;
    });
    await once(child, "close");
    expect(said).toContain("unsupported");
    expect(said).toContain("npm install @modelcontextprotocol/client");
  });
});
