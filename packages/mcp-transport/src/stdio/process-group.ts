import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const windows = process.platform === "win32";
const pollMs = { first: 10, most: 100 };

/** Whether the process that leads the group, or one that it started, still runs. */
export function groupLives(pid: number): boolean {
  try {
    process.kill(windows ? pid : -pid, 0);
  } catch (error) {
    // It lives, as somebody else's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  const inspectable = process.platform === "linux" && existsSync("/proc/self/stat");
  return !inspectable || hasLivingMember(pid);
}

/**
 * In a container whose first process does not bury orphans, a group of dead processes still takes
 * signals.
 */
function hasLivingMember(group: number): boolean {
  if (isAliveIn(group, group)) return true;
  return readdirSync("/proc").some((pid) => /^\d+$/.test(pid) && isAliveIn(group, Number(pid)));
}

function isAliveIn(group: number, pid: number): boolean {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return false;
  }
  // The name before it, in parentheses, may hold anything.
  const [state, , member] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(member) === group && state !== "Z" && state !== "X";
}

/** @returns when the group is gone, or the time has passed */
export async function groupGone(pid: number, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs;
  for (let pause = pollMs.first; groupLives(pid); pause = Math.min(2 * pause, pollMs.most)) {
    const left = end - performance.now();
    if (left <= 0) return false;
    await sleep(Math.min(pause, left));
  }
  return true;
}

/** A group that is gone already is no error. On Windows every signal ends the group at once. */
export function signalGroup(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  if (windows) {
    spawn("taskkill", taskkill(pid), { stdio: "ignore", windowsHide: true }).on("error", () => {});
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // It ended in the meantime.
  }
}

/** For the last moment of this process, where nothing can be awaited. */
export function killGroupNow(pid: number): void {
  if (windows) spawnSync("taskkill", taskkill(pid), { stdio: "ignore", windowsHide: true });
  else signalGroup(pid, "SIGKILL");
}

function taskkill(pid: number): string[] {
  return ["/pid", String(pid), "/T", "/F"];
}
