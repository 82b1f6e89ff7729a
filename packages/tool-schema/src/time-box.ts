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

type Box = (work: () => void, timeoutMs: number) => void;

const TIMED_OUT = "ERR_SCRIPT_EXECUTION_TIMEOUT";

/** Null where the platform has no box; undefined before it was looked for. */
let found: Box | null | undefined;

/** Whether work can be stopped here. Without `node:vm` nothing is: edge workers, browsers. */
export function hasTimeBox(): boolean {
  found ??= findBox();
  return found !== null;
}

/**
 * Runs work that is stopped once its time is over, wherever it is, also inside a regular
 * expression. No text of a schema is run for it: the box calls a function of ours.
 *
 * @throws ToolSchemaError `timeout`, and what the work throws
 */
export function timeBoxed<T>(doing: string, timeoutMs: number, work: () => T): T {
  if (!hasTimeBox() || !found || timeoutMs === Number.POSITIVE_INFINITY) return work();
  let outcome: { readonly value: T } | { readonly error: unknown } | undefined;
  const run = (): void => {
    try {
      outcome = { value: work() };
    } catch (error) {
      outcome = { error };
    }
  };
  try {
    found(run, Math.max(1, Math.ceil(timeoutMs)));
  } catch (cause) {
    // The work may have ended in the moment before it was to be stopped.
    if (outcome === undefined) throw stopped(cause, doing, timeoutMs);
  }
  if (outcome === undefined) throw new ToolSchemaError("timeout", `${doing} did not end`);
  if ("error" in outcome) throw outcome.error;
  return outcome.value;
}

function stopped(cause: unknown, doing: string, timeoutMs: number): unknown {
  if (cause instanceof RangeError) {
    return new ToolSchemaError("too_complex", `${doing} exhausts the stack`, { cause });
  }
  if (!isTimeout(cause)) return cause;
  return new ToolSchemaError("timeout", `${doing} takes longer than ${timeoutMs} ms`);
}

function isTimeout(cause: unknown): boolean {
  return typeof cause === "object" && cause !== null && Reflect.get(cause, "code") === TIMED_OUT;
}

function findBox(): Box | null {
  const { process } = globalThis as { process?: { getBuiltinModule?: (id: string) => unknown } };
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
