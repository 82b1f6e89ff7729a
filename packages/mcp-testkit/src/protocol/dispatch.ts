import { Fired, type Occasion } from "../faults/fault-plan.ts";
import {
  errorAnswer,
  type Incoming,
  RpcError,
  type RpcMessage,
  type RpcNotification,
  type RpcResponse,
  rpcCode,
} from "../json-rpc.ts";
import { answer, survives } from "./exchange.ts";
import type { Host } from "./host.ts";
import { receive } from "./inbox.ts";
import { plain, type Reply } from "./reply.ts";
import type { Session } from "./session.ts";

/** One message with what the plan had to say when it came. */
export interface Arrival {
  readonly message: RpcMessage;
  readonly occasion: Occasion;
  readonly before: Fired;
}

export interface Parcel {
  readonly arrivals: readonly Arrival[];
  readonly batch: boolean;
  readonly session: Session;
  readonly host: Host;
  readonly reply: Reply;
}

/** Why a batch is refused. */
export const batchRefusal: RpcError = new RpcError(
  rpcCode.invalidRequest,
  "Invalid Request: batches exist in 2025-03-26 only, and initialize is never in one",
);

/** @returns whether all went regularly; false if a fault ended a message that gets no answer */
export async function dispatch(parcel: Parcel): Promise<boolean> {
  if (!parcel.batch) {
    const taken = await Promise.all(parcel.arrivals.map((arrival) => take(arrival, parcel)));
    return taken.every(Boolean);
  }
  const collector = new Collector(parcel.reply);
  const collected = { ...parcel, reply: collector };
  const taken = await Promise.all(parcel.arrivals.map((arrival) => take(arrival, collected)));
  if (!(await collector.flush())) parcel.reply.close();
  return taken.every(Boolean);
}

async function take(arrival: Arrival, parcel: Parcel): Promise<boolean> {
  const { message, occasion, before } = arrival;
  const { session, host, reply } = parcel;
  if (message.kind === "request") {
    await answer({ request: message, occasion, session, host, reply }, before);
    return true;
  }
  if (message.kind === "invalid") {
    await reply.send([message.answer], { ...plain, last: true });
    return true;
  }
  return takeSilently(message, arrival, parcel);
}

/** Notifications and answers run nothing, but `before` and `after` them faults may act. */
async function takeSilently(
  message: RpcNotification | RpcResponse,
  { occasion, before }: Arrival,
  { session, host, reply }: Parcel,
): Promise<boolean> {
  const exchange = { occasion, session, host, reply };
  const { signal } = session;
  if (!(await survives(exchange, before, signal))) return false;
  receive(message, session, host);
  return survives(exchange, host.plan.fire("after", occasion), signal);
}

/** Gathers the answers of a batch, which are sent as one array. */
class Collector implements Reply {
  readonly #reply: Reply;
  readonly #answers: unknown[] = [];
  readonly #fired: Fired["faults"][number][] = [];
  #half = false;
  readonly close: Reply["close"];
  readonly drop: Reply["drop"];
  readonly end: Reply["end"];

  constructor(reply: Reply) {
    this.#reply = reply;
    this.close = () => undefined;
    this.drop = (reset) => reply.drop(reset);
    this.end = async (fault, signal) => {
      await this.flush();
      await reply.end(fault, signal);
    };
  }

  async send(
    messages: readonly unknown[],
    framing: Parameters<Reply["send"]>[1],
  ): Promise<boolean> {
    if (!framing.last) return this.#reply.send(messages, framing);
    this.#answers.push(...messages);
    this.#fired.push(...framing.fired.faults);
    this.#half ||= framing.half;
    return true;
  }

  /** @returns whether there was anything to send */
  async flush(): Promise<boolean> {
    const answers = this.#answers.splice(0);
    if (answers.length === 0) return false;
    const framing = { fired: new Fired(this.#fired), last: true, half: this.#half };
    await this.#reply.send([answers], framing);
    return true;
  }
}

/** Does a batch break the rules of the session's version? */
export function isRefusedBatch({ batch, messages }: Incoming, allowed: boolean): boolean {
  if (!batch) return false;
  return !allowed || messages.some((m) => m.kind === "request" && m.method === "initialize");
}

export function refuseBatch(): unknown {
  return errorAnswer(null, batchRefusal);
}
