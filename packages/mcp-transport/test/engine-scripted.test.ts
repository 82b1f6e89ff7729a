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

/** The server has understood the last request, which asked to be told of changes. */
function acknowledge(wire: ModernWire): void {
  const meta = { "io.modelcontextprotocol/subscriptionId": wire.last.id };
  const params = { notifications: { toolsListChanged: true }, _meta: meta };
  wire.say({ method: "notifications/subscriptions/acknowledged", params });
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

  it("ends a call that waits for the user when it ends itself", async () => {
    let asked = 0;
    const { wire, connection } = await connect({
      onElicit: () => {
        asked += 1;
        return new Promise(() => {});
      },
    });
    const call = failure(connection.callTool("t", {}));
    wire.say({ id: wire.last.id, ...asks({ a: question }) });
    await eventually(() => expect(asked).toBe(1));
    await connection.close();
    expect(await call).toMatchObject({ code: "closed", delivery: "unknown" });
  });

  it("takes a batch of messages, and no batch of batches however deep", async () => {
    const { wire, connection } = await connect();
    const seen: string[] = [];
    connection.onDiagnostic(({ message }) => seen.push(message));
    let deep: unknown = [];
    for (let level = 0; level < 200_000; level += 1) deep = [deep];
    wire.onmessage?.(deep);
    expect(seen).toEqual(["script: sent JSON that is no message"]);
    await connection.close();
  });

  it("is asked no more than ten times, and url questions not at all", async () => {
    const { wire, connection } = await connect({ onElicit: async () => ({ action: "decline" }) });
    const call = failure(connection.callTool("t", {}));
    for (let round = 1; round <= 11; round += 1) {
      await eventually(() => expect(wire.of("tools/call")).toHaveLength(round));
      wire.say({ id: wire.last.id, ...asks({ q: question }) });
    }
    expect(await call).toMatchObject({ code: "invalid_result", delivery: "unknown" });
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
    const listening = connection.onListChanged("tools", () => {
      changes += 1;
    });
    acknowledge(wire);
    const stop = await listening;
    wire.say({ method: "notifications/tools/list_changed" });
    expect(changes).toBe(1);
    wire.say({ id: wire.last.id, result: { resultType: "complete" } });
    await eventually(() => expect(wire.of("subscriptions/listen")).toHaveLength(2));
    acknowledge(wire);
    await eventually(() => expect(changes).toBe(2));
    stop();
    await eventually(() => expect(wire.of("notifications/cancelled")).toHaveLength(1));
    await connection.close();
  });

  it("has one subscription for all who listen, and none when the last has left", async () => {
    const { wire, connection } = await connect();
    const heard: string[] = [];
    const first = connection.onListChanged("tools", () => heard.push("first"));
    const second = connection.onListChanged("tools", () => heard.push("second"));
    acknowledge(wire);
    const [stopFirst, stopSecond] = await Promise.all([first, second]);
    expect(wire.of("subscriptions/listen")).toHaveLength(1);
    stopFirst();
    stopFirst();
    wire.say({ method: "notifications/tools/list_changed" });
    expect(heard).toEqual(["second"]);
    expect(wire.of("notifications/cancelled")).toEqual([]);
    stopSecond();
    await eventually(() => expect(wire.of("notifications/cancelled")).toHaveLength(1));
    // Who comes later gets another.
    void connection.onListChanged("tools", () => {});
    await eventually(() => expect(wire.of("subscriptions/listen")).toHaveLength(2));
    await connection.close();
  });

  it("works on where the server refuses to tell of changes", async () => {
    const { wire, connection } = await connect();
    const heard: Error[] = [];
    connection.onDiagnostic((error) => heard.push(error));
    const listening = connection.onListChanged("tools", () => {});
    wire.say({ id: wire.last.id, error: { code: -32603, message: "not today" } });
    (await listening)();
    expect(heard.map(({ message }) => message)).toContain(
      "script: does not tell when its tools change",
    );
    const call = connection.callTool("t", {});
    wire.say({ id: wire.last.id, result: { ok: true } });
    expect(await call).toEqual({ ok: true });
    await connection.close();
  });

  it("asks again, and for longer each time, where the subscription is refused later", async () => {
    const { wire, connection } = await connect();
    const listening = connection.onListChanged("tools", () => {});
    acknowledge(wire);
    const stop = await listening;
    wire.say({ id: wire.last.id, result: { resultType: "complete" } });
    const times: number[] = [];
    for (let round = 2; round <= 4; round += 1) {
      await eventually(() => expect(wire.of("subscriptions/listen")).toHaveLength(round));
      times.push(performance.now());
      wire.say({ id: wire.last.id, error: { code: -32603, message: "not yet" } });
    }
    const [one = 0, two = 0, three = 0] = times;
    expect(two - one).toBeGreaterThan(400);
    expect(three - two).toBeGreaterThan(900);
    stop();
    await connection.close();
  });

  it("fails alone where onElicit does; the server learns nothing of the reason", async () => {
    const cause = new Error("private path /home/me");
    const { wire, connection } = await connect({
      onElicit: async () => {
        throw cause;
      },
    });
    const call = failure(connection.callTool("t", {}));
    wire.say({ id: wire.last.id, ...asks({ q: question }) });
    expect(await call).toMatchObject({ code: "unsupported", delivery: "unknown", cause });
    expect((await call).message).toBe("script: tools/call: onElicit failed");
    expect(JSON.stringify(wire.sent)).not.toContain("/home/me");
    expect(wire.of("tools/call")).toHaveLength(1);
    await connection.close();
  });

  it("that is only put off is sent again with the state, and nothing else", async () => {
    const { wire, connection } = await connect();
    const call = connection.callTool("t", { x: 1 });
    wire.say({
      id: wire.last.id,
      result: { resultType: "input_required", requestState: "later" },
    });
    await eventually(() => expect(wire.of("tools/call")).toHaveLength(2));
    expect(wire.last.params).toMatchObject({ name: "t", requestState: "later" });
    expect(wire.last.params).not.toHaveProperty("inputResponses");
    wire.say({ id: wire.last.id, result: { done: true } });
    expect(await call).toEqual({ done: true });
    await connection.close();
  });

  it.each<[found: object, server: object, instructions: unknown]>([
    [
      { _meta: { "io.modelcontextprotocol/serverInfo": { name: "a", version: "1", title: "A" } } },
      { name: "a", version: "1", title: "A" },
      undefined,
    ],
    [{ serverInfo: { name: "b" }, instructions: "be kind" }, { name: "b" }, "be kind"],
    [{ serverInfo: "odd", _meta: 5, instructions: 7 }, {}, undefined],
    [{ serverInfo: { name: 5, version: null } }, {}, undefined],
    [{ capabilities: null }, {}, undefined],
  ])("tells of the server what it can of %j", async (found, server, instructions) => {
    const { connection } = await connect({}, new ModernWire({ ...discovery, ...found }));
    expect(connection.info.server).toEqual(server);
    expect(connection.info.instructions).toBe(instructions);
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
