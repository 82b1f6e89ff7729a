import type { Occasion } from "../faults/fault-plan.ts";
import type { RpcMessage, RpcNotification } from "../json-rpc.ts";
import { isRequestId } from "../json-rpc.ts";
import type { Host } from "./host.ts";
import type { Session } from "./session.ts";

/** What the plan is asked with about a message. */
export function occasionOf(
  message: RpcMessage | undefined,
  more: Omit<Occasion, "kind">,
): Occasion {
  if (message === undefined || message.kind === "invalid") return { ...more, kind: "none" };
  if (message.kind === "response") return { ...more, kind: "response" };
  const { kind, method, params } = message;
  const tool = method === "tools/call" ? params["name"] : undefined;
  return { ...more, kind, method, tool: typeof tool === "string" ? tool : undefined };
}

/** Takes in what gets no answer. */
export function receive(
  message: Exclude<RpcMessage, { kind: "request" | "invalid" }>,
  session: Session,
  host: Host,
): void {
  if (message.kind === "response") session.receive(message);
  else if (message.method === "notifications/cancelled") cancel(message, session, host);
}

function cancel({ params }: RpcNotification, session: Session, { plan, journal }: Host): void {
  const { requestId: id, reason } = params;
  const running = isRequestId(id) ? session.running.get(id) : undefined;
  journal.append({
    kind: "cancelled",
    cancelled: { id, ...(reason !== undefined && { reason }), running: running !== undefined },
  });
  if (running === undefined) return;
  const ignored = plan.fire("cancel", running.occasion).get("ignore-cancelled") !== undefined;
  if (!ignored) running.controller.abort();
}
