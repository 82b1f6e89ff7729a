import type { Fault, RecordedServer, StdioTestServer, TestServer } from "@x/mcp-testkit";
import type { MCPToolAdapter } from "../src/index.ts";

/** What is lost, while what happens, for which kind of tool, and what has to come of it. */

/** `idle`: nothing is under way when it happens, and then one call is made. */
export const phases = ["idle", "one call", "three calls", "discovery"] as const;
export type Phase = (typeof phases)[number];

/** The first two are said of the tool by an override. */
export const kinds = ["read-only", "idempotent", "plain"] as const;
export type Kind = (typeof kinds)[number];

export interface Cell {
  /** What the calls, or the discovery, came to. */
  readonly outcomes: readonly string[];
  /** How often a call ran on the server; the most of any of them. */
  readonly ran: number;
  /** What a call came to that was made while the server was away. */
  readonly away?: string;
  /** What the call after it all came to, by the tool that was registered before it. */
  readonly next: string;
  /** Whether a filtered tool is still neither registered nor called. */
  readonly filtered: boolean;
}

export interface Expected {
  /** What the message that is hit comes to; any of these. */
  readonly hit: readonly string[];
  /** How often it ran; the most, where only the server can know. */
  readonly ran: number;
  readonly atMost?: boolean;
}

export interface Bench {
  readonly server: RecordedServer;
  readonly http: TestServer | undefined;
  readonly stdio: StdioTestServer | undefined;
  readonly adapter: MCPToolAdapter;
}

type Hits = { readonly method: string } | { readonly tool: string } | Record<never, never>;

/** Something that goes wrong, how it is brought about, and how it is mended. */
export interface Failure {
  readonly name: string;
  readonly transport: "stdio" | "http" | "sse";
  /** Switched on for one message of the given kind. */
  readonly fault: (of: Hits) => Fault;
  /** The same while nothing is under way, where that is not the fault of the next message. */
  readonly idle?: (bench: Bench) => Promise<void> | void;
  /** When the server is brought back, where it does not come back by itself. */
  readonly back?: "meanwhile" | "afterwards";
  /** The deadline of what is hit, where nothing else ends it. */
  readonly timeoutMs?: { readonly call: number; readonly discovery: number };
  readonly expected: (phase: Phase, kind: Kind) => Expected;
}

const unknown = "outcome_unknown, ran: unknown";
const unavailable = "unavailable, ran: no";

const comesTo = (hit: string, ran: number): Expected => ({ hit: [hit], ran });

/** The call ran and its answer was lost: once more only if it may run twice. */
function answerLost(phase: Phase, kind: Kind): Expected {
  if (phase === "discovery") return comesTo("listed", 0);
  if (phase === "idle") return comesTo("success", 1);
  return kind === "plain" ? comesTo(unknown, 1) : comesTo("success", 2);
}

const killed = async ({ stdio, adapter }: Bench): Promise<void> => {
  stdio?.kill();
  while (adapter.state === "ready") await new Promise((resolve) => setTimeout(resolve, 5));
};

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
    back: "meanwhile",
    expected: answerLost,
  },
  {
    name: "http: 404 to the session",
    transport: "http",
    fault: (of) => ({ fault: "session-expired", times: 1, ...of }),
    idle: ({ http }) => http?.forgetSessions(),
    expected: (phase) => (phase === "discovery" ? comesTo("listed", 0) : comesTo("success", 1)),
  },
  {
    name: "http: 400 to the session",
    transport: "http",
    fault: (of) => ({ fault: "session-expired", status: 400, times: 1, ...of }),
    expected: (phase) =>
      phase === "discovery" ? comesTo("listed", 0) : comesTo("protocol, ran: unknown", 0),
  },
  {
    name: "http: answer stream cut",
    transport: "http",
    fault: (of) => ({ fault: "cut-stream", when: "after", times: 1, ...of }),
    idle: ({ http }) => http?.cut(),
    expected: answerLost,
  },
  {
    name: "sse: stream cut",
    transport: "sse",
    fault: (of) => ({ fault: "cut-stream", when: "after", times: 1, ...of }),
    idle: ({ http }) => http?.cut(),
    expected: answerLost,
  },
  {
    name: "http: gone, then refuses",
    transport: "http",
    fault: (of) => ({ fault: "exit", when: "after", times: 1, ...of }),
    idle: async ({ http }) => http?.down(),
    back: "afterwards",
    expected: (phase) => {
      if (phase === "discovery") return comesTo("refused", 0);
      return phase === "idle" ? comesTo(unavailable, 0) : comesTo(unknown, 1);
    },
  },
  {
    name: "http: half-open",
    transport: "http",
    fault: (of) => ({ fault: "half-open", times: 1, ...of }),
    timeoutMs: { call: 1_500, discovery: 4_000 },
    expected: (phase) =>
      phase === "discovery"
        ? comesTo("timeout", 0)
        : { ...comesTo("timeout, ran: unknown", 1), atMost: true },
  },
  {
    name: "http: 401",
    transport: "http",
    fault: (of) => ({ fault: "unauthorized", times: 1, ...of }),
    expected: (phase) =>
      comesTo(phase === "discovery" ? "unauthorized" : "unauthorized, ran: no", 0),
  },
];

/**
 * What in a cell is not as expected. Of three calls at least one is hit and the others succeed, the
 * call after it succeeds, and one while the server is away never leaves.
 */
export function mismatch(cell: Cell, expected: Expected, phase: Phase): string | undefined {
  const { outcomes, ran, away = unavailable, next, filtered } = cell;
  const { hit, atMost } = expected;
  if (!outcomes.some((outcome) => hit.includes(outcome))) return `nothing came to ${hit}`;
  const several = phase === "three calls";
  const other = outcomes.find(
    (outcome) => !hit.includes(outcome) && !(several && outcome === "success"),
  );
  if (other !== undefined) return `something came to ${other}`;
  // The others ran once.
  const most = several ? Math.max(1, expected.ran) : expected.ran;
  if (atMost ? ran > most : ran !== most) return `ran ${ran} times, expected ${most}`;
  if (away !== unavailable) return `a call while the server was away came to ${away}`;
  if (!filtered) return "the filter did not hold";
  return next === "success" ? undefined : `the next call came to ${next}`;
}

/** The table of what is expected, in Markdown, as it stands in the documents. */
export function matrixTable(): string {
  const header = [
    "lost",
    "while idle, then a call",
    "under calls, read-only or idempotent by override",
    "under calls, plain tool",
    "under a discovery",
  ];
  const rows = failures.map(({ name, expected }) => [
    name,
    shown(expected("idle", "plain")),
    shown(expected("one call", "read-only")),
    shown(expected("one call", "plain")),
    expected("discovery", "plain").hit.join(" or "),
  ]);
  return [header, header.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

function shown({ hit, ran, atMost }: Expected): string {
  const codes = hit.map((outcome) => outcome.replace(/, ran: .*/, ""));
  return `${codes.join(" or ")}, ran ${atMost ? "at most " : ""}${ran}×`;
}
