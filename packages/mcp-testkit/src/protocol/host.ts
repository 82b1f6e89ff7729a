import type { Board } from "../board/board.ts";
import type { FaultPlan } from "../faults/fault-plan.ts";
import type { Journal } from "../records/journal.ts";
import type { Backlog } from "./backlog.ts";
import type { Sessions } from "./sessions.ts";

/** Kinds of things a server offers; what is not offered is not advertised and not found. */
export type Offer = "tools" | "resources" | "prompts";

export interface ServiceOptions {
  /** @defaultValue all three */
  readonly offers?: readonly Offer[];
  /** Whether the built-in tools are there. @defaultValue true */
  readonly builtInTools?: boolean;
  /** Items on a page of each list. @defaultValue 100 */
  readonly pageSize?: number;
  /** Versions of MCP that the server speaks, the newest last. @defaultValue 2024-11-05 to 2025-11-25 */
  readonly protocolVersions?: readonly string[];
  /** `instructions` of the answer to `initialize`. @defaultValue none */
  readonly instructions?: string;
}

/** The end of the process, or what stands for it. */
export interface Life {
  exit(code: number, stderr: string): void;
  crash(): void;
  closeStdout(): void;
  /** Blocks until all has been read. */
  floodStderr(bytes: number): void;
  /** Starts a process that holds the standard streams of this one; resolves when it is ready. */
  startGrandchild(ms: number, ignoreTerm: boolean): Promise<void>;
}

/** All that a running server shares between its transports and sessions. */
export interface Host {
  readonly service: ServiceOptions;
  readonly board: () => Board;
  readonly plan: FaultPlan;
  readonly journal: Journal;
  readonly sessions: Sessions;
  readonly life: Life;
  readonly backlog: Backlog;
}
