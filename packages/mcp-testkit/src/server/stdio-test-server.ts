import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BoardStore, emptyBoard } from "../board/board.ts";
import { fileBoard } from "../board/file-board.ts";
import type { Fault } from "../faults/fault.ts";
import type { JsonObject } from "../json-rpc.ts";
import { killAll, living, signal } from "../process/processes.ts";
import type { ServiceOptions } from "../protocol/host.ts";
import type { TestTool } from "../protocol/tool.ts";
import type { ProcessNote } from "../records/entry.ts";
import { FileJournal } from "../records/file-journal.ts";
import { TestkitError } from "../testkit-error.ts";
import { boardFile, journalFile, serviceFile } from "./control-folder.ts";
import { program } from "./program.ts";
import { defaultRecordLimit, RecordedServer, type RecordOptions } from "./recorded-server.ts";

export interface StdioTestServerOptions extends ServiceOptions, RecordOptions {
  /** Tools beside the built-in ones, without `run`. @defaultValue none */
  readonly tools?: readonly TestTool[];
  /** Faults that are on from the start. @defaultValue none */
  readonly faults?: readonly Fault[];
}

/**
 * Prepares a stdio server that a client under test starts by `command` and `args`, as often as it
 * likes. Faults and records are shared with every process it starts, and survive each of them.
 * @throws TestkitError `fault`, or `option` for a tool with `run`
 */
export function stdioTestServer(options: StdioTestServerOptions = {}): StdioTestServer {
  const server = new StdioTestServer(options);
  for (const fault of options.faults ?? []) server.faults.on(fault);
  return server;
}

/** A stdio server to be started by others; `stdioTestServer` makes it. */
export class StdioTestServer extends RecordedServer {
  /** The program to start: this Node. */
  readonly command: string;
  readonly args: string[];
  readonly #folder: string;
  readonly #store: BoardStore;
  readonly #journal: FileJournal;
  readonly #life: AbortController;

  constructor(options: StdioTestServerOptions) {
    const { tools = [], faults: _, recordLimit = defaultRecordLimit, ...service } = options;
    refuseRun(tools);
    const folder = mkdtempSync(join(tmpdir(), "mcp-testkit-"));
    const life = new AbortController();
    const store = whileAlive(fileBoard(boardFile(folder)), life.signal);
    const journal = new FileJournal(journalFile(folder), recordLimit);
    super(journal, store, ["stdio"]);
    store.write({ ...emptyBoard, tools });
    writeFileSync(serviceFile(folder), JSON.stringify(service));
    this.command = process.execPath;
    this.args = [program(), "stdio", "--control", folder];
    this.#folder = folder;
    this.#store = store;
    this.#journal = journal;
    this.#life = life;
  }

  /** What the processes noted about themselves, the oldest first. */
  get processes(): readonly ProcessNote[] {
    return this.#journal.records.processes;
  }

  /** The servers and their grandchildren that run now. */
  get pids(): readonly number[] {
    return living(
      this.processes.map(({ pid }) => pid),
      this.#folder,
    );
  }

  /** @throws TestkitError `option` for a tool with `run` */
  override setTools(tools: readonly TestTool[]): void {
    refuseRun(tools);
    super.setTools(tools);
  }

  /** Seen by the processes that run within 20 ms; none is kept for later ones. */
  override notify(method: string, params?: JsonObject): void {
    const board = this.#store.read();
    const number = (board.notices.at(-1)?.number ?? 0) + 1;
    const notice = { number, method, ...(params !== undefined && { params }) };
    this.#store.write({ ...board, notices: [...board.notices.slice(-99), notice] });
  }

  /** Sends a signal to every process that runs. @defaultValue `"SIGKILL"` */
  kill(name: NodeJS.Signals = "SIGKILL"): void {
    for (const pid of this.pids) signal(pid, name);
  }

  /** Kills what still runs and removes the control folder; records stay readable. */
  override async stop(): Promise<void> {
    this.#life.abort();
    await killAll(() => this.pids);
    this.#journal.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Once the server is stopped there is nothing left to change. */
function whileAlive(store: BoardStore, signal: AbortSignal): BoardStore {
  const check = (): void => {
    if (signal.aborted) throw new TestkitError("stopped", "the server was stopped");
  };
  return {
    read: () => {
      check();
      return store.read();
    },
    write: (board) => {
      check();
      store.write(board);
    },
  };
}

function refuseRun(tools: readonly TestTool[]): void {
  if (tools.every(({ run }) => run === undefined)) return;
  throw new TestkitError("option", "a tool of another process has no `run`; give it a `result`");
}
