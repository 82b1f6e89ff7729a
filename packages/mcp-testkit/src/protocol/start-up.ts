import type { Transport } from "../faults/entry.ts";
import type { Fired } from "../faults/fault-plan.ts";
import type { Host } from "./host.ts";

/** Lets the faults of the start happen that concern the process; the others are the caller's. */
export async function startUp({ plan, life }: Host, transport: Transport): Promise<Fired> {
  const fired = plan.fire("start", { transport, kind: "none" });
  const flood = fired.get("stderr-flood");
  if (flood !== undefined) life.floodStderr(flood.bytes);
  const grandchild = fired.get("grandchild");
  if (grandchild !== undefined) await life.startGrandchild(grandchild.ms, grandchild.ignoreTerm);
  const exit = fired.get("exit");
  if (exit !== undefined) life.exit(exit.code, exit.stderr);
  if (fired.get("crash") !== undefined) life.crash();
  if (fired.get("close-stdout") !== undefined) life.closeStdout();
  return fired;
}
