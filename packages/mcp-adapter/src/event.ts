import type { MCPConnectionError } from "./errors.ts";
import type { AdapterState } from "./link.ts";
import type { MCPErrorCode } from "./result.ts";

/**
 * What `onEvent` is told. Arguments, header values and results are never in it.
 *
 * An exception that the listener throws is rethrown on its own, so that it is seen and changes
 * nothing here.
 */
export type MCPAdapterEvent = { readonly server: string } & (
  | { readonly type: "state"; readonly from: AdapterState; readonly state: AdapterState }
  | { readonly type: "connect.start"; readonly attempted: string }
  | {
      readonly type: "connect.end";
      readonly durationMs: number;
      readonly protocolVersion: string;
      readonly era: "legacy" | "modern";
      /** The process started for the connection; only over stdio. */
      readonly pid?: number;
    }
  | {
      readonly type: "connect.error";
      readonly durationMs: number;
      readonly error: MCPConnectionError;
    }
  | { readonly type: "connection.lost"; readonly message: string }
  | {
      readonly type: "discover.end";
      readonly durationMs: number;
      readonly tools: number;
      readonly quarantined: number;
    }
  | {
      readonly type: "tool.quarantined";
      readonly tool?: string;
      readonly code: string;
      readonly path: string;
      readonly message: string;
    }
  | { readonly type: "recover.start" }
  | { readonly type: "recover.end"; readonly attempts: number; readonly durationMs: number }
  | { readonly type: "recover.error"; readonly attempts: number; readonly error: unknown }
  /** Calls answer `unavailable` at once, until `resetMs` have passed and a trial succeeds. */
  | { readonly type: "circuit.open"; readonly resetMs: number }
  | { readonly type: "circuit.close" }
  | { readonly type: "list.changed"; readonly list: "tools" | "prompts" | "resources" }
  | { readonly type: "invoke.start"; readonly callId: number; readonly tool: string }
  | {
      readonly type: "invoke.end";
      readonly callId: number;
      readonly tool: string;
      readonly durationMs: number;
      readonly errorCode: MCPErrorCode | null;
      readonly ran: "no" | "yes" | "unknown";
    }
  /** The call is sent again, on a new connection. */
  | {
      readonly type: "invoke.replay";
      readonly callId: number;
      readonly tool: string;
      /** Why that is safe: it never ran, or it may run twice. */
      readonly because: "not_sent" | "refused" | "policy";
    }
  | { readonly type: "stderr"; readonly text: string }
  | { readonly type: "diagnostic"; readonly message: string; readonly error: unknown }
);

type WithoutServer<Event> = Event extends unknown ? Omit<Event, "server"> : never;

export type Emit = (event: WithoutServer<MCPAdapterEvent>) => void;

export function emitter(
  server: string,
  listener: ((event: MCPAdapterEvent) => void) | undefined,
): Emit {
  return (event) => {
    try {
      listener?.({ server, ...event });
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  };
}
