import { describe, expect, it } from "vitest";
import { backoffMs, delay } from "../src/backoff.ts";

describe("the pause between two attempts", () => {
  it.each([
    [0, 250],
    [1, 500],
    [2, 1_000],
    [5, 8_000],
    [6, 10_000],
    [40, 10_000],
    [2_000, 10_000],
  ])("after attempt %i is at most %i ms, and at least half of it", (attempt, whole) => {
    expect(backoffMs(attempt, () => 0)).toBe(whole / 2);
    expect(backoffMs(attempt, () => 1)).toBe(whole);
    const drawn = Array.from({ length: 100 }, () => backoffMs(attempt));
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(whole / 2);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(whole);
    expect(new Set(drawn).size).toBeGreaterThan(1);
  });

  it("ends with the signal, and leaves no listener behind", async () => {
    await expect(delay(60_000, AbortSignal.abort(new Error("before")))).rejects.toThrow("before");
    const controller = new AbortController();
    const waiting = delay(60_000, controller.signal);
    controller.abort(new Error("during"));
    await expect(waiting).rejects.toThrow("during");
    await delay(1, new AbortController().signal);
  });
});
