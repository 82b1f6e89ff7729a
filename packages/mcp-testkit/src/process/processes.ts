import { existsSync, readFileSync } from "node:fs";
import { pause } from "../pause.ts";

/**
 * Which of the processes live and are ours. A pid may belong to a stranger by now, so on Linux the
 * command line has to hold the mark; elsewhere living is enough.
 */
export function living(pids: readonly number[], mark: string): readonly number[] {
  return [...new Set(pids)].filter((pid) => isLiving(pid) && isMarked(pid, mark));
}

/** Kills processes and waits until they are gone. */
export async function killAll(pids: () => readonly number[]): Promise<void> {
  const never = new AbortController().signal;
  for (let left = pids(); left.length > 0; left = pids()) {
    for (const pid of left) signal(pid, "SIGKILL");
    await pause(5, never);
  }
}

/** @returns false if there is no such process */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}

function isLiving(pid: number): boolean {
  return signal(pid, 0);
}

function isMarked(pid: number, mark: string): boolean {
  if (!existsSync("/proc/self/cmdline")) return true;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(mark);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}
