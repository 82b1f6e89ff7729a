import { setTimeout as wait } from "node:timers/promises";
import { startTestServer, stdioTestServer } from "@x/mcp-testkit";
import { MCPTransportError } from "@x/mcp-transport";
import { MockTransport, mockServer } from "@x/mcp-transport/testing";
import {
  type AdapterState,
  type MCPAdapterEvent,
  MCPToolAdapter,
  type MCPToolAdapterOptions,
} from "../src/index.ts";
import { adapterOver, type Engine } from "./engine-adapter.ts";

/** An adapter, and what may happen to its server. */
export interface InterleavingBench {
  readonly adapter: MCPToolAdapter;
  readonly tool: string;
  /** Every change of state, as from and to. */
  readonly moves: readonly [AdapterState, AdapterState][];
  /** How often the call with this id ran on the server. */
  ran(id: number): number;
  /** The connection is lost, in one way or another. */
  drop(how: number): Promise<unknown> | undefined;
  /** The next connection is refused. */
  refuse(): Promise<unknown> | undefined;
  /** The next call is lost; where a real server is, nothing happens. */
  lose(delivery: "not_sent" | "refused" | "unknown"): void;
  /** Connections, processes or sockets that are still there. */
  readonly left: () => unknown[];
  /** By how much the waits are longer than on the mock. */
  readonly slowness: number;
  readonly settlesWithinMs: number;
  stop(): Promise<void>;
}

function watched(moves: [AdapterState, AdapterState][]): MCPToolAdapterOptions {
  const onEvent = (event: MCPAdapterEvent) => {
    if (event.type === "state") moves.push([event.from, event.state]);
  };
  return { circuitResetMs: 10, onEvent };
}

export function mockBench(engine: Engine, recovery: "auto" | "manual"): InterleavingBench {
  const ran = new Map<unknown, number>();
  const moves: [AdapterState, AdapterState][] = [];
  const server = mockServer({
    tools: [
      {
        name: "work",
        call: async ({ id }) => {
          ran.set(id, (ran.get(id) ?? 0) + 1);
          await wait(6);
          return { content: [{ type: "text", text: String(id) }] };
        },
      },
    ],
  });
  const transport = new MockTransport(server, { engine });
  return {
    adapter: new MCPToolAdapter({ name: "mock" }, { ...watched(moves), recovery, transport }),
    tool: "work",
    moves,
    ran: (id) => ran.get(String(id)) ?? 0,
    drop: () => void server.drop(),
    refuse: () => void transport.failNextOpen(new MCPTransportError("refused", "nothing listens")),
    lose: (delivery) =>
      server.failNext(new MCPTransportError("closed", "lost", { delivery }), "tools/call"),
    left: () => Array.from({ length: server.connections }, () => "connection"),
    slowness: 1,
    settlesWithinMs: 8_000,
    stop: async () => {},
  };
}

export function stdioBench(engine: Engine): InterleavingBench {
  const server = stdioTestServer();
  const moves: [AdapterState, AdapterState][] = [];
  const { command, args } = server;
  return {
    adapter: adapterOver(engine, { name: "stdio", command, args }, watched(moves)),
    tool: "effect",
    moves,
    ran: (id) => server.effects.get(String(id)) ?? 0,
    drop: () => void server.kill(),
    refuse: () => undefined,
    lose: () => {},
    left: () => [...server.pids],
    slowness: 20,
    settlesWithinMs: 30_000,
    stop: () => server.stop(),
  };
}

export async function httpBench(engine: Engine): Promise<InterleavingBench> {
  const server = await startTestServer();
  const moves: [AdapterState, AdapterState][] = [];
  let changing = Promise.resolve();
  // The server goes down and up one after the other.
  const change = (work: () => Promise<void>) => {
    changing = changing.then(work);
    return changing;
  };
  return {
    adapter: adapterOver(engine, { name: "http", url: server.url }, watched(moves)),
    tool: "effect",
    moves,
    ran: (id) => server.effects.get(String(id)) ?? 0,
    drop(how) {
      if (how === 0) return change(() => server.restart());
      if (how === 1) server.cut({ reset: true });
      else server.forgetSessions();
      return undefined;
    },
    refuse: () =>
      change(async () => {
        await server.down({ reset: true });
        await wait(40);
        await server.restart();
      }),
    lose: () => {},
    left: () => Array.from({ length: server.sockets }, () => "socket"),
    slowness: 5,
    settlesWithinMs: 30_000,
    async stop() {
      await changing;
      await server.stop();
    },
  };
}
