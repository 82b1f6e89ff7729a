import type { ActiveFault } from "../faults/fault.ts";
import { type Fired, nothingFired, type Occasion } from "../faults/fault-plan.ts";
import {
  errorAnswer,
  type JsonObject,
  notification,
  RpcError,
  type RpcRequest,
  resultAnswer,
  rpcCode,
} from "../json-rpc.ts";
import { pause } from "../pause.ts";
import type { Host } from "./host.ts";
import { type Performance, perform } from "./methods.ts";
import { plain, type Reply } from "./reply.ts";
import type { Session } from "./session.ts";
import { shape } from "./shape.ts";
import { progressToken } from "./tool-call.ts";

/** One message on its way through the server. */
export interface Exchange {
  readonly request?: RpcRequest;
  readonly occasion: Occasion;
  readonly session: Session;
  readonly host: Host;
  readonly reply: Reply;
}

interface RequestExchange extends Exchange {
  readonly request: RpcRequest;
}

let calls = 0;

/**
 * Performs a request and answers it, with the faults of every stage.
 * @param before the faults that fired when the message came
 */
export async function answer(exchange: RequestExchange, before: Fired): Promise<void> {
  const { request, session, reply } = exchange;
  if (session.running.has(request.id)) {
    const error = new RpcError(rpcCode.invalidRequest, "Invalid Request: this id is in use");
    await reply.send([errorAnswer(request.id, error)], { ...plain, last: true });
    return;
  }
  const controller = new AbortController();
  session.running.set(request.id, { controller, occasion: exchange.occasion });
  try {
    await run(exchange, before, controller.signal);
    if (controller.signal.aborted) reply.close();
  } finally {
    session.running.delete(request.id);
  }
}

async function run(exchange: RequestExchange, before: Fired, signal: AbortSignal): Promise<void> {
  const { host, request, occasion, session } = exchange;
  calls += 1;
  const call = `${process.pid}-${calls}`;
  if (!(await survives(exchange, before, signal))) return;
  const early = before.get("rpc-error");
  if (early !== undefined) return deliver(exchange, errorOf(request, early), call, signal);
  const performed = await outcome(exchange, call, signal);
  if (signal.aborted || isDumb(session, host)) return;
  const after = host.plan.fire("after", occasion);
  if (!(await survives(exchange, after, signal)) || signal.aborted) return;
  const late = after.get("rpc-error");
  await deliver(exchange, late ? errorOf(request, late) : performed, call, signal);
}

async function deliver(
  exchange: RequestExchange,
  performed: JsonObject,
  call: string,
  signal: AbortSignal,
): Promise<void> {
  const { host, request, occasion, reply } = exchange;
  const fired = host.plan.fire("answering", occasion);
  const held = fired.get("out-of-order");
  if (held !== undefined) await host.backlog.hold(held.count, held.ms);
  const { ending } = fired;
  if (ending?.fault === "endless") return end(exchange, ending, signal);
  const framing = { fired, last: true, half: ending !== undefined };
  const sent = await reply.send(shape(performed, fired), framing);
  if (ending !== undefined) return end(exchange, ending, signal);
  if (sent && request.method === "tools/call") host.journal.append({ kind: "answered", call });
}

/** Lets the faults of a stage happen. @returns whether the message goes on */
export async function survives(
  exchange: Exchange,
  fired: Fired,
  signal: AbortSignal,
): Promise<boolean> {
  if (fired === nothingFired) return true;
  const { session, host, reply } = exchange;
  const delay = fired.get("delay");
  if (delay !== undefined) await pause(delay.ms, signal);
  if (fired.get("forget-sessions") !== undefined) host.sessions.forgetAll();
  const { bytes } = fired.get("stderr-flood") ?? {};
  if (bytes !== undefined) host.life.floodStderr(bytes);
  const cut = fired.get("cut-get-stream");
  if (cut !== undefined) session.cutListeners(cut.reset);
  const drop = fired.get("drop-stream");
  if (drop !== undefined) reply.drop(drop.reset);
  const storm = fired.get("list-changed-storm")?.count ?? 0;
  for (let sent = 0; sent < storm; sent += 1) {
    await reply.send([notification("notifications/tools/list_changed")], plain);
  }
  if (fired.get("server-ping") !== undefined) {
    await session.ask({ method: "ping" }, (message) => reply.send([message], plain), signal);
  }
  const { ending } = fired;
  if (ending !== undefined) await end(exchange, ending, signal);
  return ending === undefined;
}

/** Ends an exchange in the manner of a fault; what only one transport can do, its reply does. */
async function end(exchange: Exchange, fault: ActiveFault, signal: AbortSignal): Promise<void> {
  const { host, session, reply } = exchange;
  switch (fault.fault) {
    case "exit":
      return host.life.exit(fault.code, fault.stderr);
    case "crash":
      return host.life.crash();
    case "close-stdout":
      return host.life.closeStdout();
    case "silence":
      return aborted(signal);
    case "half-open":
      session.dumbBy = fault.key;
      return;
    case "endless-progress":
      return reportForEver(exchange, fault.everyMs, signal);
    default:
      return reply.end(fault, signal);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function reportForEver(
  { request, reply }: Exchange,
  everyMs: number,
  signal: AbortSignal,
): Promise<void> {
  const token = request && progressToken(request.params);
  for (let progress = 1; await pause(everyMs, signal); progress += 1) {
    const report = notification("notifications/progress", { progressToken: token, progress });
    if (token !== undefined) await reply.send([report], plain);
  }
}

/** Does the session answer nothing any more? */
export function isDumb({ dumbBy }: Session, { plan }: Host): boolean {
  return dumbBy !== undefined && plan.isOn(dumbBy);
}

async function outcome(
  { request, session, host, occasion, reply }: RequestExchange,
  call: string,
  signal: AbortSignal,
): Promise<JsonObject> {
  const performance: Performance = {
    ...{ request, session, host, occasion, signal, call },
    send: async (message) => {
      if (!isDumb(session, host)) await reply.send([message], plain);
    },
  };
  try {
    return resultAnswer(request.id, await perform(performance));
  } catch (error) {
    if (error instanceof RpcError) return errorAnswer(request.id, error);
    throw error;
  }
}

function errorOf(
  { id }: RpcRequest,
  { code, message, data }: { code: number; message: string; data?: unknown },
): JsonObject {
  return errorAnswer(id, new RpcError(code, message, data));
}
