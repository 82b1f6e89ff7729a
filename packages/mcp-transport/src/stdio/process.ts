import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import spawn from "cross-spawn";
import type { StdioServerConfig } from "../config.ts";
import { holdGroup } from "./parting.ts";
import { groupGone, groupLives, signalGroup } from "./process-group.ts";

/** How long the rest of the output, or the exit, is waited for once one of them has come. */
const drainMs = 100;
/** How long the system may take to bury what was killed. */
const burialMs = 1_000;

/** What the three ways to stop a server may take, one after the other, before KILL. */
const graces = {
  graceful: { endOfInputMs: 2_000, terminateMs: 2_000 },
  abrupt: { endOfInputMs: 100, terminateMs: 400 },
};

export interface ProcessEnd {
  readonly exitCode?: number;
  readonly exitSignal?: string;
}

export interface ProcessEvents {
  stdout(chunk: Buffer): void;
  stderr(chunk: Buffer): void;
  /** Once, when it can say no more: it exited, or it closed stdout. */
  ended(end: ProcessEnd): void;
}

/** A server's process, and the group of those it starts. */
export class ServerProcess {
  readonly pid: number;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #release: () => void;
  #stopping: Promise<void> | undefined;

  /** Rejects with the system's error. */
  static async start(
    config: StdioServerConfig,
    env: Record<string, string>,
    events: ProcessEvents,
  ): Promise<ServerProcess> {
    const child = spawn(config.command, [...(config.args ?? [])], {
      env,
      ...(config.cwd !== undefined && { cwd: config.cwd }),
      stdio: ["pipe", "pipe", "pipe"],
      shell: false,
      windowsHide: true,
      // A group of its own, so that all that the server starts can be ended with it.
      detached: process.platform !== "win32",
    }) as ChildProcessWithoutNullStreams;
    if (child.pid === undefined) {
      const [error] = await once(child, "error");
      throw error;
    }
    return new ServerProcess(child, child.pid, config.killOnSignal ?? true, events);
  }

  private constructor(
    child: ChildProcessWithoutNullStreams,
    pid: number,
    killOnSignal: boolean,
    events: ProcessEvents,
  ) {
    this.pid = pid;
    this.#child = child;
    this.#release = holdGroup(pid, killOnSignal);
    child.stdout.on("data", (chunk: Buffer) => events.stdout(chunk));
    child.stderr.on("data", (chunk: Buffer) => events.stderr(chunk));
    // A stream that breaks is followed by the end of the process, which is what counts.
    for (const emitter of [child, child.stdin, child.stdout, child.stderr]) {
      emitter.on("error", () => {});
    }
    this.#watch(events);
  }

  /** Resolves when the system has taken it all. */
  write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#child.stdin.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Ends the process and its group: end of input, then TERM, then KILL. Resolves when they are gone. */
  stop(manner: keyof typeof graces): Promise<void> {
    this.#stopping ??= this.#stop(graces[manner].endOfInputMs, graces[manner].terminateMs);
    return this.#stopping;
  }

  async #stop(endOfInputMs: number, terminateMs: number): Promise<void> {
    this.#child.stdin.end();
    if (!(await groupGone(this.pid, endOfInputMs))) {
      signalGroup(this.pid, "SIGTERM");
      if (!(await groupGone(this.pid, terminateMs))) {
        signalGroup(this.pid, "SIGKILL");
        await groupGone(this.pid, burialMs);
      }
    }
    await this.#buried();
    // Somebody who left the group may still hold the other ends.
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) {
      stream.destroy();
    }
    if (!groupLives(this.pid)) this.#release();
  }

  /** A process that is dead still has its pid until this process has heard of its end. */
  async #buried(): Promise<void> {
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const waiting = new AbortController();
    const heard = once(child, "exit", { signal: waiting.signal }).catch(() => undefined);
    const timer = setTimeout(() => waiting.abort(), burialMs);
    await heard;
    clearTimeout(timer);
  }

  #watch(events: ProcessEvents): void {
    const child = this.#child;
    let over = false;
    const finish = (): void => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      events.ended({
        ...(child.exitCode !== null && { exitCode: child.exitCode }),
        ...(child.signalCode !== null && { exitSignal: child.signalCode }),
      });
    };
    let timer: NodeJS.Timeout | undefined;
    const finishSoon = (): void => {
      // Behind whatever has arrived meanwhile.
      timer ??= setTimeout(() => setImmediate(finish), drainMs);
    };
    child.once("exit", finishSoon);
    child.stdout.once("end", finishSoon);
    child.once("close", finish);
  }
}
