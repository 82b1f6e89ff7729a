import { groupGone, killGroupNow, signalGroup } from "./process-group.ts";

const signals: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];
/** How long the servers may take to end by themselves when a signal ends this process. */
const graceMs = 500;
/** Tells our handlers, also those of another copy of this module, from everybody else's. */
const mark = Symbol.for("@x/mcp-transport.parting");

/** The groups that live, and whether a signal to this process is for them too. */
const groups = new Map<number, boolean>();
let parting = false;

/**
 * Sees to it that a process group does not outlive this process, unless this process is killed by
 * SIGKILL. While no group lives no handler is installed.
 * @returns the function to call when the group is gone
 */
export function holdGroup(pid: number, killOnSignal: boolean): () => void {
  if (groups.size === 0) process.on("exit", onExit);
  groups.set(pid, killOnSignal);
  updateSignals();
  return () => {
    if (!groups.delete(pid)) return;
    if (groups.size === 0) process.off("exit", onExit);
    updateSignals();
  };
}

function onExit(): void {
  for (const pid of groups.keys()) killGroupNow(pid);
}

const onSignal = Object.assign(
  (signal: NodeJS.Signals): void => {
    const affected = [...groups].flatMap(([pid, killOnSignal]) => (killOnSignal ? [pid] : []));
    if (parting) {
      for (const pid of affected) killGroupNow(pid);
      passOn(signal);
      return;
    }
    parting = true;
    void endGroups(affected).then(() => {
      parting = false;
      passOn(signal);
    });
  },
  { [mark]: true },
);

async function endGroups(pids: readonly number[]): Promise<void> {
  for (const pid of pids) signalGroup(pid, "SIGTERM");
  await Promise.all(
    pids.map(async (pid) => {
      if (!(await groupGone(pid, graceMs))) killGroupNow(pid);
    }),
  );
}

/** What the signal does to a process without handlers, unless the application has its own. */
function passOn(signal: NodeJS.Signals): void {
  const others = process.listeners(signal).some((listener) => !Object.hasOwn(listener, mark));
  if (others) return;
  process.off(signal, onSignal);
  process.kill(process.pid, signal);
}

function updateSignals(): void {
  const wanted = [...groups.values()].some((killOnSignal) => killOnSignal);
  for (const signal of signals) {
    const installed = process.listeners(signal).includes(onSignal);
    if (wanted && !installed) process.on(signal, onSignal);
    if (!wanted && installed) process.off(signal, onSignal);
  }
}
