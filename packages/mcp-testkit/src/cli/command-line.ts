import { emptyBoard, memoryBoard } from "../board/board.ts";
import { fileBoard } from "../board/file-board.ts";
import { readFault } from "../faults/fault.ts";
import { HttpService } from "../http/http-service.ts";
import { ssePath, streamablePath } from "../http/router.ts";
import { ownProcess, watchSignals } from "../process/own-process.ts";
import type { Host } from "../protocol/host.ts";
import { FileJournal } from "../records/file-journal.ts";
import { memoryJournal } from "../records/journal.ts";
import { boardFile, journalFile } from "../server/control-folder.ts";
import { announce, makeHost } from "../server/make-host.ts";
import { recordLimit } from "../server/recorded-server.ts";
import { serveStdio } from "../stdio/stdio-server.ts";
import { TestkitError } from "../testkit-error.ts";
import { type Asked, readArguments, usage } from "./arguments.ts";

/** How soon a notification that the test asks for is sent. */
const watchMs = 20;

/** Runs the server that the command line asks for in this process; a wrong one is exit code 2. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  try {
    const asked = readArguments(args);
    if (asked === undefined) return void process.stdout.write(usage);
    const host = hostOf(asked);
    await (asked.transport === "stdio" ? runStdio(host) : runHttp(host, asked));
  } catch (error) {
    if (!(error instanceof TestkitError)) throw error;
    process.stderr.write(`mcp-testkit: ${error.message}\n\n${usage}`);
    process.exitCode = 2;
  }
}

function hostOf({ control, tools, faults, transport, service }: Asked): Host {
  const active = faults.map((fault, index) => readFault(fault, `c${index}`, [transport]));
  const journal =
    control === undefined
      ? memoryJournal(recordLimit)
      : new FileJournal(journalFile(control), recordLimit);
  const life = ownProcess(journal, control ?? "mcp-testkit");
  if (control !== undefined) return makeHost(service, journal, fileBoard(boardFile(control)), life);
  const store = memoryBoard();
  store.write({ ...emptyBoard, tools, faults: active });
  return makeHost(service, journal, store, life);
}

async function runStdio(host: Host): Promise<void> {
  const { journal, plan } = host;
  journal.append({ kind: "process", pid: process.pid, note: "start" });
  const endWatch = watchSignals(plan, journal);
  const endNotices = sendNotices(host);
  await serveStdio(host, process.stdin, process.stdout).ended;
  endWatch();
  endNotices();
  host.life.exit(0, "");
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

async function runHttp(host: Host, { port, answers, transport }: Asked): Promise<void> {
  const service = new HttpService(host, port, answers);
  await service.up();
  const path = transport === "sse" ? ssePath : streamablePath;
  process.stdout.write(`http://127.0.0.1:${service.listener.port}${path}\n`);
}
