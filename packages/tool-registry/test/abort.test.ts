import { describe, expect, it, vi } from "vitest";
import { runUntil } from "../src/abort.ts";

const sleep = (ms: number): Promise<string> =>
  new Promise((resolve) => setTimeout(resolve, ms, "slept"));

describe("runUntil", () => {
  it("ends with the value, or with what was thrown", async () => {
    expect(await runUntil(() => 1, {})).toEqual({ end: "value", value: 1 });
    expect(await runUntil(() => sleep(1), {})).toEqual({ end: "value", value: "slept" });
    const error = new Error("no");
    const throwing = (): never => {
      throw error;
    };
    expect(await runUntil(throwing, {})).toEqual({ end: "thrown", error });
    expect(await runUntil(() => Promise.reject(error), {})).toEqual({ end: "thrown", error });
  });

  it("starts nothing under a signal that is aborted", async () => {
    const work = vi.fn();
    expect(await runUntil(work, { signal: AbortSignal.abort() })).toEqual({ end: "cancelled" });
    expect(work).not.toHaveBeenCalled();
  });

  it("ends at once when the signal aborts, and hands its reason to the work", async () => {
    const controller = new AbortController();
    const reasons: unknown[] = [];
    const pending = runUntil(
      (signal) => {
        signal.addEventListener("abort", () => reasons.push(signal.reason));
        return sleep(10_000);
      },
      { signal: controller.signal },
    );
    controller.abort("enough");
    expect(await pending).toEqual({ end: "cancelled" });
    expect(reasons).toEqual(["enough"]);
  });

  it("ends when the time is over, and says so to the work", async () => {
    let reason: unknown;
    const outcome = await runUntil(
      (signal) => {
        signal.addEventListener("abort", () => {
          reason = signal.reason;
        });
        return sleep(10_000);
      },
      { timeoutMs: 5 },
    );
    expect(outcome).toEqual({ end: "timeout" });
    expect(reason).toMatchObject({ name: "TimeoutError", message: "timeout after 5 ms" });
  });

  it.each(["rejects", "resolves"])("ignores work that %s later", async (how) => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    const outcome = await runUntil(
      async () => {
        await sleep(15);
        if (how === "rejects") throw new Error("too late");
      },
      { timeoutMs: 1 },
    );
    expect(outcome).toEqual({ end: "timeout" });
    await sleep(30);
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it("leaves a long-lived signal without listeners, however often it is used", async () => {
    const { signal } = new AbortController();
    const live = new Set<unknown>();
    const add = signal.addEventListener.bind(signal);
    signal.addEventListener = (type: string, listener: never, options: { signal: AbortSignal }) => {
      live.add(listener);
      options.signal.addEventListener("abort", () => live.delete(listener));
      add(type as "abort", listener, options);
    };
    for (let i = 0; i < 100; i++) await runUntil(() => i, { signal, timeoutMs: 1_000 });
    expect(live.size).toBe(0);
  });
});
