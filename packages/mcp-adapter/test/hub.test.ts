import { once } from "node:events";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { MCPTransportError } from "@x/mcp-transport";
import { type MockServer, MockTransport, mockServer } from "@x/mcp-transport/testing";
import { everything, memory } from "@x/test-servers";
import { defineTool, ToolRegistry } from "@x/tool-registry";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  type ConnectServersOptions,
  connectServers,
  MCPAdapterError,
  type MCPAdapterEvent,
  MCPConnectionError,
  type MCPServerEntry,
  MCPToolAdapter,
  type MCPToolHub,
  readServers,
} from "../src/index.ts";

const never = () => new Promise<never>(() => {});
const hubs: MCPToolHub[] = [];

afterEach(async () => {
  await Promise.all(hubs.splice(0).map((hub) => hub.close().catch(() => undefined)));
});

interface Mocked {
  readonly adapter: MCPToolAdapter;
  readonly server: MockServer;
  readonly transport: MockTransport;
}

function mocked(name: string, ...tools: string[]): Mocked {
  const server = mockServer({
    tools: tools.map((tool) => ({ name: tool, inputSchema: { type: "object" } })),
  });
  const transport = new MockTransport(server);
  return { adapter: new MCPToolAdapter({ name }, { transport }), server, transport };
}

async function connected(
  servers: readonly (Mocked | MCPServerEntry)[],
  options?: ConnectServersOptions,
): Promise<MCPToolHub> {
  const entries = servers.map((entry) => ("adapter" in entry ? entry.adapter : entry));
  const hub = await connectServers(entries, options);
  hubs.push(hub);
  return hub;
}

async function rejection(promise: Promise<unknown>): Promise<MCPAdapterError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof MCPAdapterError) return error;
  throw new Error(`no error of ours: ${inspect(error)}`);
}

const idsOf = (registry: ToolRegistry): string[] => [...registry].map(({ id }) => id);

/** Where nothing listens any more. */
async function deadUrl(): Promise<string> {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  listener.close();
  await once(listener, "close");
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/mcp`;
}

const refused = () => new MCPTransportError("refused", "nothing listens there");

describe("connectServers", () => {
  it("connects to all and registers each under its name", async () => {
    const registry = new ToolRegistry();
    const hub = await connected([mocked("a", "x", "y"), mocked("b", "x")], { registry });
    expect([...hub.adapters.keys()]).toEqual(["a", "b"]);
    expect(hub.adapters.get("a")?.state).toBe("ready");
    expect([hub.failed, hub.pending]).toEqual([[], []]);
    expect(idsOf(registry).sort()).toEqual(["a/x", "a/y", "b/x"]);
    expect(registry.get("b/x")).toMatchObject({ source: "mcp", sourceMetadata: { server: "b" } });
    expect((await registry.invoke("b/x", { q: 1 })).content).toEqual([
      { type: "text", text: '{"name":"x","args":{"q":1}}' },
    ]);
  });

  it("works without a registry, and with no servers", async () => {
    const hub = await connected([mocked("a", "x")]);
    expect(await hub.adapters.get("a")?.invoke("x")).toMatchObject({ success: true });
    expect((await connected([])).adapters.size).toBe(0);
  });

  it("connects in parallel: each server answers only when all have been asked", async () => {
    const servers = ["a", "b", "c"].map((name) => mocked(name));
    let asked = 0;
    let all = () => {};
    const allAsked = new Promise<void>((resolve) => {
      all = resolve;
    });
    for (const { server } of servers) {
      server.handle("tools/list", async () => {
        asked += 1;
        if (asked === servers.length) all();
        await allAsked;
        return { tools: [] };
      });
    }
    const hub = await connected(servers, { registry: new ToolRegistry() });
    expect(hub.adapters.size).toBe(3);
  });

  it("registers the tools of the fast before the slow are there", async () => {
    const registry = new ToolRegistry();
    const slow = mocked("slow", "x");
    let answer = () => {};
    slow.server.handle("tools/list", () => {
      return new Promise((resolve) => {
        answer = () => resolve({ tools: [{ name: "x", inputSchema: { type: "object" } }] });
      });
    });
    const connecting = connected([slow, mocked("fast", "y")], { registry });
    await vi.waitFor(() => expect(idsOf(registry)).toEqual(["fast/y"]));
    expect(await registry.invoke("fast/y")).toMatchObject({ success: true });
    answer();
    const hub = await connecting;
    expect([...hub.adapters.keys()]).toEqual(["slow", "fast"]);
    expect(idsOf(registry)).toEqual(["fast/y", "slow/x"]);
  });

  it("keeps why a server failed, and leaves the others whole", async () => {
    const registry = new ToolRegistry();
    const dead = mocked("dead", "x");
    dead.transport.failNextOpen(refused());
    const mute = mocked("mute", "x");
    mute.server.handle("tools/list", () => {
      throw new MCPTransportError("rpc", "no list today", { rpcCode: -32000 });
    });
    const hub = await connected([dead, mute, mocked("alive", "x")], { registry });
    expect([...hub.adapters.keys()]).toEqual(["alive"]);
    expect(idsOf(registry)).toEqual(["alive/x"]);
    expect(hub.failed.map(({ server, error }) => [server, error.code])).toEqual([
      ["dead", "refused"],
      ["mute", "rpc"],
    ]);
    expect(hub.failed[0]?.error).toBeInstanceOf(MCPConnectionError);
    expect(hub.failed[0]?.error.message).toBe(
      'server "dead": no connection to mock server: nothing listens there',
    );
    expect(hub.failed[1]?.error.message).toContain("no list today");
    expect(mute.server.connections).toBe(0);
    expect(mute.adapter.state).toBe("closed");
  });

  it("fails a server whose tools the registry refuses, naming both owners", async () => {
    const registry = new ToolRegistry();
    const own = defineTool({ name: "x", inputSchema: { type: "object" }, invoke: () => "mine" });
    registry.register("a", own);
    const hub = await connected([mocked("a", "x"), mocked("b", "x")], { registry });
    expect(hub.failed).toMatchObject([{ server: "a", error: { code: "not_registered" } }]);
    expect(hub.failed[0]?.error.message).toMatch(/^server "a": .*"a\/x" belongs to "application"/);
    expect(hub.failed[0]?.error.cause).toMatchObject({ code: "id_taken" });
    expect((await registry.invoke("a/x")).content).toEqual([{ type: "text", text: "mine" }]);
    expect(registry.has("b/x")).toBe(true);
    registry.unregister("a/x");
    expect(await hub.retryFailed()).toEqual(["a"]);
    expect(registry.get("a/x")?.source).toBe("mcp");
  });

  it("passes the options on to the adapters it makes, and takes adapters as they are", async () => {
    const events: MCPAdapterEvent[] = [];
    const registry = new ToolRegistry();
    const missing = { name: "made", command: "/no/such/command" };
    const hub = await connected([missing, mocked("given", "x")], {
      registry,
      adapterOptions: { onEvent: (event) => events.push(event), filter: { exclude: ["x"] } },
    });
    expect(hub.failed.map(({ error }) => error.code)).toEqual(["spawn"]);
    expect(new Set(events.map(({ server }) => server))).toEqual(new Set(["made"]));
    expect(idsOf(registry)).toEqual(["given/x"]);
  });
});

it("thirty servers under one signal raise no warning, and all are there", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on("warning", note);
  const registry = new ToolRegistry();
  const { signal } = new AbortController();
  const servers = Array.from({ length: 30 }, (_, index) => mocked(`s${index}`, "x"));
  const hub = await connected(servers, { registry, signal });
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", note);
  expect([hub.adapters.size, registry.size, warnings]).toEqual([30, 30, []]);
});

describe("a server that cannot be", () => {
  it.each([
    ["a name with a slash", { name: "a/b", command: "node" }, "a/b", /name must be .* without \//],
    ["no name", { command: "node" }, "?", /name must be a string/],
    ["neither command nor url", { name: "a" }, "a", /"url" is required/],
    [
      "an unknown transport",
      { name: "a", transport: "ws", url: "https://a.b/" },
      "a",
      /transport: expected "stdio"/,
    ],
    ["null", null, "?", /name must be a string/],
    ["text", "https://a.b/", "?", /name must be a string/],
  ])("with %s stands in failed and costs the others nothing", async (_what, entry, name, text) => {
    const hub = await connectServers([entry as never, mocked("fine").adapter]);
    hubs.push(hub);
    expect([...hub.adapters.keys()]).toEqual(["fine"]);
    expect(hub.failed).toMatchObject([{ server: name, error: { code: "config" } }]);
    expect(hub.failed[0]?.error.message).toMatch(text);
    expect(await hub.retryFailed()).toEqual([]);
    expect(hub.failed).toHaveLength(1);
  });

  it("of two with one name, the first counts and the second is named", async () => {
    const registry = new ToolRegistry();
    const second = mocked("a", "second");
    const hub = await connected([mocked("a", "first"), second, mocked("b")], { registry });
    expect(idsOf(registry)).toEqual(["a/first"]);
    expect(hub.failed).toMatchObject([{ server: "a", error: { code: "config" } }]);
    expect(hub.failed[0]?.error.message).toBe(
      'server "a": two servers have this name: the second is left out, rename one of them',
    );
    expect(second.transport.opens).toBe(0);
  });

  it("in a config file stands in failed with its problems", async () => {
    const reading = readServers(
      {
        mcpServers: {
          off: { disabled: true, command: "node" },
          keyless: { command: "node", env: { A: `\${A}`, B: `\${B}` } },
          "a/b": { command: "node" },
          gone: { command: "/no/such/command" },
        },
      },
      { env: {} },
    );
    const hub = await connectServers(reading);
    hubs.push(hub);
    expect(hub.failed.map(({ server, error }) => [server, error.code])).toEqual([
      ["gone", "spawn"],
      ["keyless", "config"],
      ["a/b", "config"],
    ]);
    expect(hub.failed[1]?.error.message).toMatch(
      /variable A is not set.*; .*variable B is not set/,
    );
    await expect(connectServers(reading, { required: ["keyless"] })).rejects.toThrow(
      'server "keyless": env.A: the variable A is not set',
    );
    await expect(connectServers(reading, { required: ["off"] })).rejects.toThrow(
      'the required server "off" is disabled',
    );
  });

  it.each([
    ["a server", { name: "a", command: "node" }, undefined, "expected an array"],
    ["nothing", undefined, undefined, "expected an array"],
    ["a number for the options", [], 5, "takes an options object"],
    ["an unknown option", [], { timeoutMs: 5 }, "timeoutMs is unknown"],
    ["a name for required", [], { required: "a" }, "required must be an array"],
    [
      "a required server that is none",
      [],
      { required: ["a"] },
      'the required server "a" is not among',
    ],
    ["a wrong waitMs", [], { waitMs: "5s" }, "waitMs must be a number of milliseconds"],
    ["a signal that is none", [], { signal: {} }, "signal must be an AbortSignal"],
    ["a wrong adapter option", [], { adapterOptions: { recovery: "never" } }, "recovery must be"],
    ["a wrong filter", [], { adapterOptions: { filter: { only: [] } } }, "filter.only is unknown"],
    ["one transport for all", [], { adapterOptions: { transport: {} } }, "give an adapter instead"],
  ])("%s is the caller's mistake", async (_what, servers, options, message) => {
    const error = await rejection(connectServers(servers as never, options as never));
    expect(error.code).toBe("config");
    expect(error.message).toContain(message);
  });

  it("a registry that is none is refused before anything is started", async () => {
    const { adapter, transport } = mocked("a");
    const error = await rejection(connectServers([adapter], { registry: {} as never }));
    expect(error.code).toBe("invalid_port");
    expect(transport.opens).toBe(0);
  });
});

describe("required servers", () => {
  it("fail the whole at once, after closing the rest and taking their tools out", async () => {
    const registry = new ToolRegistry();
    const fast = mocked("fast", "x");
    const slow = mocked("slow", "x");
    slow.server.handle("initialize", never);
    const dead = mocked("dead");
    dead.transport.failNextOpen(refused());
    dead.transport.failNextOpen(refused());
    const startedAt = performance.now();
    const error = await rejection(
      connected([fast, slow, dead], { registry, required: ["fast", "dead"] }),
    );
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(error).toBeInstanceOf(MCPConnectionError);
    expect(error).toMatchObject({ server: "dead", code: "refused" });
    for (const { adapter, server } of [fast, slow, dead]) {
      expect(adapter.state).toBe("closed");
      expect(server.connections).toBe(0);
    }
    expect(idsOf(registry)).toEqual([]);
  });

  it("that are there change nothing for the others", async () => {
    const dead = mocked("dead");
    dead.transport.failNextOpen(refused());
    const hub = await connected([mocked("a"), dead], { required: ["a"] });
    expect([[...hub.adapters.keys()], hub.failed.length]).toEqual([["a"], 1]);
  });

  it("count as the first of their name; the second stands in failed and stays as it is", async () => {
    const [first, second] = [mocked("a", "first"), mocked("a", "second")];
    await second.adapter.connect();
    const registry = new ToolRegistry();
    const hub = await connected([first, second], { required: ["a"], registry });
    expect(hub.adapters.get("a")).toBe(first.adapter);
    expect(idsOf(registry)).toEqual(["a/first"]);
    expect(hub.failed).toMatchObject([{ server: "a", error: { code: "config" } }]);
    expect(hub.failed[0]?.error.message).toContain("the second is left out");
    await hub.close();
    expect([first.adapter.state, second.adapter.state]).toEqual(["closed", "ready"]);
    await second.adapter.disconnect();
  });

  it("fail the whole where the first of their name fails", async () => {
    const [first, second] = [mocked("a"), mocked("a")];
    first.transport.failNextOpen(refused());
    const error = await rejection(
      connectServers([first.adapter, second.adapter], { required: ["a"] }),
    );
    expect([error.code, second.transport.opens]).toEqual(["refused", 0]);
  });

  it("tell of a close that failed besides, and lose neither", async () => {
    const dead = mocked("dead");
    dead.transport.failNextOpen(refused());
    const stuck = mocked("stuck");
    vi.spyOn(stuck.adapter, "disconnect").mockRejectedValue(new Error("will not die"));
    const error = await rejection(connected([stuck, dead], { required: ["dead"] }));
    expect(error.code).toBe("refused");
    expect(error.message).toMatch(/nothing listens there; besides: .*will not die/);
    expect(error.cause).toBeInstanceOf(AggregateError);
  });
});

describe("waitMs", () => {
  it("returns while slow servers are pending; they register when they are there", async () => {
    const registry = new ToolRegistry();
    const slow = mocked("slow", "x");
    slow.server.delayNext(150, "initialize");
    const hub = await connected([slow, mocked("fast", "y")], { registry, waitMs: 0 });
    expect(hub.pending).toContain("slow");
    expect(hub.adapters.has("slow")).toBe(false);
    await vi.waitFor(() => expect(hub.pending).toEqual([]), 5_000);
    expect([...hub.adapters.keys()]).toEqual(["slow", "fast"]);
    expect(idsOf(registry).sort()).toEqual(["fast/y", "slow/x"]);
  });

  it("does not shorten the wait for a required server", async () => {
    const slow = mocked("slow");
    slow.server.delayNext(100, "initialize");
    const other = mocked("other");
    other.server.handle("initialize", never);
    const hub = await connected([slow, other], { required: ["slow"], waitMs: 5 });
    expect([...hub.adapters.keys()]).toEqual(["slow"]);
    expect(hub.pending).toEqual(["other"]);
    await hub.close();
    expect(hub.failed).toMatchObject([{ server: "other", error: { code: "aborted" } }]);
    expect(other.server.connections).toBe(0);
  });

  it("a pending server that fails later stands in failed", async () => {
    const slow = mocked("slow");
    slow.server.handle("initialize", async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      throw new MCPTransportError("rpc", "not today", { rpcCode: -1 });
    });
    const hub = await connected([slow], { waitMs: 1 });
    expect([hub.pending, hub.failed]).toEqual([["slow"], []]);
    await vi.waitFor(() => expect(hub.failed).toHaveLength(1), 5_000);
    expect(hub.failed[0]?.error.message).toContain("not today");
  });
});

describe("the signal", () => {
  it("gives up all, and closes those that were there", async () => {
    const registry = new ToolRegistry();
    const controller = new AbortController();
    const ready = mocked("ready", "x");
    const slow = mocked("slow", "x");
    slow.server.handle("initialize", never);
    const connecting = connected([ready, slow], { registry, signal: controller.signal });
    await vi.waitFor(() => expect(idsOf(registry)).toEqual(["ready/x"]));
    controller.abort(new Error("secret reason"));
    const error = await rejection(connecting);
    expect(error.code).toBe("aborted");
    expect(error.message).not.toContain("secret reason");
    expect([ready.adapter.state, slow.adapter.state]).toEqual(["closed", "closed"]);
    expect(idsOf(registry)).toEqual([]);
  });

  it("that is aborted already starts nothing", async () => {
    const { adapter, transport } = mocked("a");
    const error = await rejection(connectServers([adapter], { signal: AbortSignal.abort() }));
    expect([error.code, transport.opens]).toEqual(["aborted", 0]);
  });

  it("closes nothing once the hub is there", async () => {
    const controller = new AbortController();
    const hub = await connected([mocked("a", "x")], { signal: controller.signal });
    controller.abort();
    expect(await hub.adapters.get("a")?.invoke("x")).toMatchObject({ success: true });
  });
});

describe("retryFailed", () => {
  it("tries the failed again, in parallel and once for all callers", async () => {
    const registry = new ToolRegistry();
    const dead = mocked("dead", "x");
    const worse = mocked("worse", "x");
    for (const { transport } of [dead, worse]) transport.failNextOpen(refused());
    const hub = await connected([dead, worse, mocked("a")], { registry });
    worse.transport.failNextOpen(new MCPTransportError("network", "still not there"));
    const [first, second] = await Promise.all([hub.retryFailed(), hub.retryFailed()]);
    expect([first, second]).toEqual([["dead"], ["dead"]]);
    expect([dead.transport.opens, worse.transport.opens]).toEqual([2, 2]);
    expect([...hub.adapters.keys()]).toEqual(["dead", "a"]);
    expect(hub.failed).toMatchObject([{ server: "worse", error: { code: "network" } }]);
    expect(idsOf(registry)).toEqual(["dead/x"]);
    expect(await hub.retryFailed()).toEqual(["worse"]);
    expect(hub.failed).toEqual([]);
    expect(await hub.retryFailed()).toEqual([]);
  });

  it("works for a server whose list had failed, on a new connection", async () => {
    const registry = new ToolRegistry();
    const { adapter, server, transport } = mocked("a", "x");
    server.failNext(new MCPTransportError("rpc", "busy", { rpcCode: -1 }), "tools/list");
    const hub = await connected([adapter], { registry });
    expect([hub.failed.length, server.connections]).toEqual([1, 0]);
    expect(await hub.retryFailed()).toEqual(["a"]);
    expect([transport.opens, registry.has("a/x")]).toEqual([2, true]);
  });

  it("is refused after close", async () => {
    const hub = await connected([]);
    await hub.close();
    expect((await rejection(hub.retryFailed())).code).toBe("closed");
  });

  it("is given up by close", async () => {
    const dead = mocked("dead");
    dead.transport.failNextOpen(refused());
    const hub = await connected([dead]);
    dead.server.handle("initialize", never);
    const retrying = hub.retryFailed();
    await vi.waitFor(() => expect(dead.server.connections).toBe(1));
    await hub.close();
    expect(await retrying).toEqual([]);
    expect(dead.server.connections).toBe(0);
    expect(hub.failed[0]?.error.code).toBe("aborted");
  });
});

describe("close", () => {
  it("disconnects all, takes out their tools and leaves others in place; idempotent", async () => {
    const registry = new ToolRegistry();
    const own = defineTool({ name: "own", inputSchema: { type: "object" }, invoke: () => "mine" });
    registry.register("a", own);
    const servers = [mocked("a", "x"), mocked("b", "x")];
    const hub = await connected(servers, { registry });
    const kept = registry.get("b/x");
    await Promise.all([hub.close(), hub.close()]);
    await hub[Symbol.asyncDispose]();
    expect(idsOf(registry)).toEqual(["a/own"]);
    expect((await kept?.invoke())?.errorCode).toBe("no_longer_available");
    expect(servers.map(({ adapter }) => adapter.state)).toEqual(["closed", "closed"]);
    expect([hub.adapters.size, hub.failed, hub.pending]).toEqual([0, [], []]);
  });

  it("closes the rest when one fails, and says which", async () => {
    const registry = new ToolRegistry();
    const stuck = mocked("stuck", "x");
    const fine = mocked("fine", "x");
    const hub = await connected([stuck, fine], { registry });
    vi.spyOn(stuck.adapter, "disconnect").mockRejectedValue(
      new MCPTransportError("timeout", "the process does not end"),
    );
    const error = await rejection(hub.close());
    expect(error).toMatchObject({ code: "timeout", server: "stuck" });
    expect(error.message).toBe('server "stuck": not closed cleanly: the process does not end');
    expect(fine.adapter.state).toBe("closed");
    expect(idsOf(registry)).toEqual([]);
    expect(await rejection(hub.close())).toBe(error);
  });

  it("tells of each that failed", async () => {
    const servers = ["a", "b"].map((name) => mocked(name, "x"));
    const registry = new ToolRegistry();
    const hub = await connected(servers, { registry });
    for (const { adapter } of servers) {
      vi.spyOn(adapter, "disconnect").mockRejectedValue(new MCPTransportError("exited", "no"));
    }
    vi.spyOn(registry, "replaceNamespace").mockImplementation(() => {
      throw new Error("locked");
    });
    const error = await rejection(hub.close());
    expect(error.message).toMatch(/"a".*locked; besides: .*no; besides: server "b".*locked/);
  });
});

describe("on real processes", () => {
  it("a dead and a wrong server cost the others nothing, and nothing is left running", async () => {
    const pids: number[] = [];
    const registry = new ToolRegistry();
    const reading = readServers(
      {
        mcpServers: {
          everything: { type: "stdio", ...everything() },
          memory: memory(join(tmpdir(), "hub-test-graph.json")),
          dead: { type: "http", url: await deadUrl() },
          keyless: { command: "node", args: [`\${NOT_SET}`] },
        },
      },
      { env: {} },
    );
    const hub = await connectServers(reading, {
      registry,
      required: ["memory"],
      adapterOptions: {
        onEvent: (event) => {
          if (event.type === "connect.end" && event.pid) pids.push(event.pid);
        },
      },
    });
    hubs.push(hub);
    expect([...hub.adapters.keys()].sort()).toEqual(["everything", "memory"]);
    expect(hub.failed.map(({ server, error }) => [server, error.code])).toEqual([
      ["dead", "refused"],
      ["keyless", "config"],
    ]);
    const sum = await registry.invoke("everything/get-sum", { a: 19, b: 23 });
    expect(sum.success && sum.content[0]).toMatchObject({ text: expect.stringContaining("42") });
    expect(registry.list({ namespace: "memory", effect: "read" }).length).toBeGreaterThan(1);
    expect(pids).toHaveLength(2);
    await hub.close();
    expect(registry.size).toBe(0);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  }, 30_000);
});

it("neither hub nor failures show a secret", async () => {
  const secret = "s3cret-value-0815";
  const hub = await connected([
    { name: "a", command: "/no/such/command", args: [secret], env: { KEY: secret } },
    { name: "b", url: `${await deadUrl()}?${secret}`, headers: { Authorization: secret } },
  ]);
  expect(hub.failed).toHaveLength(2);
  const { adapters, failed } = hub;
  const shown = inspect([hub, adapters, failed], { depth: 9, showHidden: true });
  expect(shown + JSON.stringify([hub, failed])).not.toContain(secret);
});
