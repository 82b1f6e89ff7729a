import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, writeSync } from "node:fs";
import { devNull } from "node:os";
import { Readable } from "node:stream";
import type { FaultPlan } from "../faults/fault-plan.ts";
import type { Life } from "../protocol/host.ts";
import type { Journal } from "../records/journal.ts";

const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** How soon a process sees that `ignore-term` was switched on or off. */
const watchMs = 20;

/**
 * The real process.
 * @param mark stands in the command line of grandchildren, so that they can be told from strangers
 */
export function ownProcess(journal: Journal, mark: string): Life {
  return {
    exit: (code, stderr) => {
      if (stderr !== "") writeAll(2, Buffer.from(`${stderr}\n`));
      journal.append({ kind: "process", pid: process.pid, note: "exit" });
      process.exit(code);
    },
    crash: () => {
      process.kill(process.pid, "SIGKILL");
    },
    closeStdout: () => {
      closeSync(1);
      // Takes the freed number, so that nothing else is ever written to by mistake.
      openSync(devNull, "w");
    },
    floodStderr: (bytes) => writeAll(2, Buffer.alloc(bytes, 0xfe)),
    startGrandchild: async (ms, ignoreTerm) => {
      const deaf = `for (const s of ${JSON.stringify(signals)}) process.on(s, () => {});`;
      const ready = 'require("fs").writeSync(3, "r"); require("fs").closeSync(3);';
      const script = `${ignoreTerm ? deaf : ""} ${ready} setTimeout(() => {}, ${ms});`;
      const stdio = ["inherit", "inherit", "inherit", "pipe"] as const;
      const child = spawn(process.execPath, ["-e", script, mark], { stdio: [...stdio] });
      child.unref();
      if (child.pid !== undefined) {
        journal.append({ kind: "process", pid: child.pid, note: "grandchild" });
      }
      const told = child.stdio[3];
      if (told instanceof Readable) await once(told.resume(), "end");
    },
  };
}

/**
 * Ignores signals while `ignore-term` is on; otherwise they do what they do by default.
 * @returns a function that ends the watch
 */
export function watchSignals(plan: FaultPlan, journal: Journal): () => void {
  const occasion = { transport: "stdio", kind: "none" } as const;
  let ignoring = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    const note = signals.find((known) => known === signal);
    if (note !== undefined) journal.append({ kind: "process", pid: process.pid, note });
    plan.fire("signal", occasion);
  };
  const stop = (): void => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  const look = (): void => {
    const ignore = plan.due("signal", occasion).length > 0;
    if (ignore === ignoring) return;
    ignoring = ignore;
    if (ignore) for (const signal of signals) process.on(signal, onSignal);
    else stop();
  };
  look();
  const timer = setInterval(look, watchMs).unref();
  return () => {
    clearInterval(timer);
    stop();
  };
}

/** Writes to a descriptor the way most languages do: blocks until it has taken all. */
function writeAll(descriptor: number, bytes: Buffer): void {
  const lock = new Int32Array(new SharedArrayBuffer(4));
  for (let rest = bytes; rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "EPIPE") return;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(lock, 0, 0, 5);
    }
  }
}
