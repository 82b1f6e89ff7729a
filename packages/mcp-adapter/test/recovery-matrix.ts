import {
  type Fault,
  type RecordedServer,
  type StdioTestServer,
  startTestServer,
  stdioTestServer,
  type TestServer,
} from "@x/mcp-testkit";
import { ToolRegistry, type ToolResult } from "@x/tool-registry";
import { MCPToolAdapter } from "../src/index.ts";

/** What is lost, while what happens, for which kind of tool: each cell on a real server. */

const phases = ["idle", "one call", "three calls", "discovery"] as const;
export type Phase = (typeof phases)[number];

export const kinds = ["read-only", "idempotent", "plain"] as const;
export type Kind = (typeof kinds)[number];

export interface Cell {
  /** What the calls under which it happened came to; of the next call where there were none. */
  readonly outcomes: readonly string[];
  /** How often the calls ran on the server; the most of any of them. */
  readonly ran: number;
  /** What the call after it came to. */
  readonly next: string;
}

/** Something that goes wrong, how it is brought about, and how it is mended. */
export interface Failure {
  readonly name: string;
  readonly transport: "stdio" | "http";
  /** Switched on for one message of the given kind. */
  readonly fault: (of: { method: string } | { tool: string }) => Fault;
  /** The same while nothing is under way; missing where it shows only in an answer. */
  readonly idle?: (bench: Bench) => Promise<void> | void;
  /** Brings the server back, where it does not come back by itself: meanwhile or afterwards. */
  readonly mend?: { readonly when: "meanwhile" | "afterwards" };
  readonly timeoutMs?: number;
  readonly expected: (phase: Phase, kind: Kind) => Expected;
}

export interface Expected {
  /** What the message that was hit comes to. */
  readonly hit?: string;
  /** What the other two of three calls may come to. */
  readonly others: readonly string[];
  readonly ran: number;
  readonly next?: readonly string[];
}

/** What in a cell is not as expected; the call after it succeeds unless `next` allows more. */
export function mismatch({ outcomes, ran, next }: Cell, expected: Expected): string | undefined {
  const { hit } = expected;
  const allowed = hit === undefined ? expected.others : [hit, ...expected.others];
  if (hit !== undefined && !outcomes.includes(hit)) return `nothing came to ${hit}`;
  const other = outcomes.find((outcome) => !allowed.includes(outcome));
  if (other !== undefined) return `something came to ${other}`;
  // Whether a call without an answer ran is the server's to know.
  const sure = hit === undefined || !hit.startsWith("timeout");
  if (sure ? ran !== expected.ran : ran > expected.ran) {
    return `ran ${ran} times, expected ${expected.ran}`;
  }
  // Over HTTP a call may leave on a socket that the dead server has not been heard to close.
  const allowedNext = ["success", ...(expected.next ?? [])];
  return allowedNext.includes(next) ? undefined : `the next call came to ${next}`;
}

/** The message that was hit comes to `hit`, after so many runs. */
function hitting(hit: string, ran: number, phase: Phase, listed = "listed"): Expected {
  if (phase === "idle") return { others: [], ran: 0 };
  if (phase === "discovery") return { hit: listed, others: [], ran: 0 };
  return phase === "one call"
    ? { hit, others: [], ran }
    : { hit, others: ["success"], ran: Math.max(1, ran) };
}

const unknown = "outcome_unknown, ran: unknown";

/** The call ran and its answer was lost: once more only if it may run twice. */
const answerLost = (phase: Phase, kind: Kind): Expected =>
  kind === "plain" ? hitting(unknown, 1, phase) : hitting("success", 2, phase);

interface Bench {
  readonly server: RecordedServer;
  readonly http: TestServer | undefined;
  readonly stdio: StdioTestServer | undefined;
  readonly adapter: MCPToolAdapter;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function until(what: () => boolean): Promise<void> {
  for (let waited = 0; !what() && waited < 10_000; waited += 10) await pause(10);
}

const killed = async ({ stdio, adapter }: Bench): Promise<void> => {
  stdio?.kill();
  await until(() => adapter.state !== "ready");
};

async function restart({ http }: Bench): Promise<void> {
  await until(() => http?.isUp === false);
  await http?.restart();
}

export const failures: readonly Failure[] = [
  {
    name: "stdio: exits with 1",
    transport: "stdio",
    fault: (of) => ({ fault: "exit", code: 1, when: "after", times: 1, ...of }),
    idle: killed,
    expected: answerLost,
  },
  {
    name: "stdio: exits with 0",
    transport: "stdio",
    fault: (of) => ({ fault: "exit", code: 0, when: "after", times: 1, ...of }),
    idle: killed,
    expected: answerLost,
  },
  {
    name: "stdio: kill -9",
    transport: "stdio",
    fault: (of) => ({ fault: "crash", when: "after", times: 1, ...of }),
    idle: killed,
    expected: answerLost,
  },
  {
    name: "http: restarted on its port",
    transport: "http",
    fault: (of) => ({ fault: "crash", when: "after", times: 1, ...of }),
    idle: async ({ http }) => http?.down({ reset: true }),
    mend: { when: "meanwhile" },
    expected: (phase, kind) => ({
      ...answerLost(phase, kind),
      ...(kind === "plain" && { next: [unknown] }),
    }),
  },
  {
    name: "http: 404 to the session",
    transport: "http",
    fault: (of) => ({ fault: "session-expired", times: 1, ...of }),
    idle: ({ http }) => http?.forgetSessions(),
    expected: (phase) => hitting("success", 1, phase),
  },
  {
    name: "http: 400 to the session",
    transport: "http",
    fault: (of) => ({ fault: "session-expired", status: 400, times: 1, ...of }),
    expected: (phase) => hitting("protocol, ran: unknown", 0, phase),
  },
  {
    name: "http: answer stream cut",
    transport: "http",
    fault: (of) => ({ fault: "cut-stream", when: "after", times: 1, ...of }),
    idle: ({ http }) => http?.cut(),
    expected: answerLost,
  },
  {
    name: "http: gone, stays away",
    transport: "http",
    fault: (of) => ({ fault: "exit", when: "after", times: 1, ...of }),
    idle: async ({ http }) => http?.down(),
    mend: { when: "afterwards" },
    expected: (phase) => hitting(unknown, 1, phase, "refused"),
  },
  {
    name: "http: half-open",
    transport: "http",
    fault: (of) => ({ fault: "half-open", times: 1, ...of }),
    timeoutMs: 1_000,
    expected: (phase) => hitting("timeout, ran: unknown", 0, phase, "timeout"),
  },
  {
    name: "http: 401",
    transport: "http",
    fault: (of) => ({ fault: "unauthorized", times: 1, ...of }),
    expected: (phase) => hitting("unauthorized, ran: no", 0, phase, "unauthorized"),
  },
];

const overrides: Record<Kind, Record<string, boolean> | undefined> = {
  "read-only": { read_only: true },
  idempotent: { idempotent: true },
  plain: undefined,
};

/** The phases in which a failure can show. */
export function phasesOf({ idle }: Failure): readonly Phase[] {
  return phases.filter((phase) => phase !== "idle" || idle !== undefined);
}

export async function runCell(failure: Failure, phase: Phase, kind: Kind): Promise<Cell> {
  const stdio = failure.transport === "stdio" ? stdioTestServer() : undefined;
  const http = failure.transport === "http" ? await startTestServer() : undefined;
  const server = stdio ?? http;
  if (server === undefined) throw new Error("no transport");
  const requestTimeoutMs = failure.timeoutMs ?? 20_000;
  const config = stdio
    ? { name: "lab", command: stdio.command, args: stdio.args, requestTimeoutMs }
    : ({
        name: "lab",
        url: http?.url ?? "",
        transport: "streamable-http",
        requestTimeoutMs,
      } as const);
  const adapter = new MCPToolAdapter(config, { circuitResetMs: 20 });
  try {
    await adapter.connect();
    const registry = new ToolRegistry();
    await adapter.registerTools(registry, "lab");
    const fields = overrides[kind];
    if (fields) {
      registry.applyOverrides({ name: "lab/effect", overrides: fields }, { origin: "lab" });
    }
    return await strike(failure, phase, { server, http, stdio, adapter }, registry);
  } finally {
    await adapter.disconnect();
    await server.stop();
  }
}

async function strike(
  failure: Failure,
  phase: Phase,
  bench: Bench,
  registry: ToolRegistry,
): Promise<Cell> {
  const { adapter, server } = bench;
  const { mend, timeoutMs } = failure;
  const call = (id: string) => registry.invoke("lab/effect", { id });
  const under = bringAbout(failure, phase, bench, call);
  const mended = mend?.when === "meanwhile" ? restart(bench) : undefined;
  const outcomes = await under;
  await mended;
  if (mend?.when === "afterwards") await restart(bench);
  // A half-open connection is known to be lost when its ping has not been answered.
  if (timeoutMs !== undefined) await until(() => adapter.state !== "ready");
  await until(() => adapter.state === "ready" || adapter.state === "down");
  // The circuit's time to reset.
  await pause(30);
  const next = outcome(await call("next"));
  const times = [...server.effects].filter(([id]) => id !== "next").map(([, count]) => count);
  return { outcomes, ran: Math.max(0, ...times), next };
}

async function bringAbout(
  failure: Failure,
  phase: Phase,
  bench: Bench,
  call: (id: string) => Promise<ToolResult>,
): Promise<string[]> {
  const { adapter, server } = bench;
  if (phase === "idle") {
    await failure.idle?.(bench);
    return [];
  }
  if (phase === "discovery") {
    server.faults.on(failure.fault({ method: "tools/list" }));
    const listing = adapter.discoverTools();
    return [
      await listing.then(
        () => "listed",
        (error: { code?: string }) => String(error.code),
      ),
    ];
  }
  server.faults.on(failure.fault({ tool: "effect" }));
  const ids = phase === "one call" ? ["a"] : ["a", "b", "c"];
  const outcomes = await Promise.all(ids.map(call));
  // Which of several is hit is the server's to say.
  return outcomes.map(outcome).sort((a, b) => Number(a === "success") - Number(b === "success"));
}

function outcome(result: ToolResult): string {
  return result.success ? "success" : `${result.errorCode}, ran: ${result.ran}`;
}
