import type { RpcMessage } from "../json-rpc.ts";
import type { JournalEntry, RequestRecord } from "./entry.ts";

/** What the journal says about a message that came; about a request without one if it is undefined. */
export function journalled(
  message: RpcMessage | undefined,
  more: Omit<RequestRecord, "kind" | "method" | "id" | "params">,
): JournalEntry {
  if (message === undefined || message.kind === "invalid") {
    return { kind: "request", request: { ...more, kind: "none" } };
  }
  if (message.kind === "response") {
    return { kind: "request", request: { ...more, kind: "response", id: message.id } };
  }
  return { kind: "request", request: { ...more, ...message } };
}
