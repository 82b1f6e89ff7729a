import { setTimeout as sleep } from "node:timers/promises";

/** Waits, at most until the signal. @returns whether the time has passed */
export async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(ms, undefined, { signal });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
