import type { Fired } from "../faults/fault-plan.ts";
import { httpFaults } from "../faults/http-faults.ts";
import type { FaultName } from "../faults/table.ts";
import { pause } from "../pause.ts";
import { endAsFault } from "./ending.ts";
import { type HttpExchange, knownSession } from "./http-exchange.ts";

/**
 * Lets those faults happen that stand before the protocol, as a proxy or a gateway would: they need
 * no session and no sound message.
 * @returns whether the exchange is over
 */
export async function endsEarly(exchange: HttpExchange, fired: readonly Fired[]): Promise<boolean> {
  const { host, response, signal } = exchange;
  for (const { faults } of fired) {
    if (faults.some(({ fault }) => fault === "forget-sessions")) host.sessions.forgetAll();
  }
  const ending = fired.map((found) => found.ending).find((fault) => fault !== undefined);
  if (ending === undefined) return false;
  if (!isBeforeProtocol(ending.fault) && !isDeath(ending.fault)) return false;
  const delays = fired.map((found) => found.get("delay")?.ms ?? 0);
  await pause(Math.max(0, ...delays), signal);
  if (ending.fault === "session-expired") forget(exchange);
  if (ending.fault === "exit") host.life.exit(ending.code, ending.stderr);
  else if (ending.fault === "crash") host.life.crash();
  else endAsFault(response, ending, undefined);
  return true;
}

function isDeath(name: FaultName): boolean {
  return name === "exit" || name === "crash";
}

/** Is it about the HTTP response itself, not about the stream that answers come on? */
export function isBeforeProtocol(name: FaultName): boolean {
  return Object.hasOwn(httpFaults, name) && name !== "cut-stream";
}

function forget(exchange: HttpExchange): void {
  const session = knownSession(exchange);
  if (session !== undefined) exchange.host.sessions.forget(session);
}
