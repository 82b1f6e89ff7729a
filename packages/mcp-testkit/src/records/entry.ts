import type { Transport } from "../faults/entry.ts";
import type { FaultName } from "../faults/table.ts";
import type { JsonObject, RequestId } from "../json-rpc.ts";

/** One message of a client, or one HTTP request without any. */
export interface RequestRecord {
  readonly transport: Transport;
  /** `none` for a GET, a DELETE, or a POST that was no JSON-RPC. */
  readonly kind: "request" | "notification" | "response" | "none";
  readonly method?: string;
  readonly id?: RequestId;
  readonly params?: JsonObject;
  /** The session as the client names it, known or not. */
  readonly session?: string;
  readonly verb?: string;
  readonly path?: string;
  /** As received, credentials included. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** A `tools/call` that reached its tool; one that was refused or lost before is not here. */
export interface CallRecord {
  readonly call: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly session: string;
  readonly id: RequestId;
  /** The whole answer was handed to the socket or pipe. */
  readonly answered: boolean;
}

export interface CancelRecord {
  readonly id: unknown;
  readonly reason?: unknown;
  /** The request was running when the cancellation came. */
  readonly running: boolean;
}

/** What a process noted about itself. */
export interface ProcessNote {
  readonly pid: number;
  readonly note: "start" | "grandchild" | "eof" | "SIGTERM" | "SIGINT" | "SIGHUP" | "exit";
}

/** One line of the journal. */
export type JournalEntry =
  | ({ readonly kind: "process" } & ProcessNote)
  | { readonly kind: "request"; readonly request: RequestRecord }
  | { readonly kind: "run"; readonly run: Omit<CallRecord, "answered"> }
  | { readonly kind: "effect"; readonly id: string }
  | { readonly kind: "answered"; readonly call: string }
  | { readonly kind: "cancelled"; readonly cancelled: CancelRecord }
  | { readonly kind: "fired"; readonly key: string; readonly fault: FaultName }
  | { readonly kind: "passed"; readonly key: string }
  | { readonly kind: "clear" };
