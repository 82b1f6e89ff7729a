import type { Readable, Writable } from "node:stream";
import type { Occasion } from "../faults/fault-plan.ts";
import { readIncoming } from "../json-rpc.ts";
import { pause } from "../pause.ts";
import { dispatch, isRefusedBatch, refuseBatch } from "../protocol/dispatch.ts";
import { isDumb } from "../protocol/exchange.ts";
import type { Host } from "../protocol/host.ts";
import { occasionOf } from "../protocol/inbox.ts";
import { plain } from "../protocol/reply.ts";
import { Session } from "../protocol/session.ts";
import { startUp } from "../protocol/start-up.ts";
import { allowsBatch } from "../protocol/versions.ts";
import { journalled } from "../records/journalled.ts";
import { LineSplitter } from "./line-splitter.ts";
import { stdioReply } from "./stdio-reply.ts";

/** How long answers may still take after the end of the input. */
const partingMs = 100;

const atStart: Occasion = { transport: "stdio", kind: "none" };

export interface StdioServer {
  readonly session: Session;
  /** Resolves when the input has ended and no fault keeps the server alive any more. */
  readonly ended: Promise<void>;
}

/** Serves one client over a pair of streams, from `slow-start` to the end of the input. */
export function serveStdio(host: Host, input: Readable, output: Writable): StdioServer {
  const reply = stdioReply(output);
  const session = new Session("stdio", "stdio");
  session.attach({ send: (message) => void reply.send([message], plain), cut: () => undefined });
  host.sessions.know(session);
  return { session, ended: serve(host, session, input, output) };
}

async function serve(
  host: Host,
  session: Session,
  input: Readable,
  output: Writable,
): Promise<void> {
  const reply = stdioReply(output);
  const start = await startUp(host, "stdio");
  const { lines = 0, text = "" } = start.get("garbage") ?? {};
  for (let line = 0; line < lines; line += 1) output.write(`${text}\n`);
  await pause(start.get("slow-start")?.ms ?? 0, session.signal);
  const splitter = new LineSplitter();
  const running = new Set<Promise<unknown>>();
  for await (const piece of input) {
    for (const line of splitter.push(Buffer.from(piece))) takeLine(line);
  }
  host.journal.append({ kind: "process", pid: process.pid, note: "eof" });
  await Promise.race([Promise.all(running), pause(partingMs, session.signal)]);
  const { ms = 0 } = host.plan.fire("eof", atStart).get("ignore-eof") ?? {};
  await pause(ms, session.signal);
  session.close();

  function takeLine(line: string): void {
    const incoming = readIncoming(line);
    const occasions = incoming.messages.map((message) => {
      host.journal.append(journalled(message, { transport: "stdio" }));
      return occasionOf(message, { transport: "stdio" });
    });
    if (isDumb(session, host)) return;
    if (isRefusedBatch(incoming, allowsBatch(session.protocolVersion))) {
      void reply.send([refuseBatch()], plain);
      return;
    }
    const arrivals = incoming.messages.map((message, index) => {
      const occasion = occasions[index] ?? atStart;
      return { message, occasion, before: host.plan.fire("before", occasion) };
    });
    const dispatched = dispatch({ arrivals, batch: incoming.batch, session, host, reply });
    running.add(dispatched);
    void dispatched.finally(() => running.delete(dispatched));
  }
}
