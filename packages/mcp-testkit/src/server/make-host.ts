import type { BoardStore } from "../board/board.ts";
import { FaultPlan } from "../faults/fault-plan.ts";
import { type JsonObject, notification } from "../json-rpc.ts";
import { Backlog } from "../protocol/backlog.ts";
import type { Host, Life, ServiceOptions } from "../protocol/host.ts";
import { Sessions } from "../protocol/sessions.ts";
import type { Journal } from "../records/journal.ts";

export function makeHost(
  service: ServiceOptions,
  journal: Journal,
  store: BoardStore,
  life: Life,
): Host {
  return {
    service,
    board: () => store.read(),
    plan: new FaultPlan(() => store.read().faults, journal),
    journal,
    sessions: new Sessions(),
    life,
    backlog: new Backlog(),
  };
}

/** Sends a notification to every session that is initialized. */
export function announce({ sessions }: Host, method: string, params?: JsonObject): void {
  for (const session of sessions) {
    if (session.protocolVersion !== undefined) session.notify(notification(method, params));
  }
}
