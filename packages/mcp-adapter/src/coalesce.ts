/** Work that is asked for in bursts. */
export interface Coalesced {
  /** Runs the work soon; a burst runs it once, and a trigger during a run causes one more. */
  trigger(): void;
  cancel(): void;
}

/** @param work never rejects */
export function coalesce(work: () => Promise<void>, delayMs: number): Coalesced {
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  let again = false;

  const run = async () => {
    timer = undefined;
    running = true;
    await work();
    running = false;
    if (again) trigger();
  };
  const trigger = () => {
    again = running;
    if (running || timer !== undefined) return;
    timer = setTimeout(run, delayMs);
  };
  return {
    trigger,
    cancel() {
      clearTimeout(timer);
      timer = undefined;
      again = false;
    },
  };
}
