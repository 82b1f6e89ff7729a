import { type Fault, startTestServer, stdioTestServer, type TestTool } from "@x/mcp-testkit";
import { createTransport, type MCPServerConfig } from "@x/mcp-transport";
import { describe, expect, it, type TestContext } from "vitest";
import {
  type MCPErrorCode,
  MCPToolAdapter,
  type MCPToolAdapterOptions,
  type MCPToolResult,
} from "../src/index.ts";
import { type Engine, engines } from "./engine-adapter.ts";

/** Every code a call can come to, on real servers, and what the server itself counted. */

interface Lab {
  readonly adapter: MCPToolAdapter;
  fault(fault: Fault): void;
  /** The server is gone, and cannot be had again. */
  gone(): Promise<void>;
}

interface Row {
  readonly what: string;
  readonly over?: "stdio" | "http";
  readonly options?: MCPToolAdapterOptions;
  readonly call: (lab: Lab) => Promise<MCPToolResult>;
  readonly ran: "no" | "yes" | "unknown";
  /** How often a tool ran, where it is known. */
  readonly runs?: number;
  readonly error: RegExp;
}

const tools: TestTool[] = [
  { listed: { name: "bad", inputSchema: { $ref: "https://example.com/s.json" } } },
  { listed: { name: "task", inputSchema: {}, execution: { taskSupport: "required" } } },
];
const effect = ({ adapter }: Lab, options = {}) => adapter.invoke("effect", { id: "a" }, options);
const long = ({ adapter }: Lab) => adapter.invoke("effect", { id: "long", ms: 1_500 });
const faulty = (fault: Fault) => (lab: Lab) => {
  lab.fault(fault);
  return effect(lab);
};
const oneAtATime = { maxConcurrency: 1, maxQueue: 1 };
const sent = async ({ adapter }: Lab, options: object) => {
  await adapter.discoverTools();
  return adapter.invoke("effect", { id: "a", ms: 30_000 }, options);
};
/** A call that waits for its turn behind another. */
const waiting = async (lab: Lab, options: object) => {
  await lab.adapter.discoverTools();
  const first = long(lab);
  const second = await effect(lab, options);
  await first;
  return second;
};

/** One list for each code: a new code does not compile without a row. */
const rows: Record<MCPErrorCode, Row[]> = {
  not_found: [
    {
      what: "an unknown tool",
      call: ({ adapter }) => adapter.invoke("nothing"),
      ran: "no",
      runs: 0,
      error: /"nothing" not found/,
    },
    {
      what: "a tool that the filter hides",
      options: { filter: { exclude: ["eff*"] } },
      call: (lab) => effect(lab),
      ran: "no",
      runs: 0,
      error: /"effect" not found/,
    },
  ],
  validation: [
    {
      what: "arguments that do not fit",
      call: ({ adapter }) => adapter.invoke("effect", { id: 7 }),
      ran: "no",
      runs: 0,
      error: /validation/,
    },
  ],
  schema: [
    {
      what: "a tool whose schema cannot be used",
      call: ({ adapter }) => adapter.invoke("bad"),
      ran: "no",
      runs: 0,
      error: /validation.*"bad" is set aside/,
    },
  ],
  overloaded: [
    {
      what: "one call more than may wait",
      options: oneAtATime,
      call: async (lab) => {
        await lab.adapter.discoverTools();
        const [first, second] = [long(lab), long(lab)];
        const third = await effect(lab);
        await Promise.all([first, second]);
        return third;
      },
      ran: "no",
      error: /queue.*full/,
    },
  ],
  too_large: [
    {
      what: "arguments over the limit",
      call: ({ adapter }) => adapter.invoke("effect", { id: "x".repeat(1_000_001) }),
      ran: "no",
      runs: 0,
      error: /too large/,
    },
    {
      what: "an answer over the limit",
      call: faulty({ fault: "huge", bytes: 2_000_000, tool: "effect" }),
      ran: "yes",
      runs: 1,
      error: /1000000/,
    },
  ],
  timeout: [
    {
      what: "a deadline after it was sent",
      call: (lab) => sent(lab, { timeoutMs: 400 }),
      ran: "unknown",
      runs: 1,
      error: /timeout/,
    },
    {
      what: "a deadline while it waits",
      options: oneAtATime,
      call: (lab) => waiting(lab, { timeoutMs: 100 }),
      ran: "no",
      error: /timeout/,
    },
  ],
  cancelled: [
    {
      what: "the caller's signal after it was sent",
      call: (lab) => sent(lab, { signal: AbortSignal.timeout(400) }),
      ran: "unknown",
      runs: 1,
      error: /cancelled/,
    },
    {
      what: "the caller's signal while it waits",
      options: oneAtATime,
      call: (lab) => waiting(lab, { signal: AbortSignal.timeout(100) }),
      ran: "no",
      error: /cancelled/,
    },
    {
      what: "disconnect while it waits",
      options: oneAtATime,
      call: async (lab) => {
        await lab.adapter.discoverTools();
        const first = long(lab);
        const second = effect(lab);
        setTimeout(() => void lab.adapter.disconnect(), 100);
        expect(await first).toMatchObject({ errorCode: "outcome_unknown", ran: "unknown" });
        return second;
      },
      ran: "no",
      error: /disconnected/,
    },
  ],
  server_error: [
    {
      what: "a tool that fails",
      call: ({ adapter }) => adapter.invoke("fail", { message: "disk is full" }),
      ran: "yes",
      runs: 1,
      error: /server error: disk is full/,
    },
  ],
  protocol: [
    {
      what: "a JSON-RPC error",
      call: faulty({ fault: "rpc-error", code: -32603, message: "boom", tool: "effect" }),
      ran: "unknown",
      runs: 0,
      error: /-32603.*boom/,
    },
    {
      what: "an HTTP status",
      over: "http",
      call: faulty({ fault: "http-status", status: 503, tool: "effect" }),
      ran: "unknown",
      runs: 0,
      error: /503/,
    },
    {
      what: "a result that is none",
      call: faulty({ fault: "malformed-result", tool: "effect" }),
      ran: "unknown",
      runs: 1,
      error: /not an object/,
    },
  ],
  outcome_unknown: [
    {
      what: "a connection lost after it was sent, before it ran",
      over: "stdio",
      call: faulty({ fault: "exit", code: 3, when: "before", tool: "effect", times: 1 }),
      ran: "unknown",
      runs: 0,
      error: /lost after the call was sent.*exited with 3/,
    },
    {
      what: "an answer that was cut",
      over: "http",
      call: faulty({ fault: "cut-stream", when: "after", tool: "effect", times: 1 }),
      ran: "unknown",
      runs: 1,
      error: /lost after the call was sent/,
    },
  ],
  unavailable: [
    {
      what: "a server that is gone for good",
      call: async (lab) => {
        await lab.adapter.discoverTools();
        await lab.gone();
        return effect(lab, { timeoutMs: 19_000 });
      },
      ran: "no",
      runs: 0,
      error: /unavailable/,
    },
  ],
  unauthorized: [
    {
      what: "401",
      over: "http",
      call: faulty({ fault: "unauthorized", tool: "effect" }),
      ran: "no",
      runs: 0,
      error: /401/,
    },
    {
      what: "403",
      over: "http",
      call: faulty({ fault: "http-status", status: 403, tool: "effect" }),
      ran: "no",
      runs: 0,
      error: /403/,
    },
  ],
  unsupported: [
    {
      what: "a tool that runs only as a task, on a server without tasks",
      call: ({ adapter }) => adapter.invoke("task"),
      ran: "no",
      runs: 0,
      error: /task/,
    },
  ],
};

async function lab(
  { onTestFinished }: TestContext,
  engine: Engine,
  over: "stdio" | "http",
  options: MCPToolAdapterOptions = {},
) {
  const stdio = over === "stdio" ? stdioTestServer({ tools }) : undefined;
  const http = stdio ? undefined : await startTestServer({ tools });
  const server = stdio ?? http;
  if (server === undefined) throw new Error("no server");
  onTestFinished(() => server.stop());
  const config: MCPServerConfig = {
    name: "lab",
    ...(stdio
      ? { command: stdio.command, args: stdio.args }
      : { url: http?.url ?? "", transport: "streamable-http" }),
  };
  const transport = createTransport(config, { engine, maxMessageBytes: 1_000_000 });
  const adapter = new MCPToolAdapter(config, { transport, ...options });
  onTestFinished(() => adapter.disconnect());
  await adapter.connect();
  return {
    server,
    adapter,
    fault: (fault: Fault) => void server.faults.on(fault),
    async gone() {
      server.faults.on({ fault: "exit", code: 1, when: "start" });
      stdio?.kill();
      // A dead process is known to be dead when its end has been heard of.
      if (stdio) await expect.poll(() => adapter.state).toBe("down");
      await http?.down();
    },
  };
}

const cells = Object.entries(rows).flatMap(([errorCode, ofCode]) =>
  ofCode.flatMap((row) =>
    (row.over ? [row.over] : (["stdio", "http"] as const)).flatMap((over) =>
      engines.map((engine) => ({ errorCode, row, what: row.what, over, engine })),
    ),
  ),
);

describe.concurrent("a call comes to", () => {
  it.for(cells)("$errorCode: $what, over $over, engine $engine", async (cell, context) => {
    const { errorCode, row, over, engine } = cell;
    const on = await lab(context, engine, over, row.options);
    const result = await row.call(on);
    expect(result).toMatchObject({ success: false, errorCode, ran: row.ran });
    expect(result.error).toMatch(row.error);
    const ran = [...on.server.runs.values()].reduce((sum, times) => sum + times, 0);
    if (row.runs !== undefined) expect(ran).toBe(row.runs);
  });
});
