import type { Readable, Writable } from "node:stream";
import { type BoardStore, emptyBoard, memoryBoard } from "../board/board.ts";
import { fileBoard } from "../board/file-board.ts";
import { readFault } from "../faults/fault.ts";
import { HttpService } from "../http/http-service.ts";
import { ssePath, streamablePath } from "../http/router.ts";
import { ownProcess, watchSignals } from "../process/own-process.ts";
import type { Host, Life } from "../protocol/host.ts";
import { FileJournal } from "../records/file-journal.ts";
import { type Journal, memoryJournal } from "../records/journal.ts";
import { boardFile, journalFile } from "../server/control-folder.ts";
import { announce, makeHost } from "../server/make-host.ts";
import { defaultRecordLimit } from "../server/recorded-server.ts";
import { serveStdio } from "../stdio/stdio-server.ts";
import { TestkitError } from "../testkit-error.ts";
import { type Asked, readArguments, usage } from "./arguments.ts";

/** How soon a notification that the test asks for is sent. */
const watchMs = 20;

/** What a command line reads, writes and ends. */
export interface Surroundings {
  readonly input: Readable;
  readonly output: Writable;
  readonly errors: Writable;
  /** @param mark stands in the command line of whatever it starts */
  lifeOf(journal: Journal, mark: string): Life;
}

/**
 * Runs the server that the command line asks for; a wrong one is said on stderr.
 * @returns the exit code if there is nothing to run; else what runs, or has run to its end
 */
export async function runCommandLine(
  args: readonly string[],
  around: Surroundings,
): Promise<number | Host | HttpService> {
  try {
    const asked = readArguments(args);
    if (asked === undefined) {
      around.output.write(usage);
      return 0;
    }
    const host = hostOf(asked, around);
    return await (asked.transport === "stdio"
      ? runStdio(host, around)
      : runHttp(host, asked, around));
  } catch (error) {
    if (!(error instanceof TestkitError)) throw error;
    around.errors.write(`mcp-testkit: ${error.message}\n\n${usage}`);
    return 2;
  }
}

/** The surroundings of this process. */
export const ownSurroundings: Surroundings = {
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
  lifeOf: ownProcess,
};

function hostOf({ control, service, ...asked }: Asked, { lifeOf }: Surroundings): Host {
  if (control === undefined) {
    const journal = memoryJournal(defaultRecordLimit);
    return makeHost(service, journal, boardOf(asked), lifeOf(journal, "mcp-testkit"));
  }
  const journal = new FileJournal(journalFile(control), defaultRecordLimit);
  return makeHost(service, journal, fileBoard(boardFile(control)), lifeOf(journal, control));
}

function boardOf({ faults, tools, transport }: Pick<Asked, "faults" | "tools" | "transport">) {
  const store: BoardStore = memoryBoard();
  const active = faults.map((fault, index) => readFault(fault, `c${index}`, [transport]));
  store.write({ ...emptyBoard, tools, faults: active });
  return store;
}

async function runStdio(host: Host, { input, output }: Surroundings): Promise<Host> {
  host.journal.append({ kind: "process", pid: process.pid, note: "start" });
  const endWatch = watchSignals(host.plan, host.journal);
  const endNotices = sendNotices(host);
  await serveStdio(host, input, output).ended;
  endWatch();
  endNotices();
  host.life.exit(0, "");
  return host;
}

/** Passes on what the test asks to be announced while this process runs. */
function sendNotices(host: Host): () => void {
  let last = host.board().notices.at(-1)?.number ?? 0;
  const timer = setInterval(() => {
    for (const { number, method, params } of host.board().notices) {
      if (number <= last) continue;
      last = number;
      announce(host, method, params);
    }
  }, watchMs);
  return () => clearInterval(timer);
}

async function runHttp(
  host: Host,
  { port, answers, transport }: Asked,
  { output }: Surroundings,
): Promise<HttpService> {
  const service = new HttpService(host, port, { answers });
  await service.up();
  const path = transport === "sse" ? ssePath : streamablePath;
  output.write(`http://127.0.0.1:${service.listener.port}${path}\n`);
  return service;
}
