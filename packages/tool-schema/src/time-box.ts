import { tooComplex } from "./engine.ts";
import { ToolSchemaError } from "./errors.ts";

/** As much of `node:vm` as is used. */
interface Vm {
  createContext(sandbox: object): object;
  readonly Script: new (
    code: string,
  ) => {
    runInContext(context: object, options: { timeout: number; displayErrors: boolean }): unknown;
  };
}

interface CpuUsage {
  readonly user: number;
  readonly system: number;
}

/** As much of `process` as is used, where there is one. */
interface Platform {
  getBuiltinModule?(id: string): unknown;
  cpuUsage?(): CpuUsage;
  /** Of this thread alone; not every release has it. */
  threadCpuUsage?(): CpuUsage;
}

type Box = (work: () => void, timeoutMs: number) => void;

const TIMED_OUT = "ERR_SCRIPT_EXECUTION_TIMEOUT";

/** Work that got less than this share of its time from a busy machine is given more. */
const FULL_SHARE = 0.8;
/** How many times the time may be given again at most. */
const MAX_EXTENSION = 3;

/** Null where the platform has no box; undefined before it was looked for. */
let found: Box | null | undefined;

/** Whether work can be stopped here. Without `node:vm` nothing is: edge workers, browsers. */
export function hasTimeBox(): boolean {
  found ??= findBox();
  return found !== null;
}

/**
 * Runs work that is stopped once its time is over, wherever it is, also inside a regular
 * expression. No text of a schema is run for it: the box calls a function of ours. The time is that
 * of the clock; where the machine was busy with other things meanwhile, the work is run once more,
 * with up to three times as much. So it must do no harm if it is run twice.
 *
 * @throws ToolSchemaError `timeout`, and what the work throws
 */
export function timeBoxed<T>(doing: string, timeoutMs: number, work: () => T): T {
  if (!hasTimeBox() || timeoutMs === Number.POSITIVE_INFINITY) return work();
  const clockMs = Math.max(1, Math.ceil(timeoutMs));
  const before = cpuMs();
  const first = boxed(doing, clockMs, work);
  if (!first.timedOut) return first.value;
  const usedMs = cpuMs() - before;
  if (usedMs < clockMs * FULL_SHARE) {
    const extension = Math.min(MAX_EXTENSION, (1.5 * clockMs) / Math.max(usedMs, 1));
    const second = boxed(doing, Math.ceil(clockMs * extension), work);
    if (!second.timedOut) return second.value;
  }
  throw new ToolSchemaError("timeout", `${doing} takes longer than ${timeoutMs} ms`);
}

type Outcome<T> = { readonly timedOut: false; readonly value: T } | { readonly timedOut: true };

function boxed<T>(doing: string, timeoutMs: number, work: () => T): Outcome<T> {
  if (!found) return { timedOut: false, value: work() };
  let outcome: { readonly value: T } | { readonly error: unknown } | undefined;
  const run = (): void => {
    try {
      outcome = { value: work() };
    } catch (error) {
      outcome = { error };
    }
  };
  try {
    found(run, timeoutMs);
  } catch (cause) {
    // The work may have ended in the moment before it was to be stopped.
    if (outcome === undefined && cause instanceof RangeError) throw tooComplex(doing, cause);
    if (outcome === undefined && !isTimeout(cause)) throw cause;
  }
  if (outcome === undefined) return { timedOut: true };
  if ("error" in outcome) throw outcome.error;
  return { timedOut: false, value: outcome.value };
}

function isTimeout(cause: unknown): boolean {
  return typeof cause === "object" && cause !== null && Reflect.get(cause, "code") === TIMED_OUT;
}

/** Milliseconds that this thread has been at work; the threads that help it may be counted too. */
function cpuMs(): number {
  const { process } = globalThis as { process?: Platform };
  const used = process?.threadCpuUsage?.() ?? process?.cpuUsage?.();
  return used === undefined ? performance.now() : (used.user + used.system) / 1_000;
}

function findBox(): Box | null {
  const { process } = globalThis as { process?: Platform };
  try {
    const vm = process?.getBuiltinModule?.("node:vm") as Vm | undefined;
    if (vm === undefined) return null;
    const sandbox: { run?: (() => void) | undefined } = Object.create(null);
    const context = vm.createContext(sandbox);
    const script = new vm.Script("run()");
    const box: Box = (work, timeout) => {
      sandbox.run = work;
      try {
        script.runInContext(context, { timeout, displayErrors: false });
      } finally {
        // What the work holds must not outlive it here.
        sandbox.run = undefined;
      }
    };
    let ran = false;
    box(() => {
      ran = true;
    }, 1_000);
    return ran ? box : null;
  } catch {
    // Some platforms have the module in name only: that is the same as not having it.
    return null;
  }
}
