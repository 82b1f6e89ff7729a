import { getEventListeners } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { abortable } from "../src/abort.ts";
import { shared } from "../src/flight.ts";

const never = () => new Promise<never>(() => undefined);

describe("abortable", () => {
  it("runs without a signal where there is none", async () => {
    expect(await abortable(undefined, async (signal) => signal)).toBeUndefined();
  });

  it("does not begin once the signal is aborted", async () => {
    let begun = false;
    const call = abortable(AbortSignal.abort(new Error("over")), async () => {
      begun = true;
    });
    await expect(call).rejects.toThrow("over");
    expect(begun).toBe(false);
  });

  it("ends at once what does not listen, and passes the reason on", async () => {
    const controller = new AbortController();
    let own: AbortSignal | undefined;
    const call = abortable(controller.signal, (signal) => {
      own = signal;
      return never();
    });
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(own?.reason).toBe(reason);
    expect(own).not.toBe(controller.signal);
  });

  it("turns a reason that is no error into one", async () => {
    await expect(abortable(AbortSignal.abort("bored"), never)).rejects.toMatchObject({
      code: "aborted",
      message: "aborted: bored",
    });
  });

  it.each([
    ["resolves", async () => 1],
    ["rejects", () => Promise.reject(new Error("no"))],
  ])("leaves no listener behind when it %s", async (_, run) => {
    const { signal } = new AbortController();
    await abortable(signal, run).catch(() => undefined);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("shared", () => {
  function flights() {
    const owner = {};
    const started: { signal: AbortSignal; land(value: string): void; fail(error: Error): void }[] =
      [];
    const start = (signal: AbortSignal) =>
      new Promise<string>((land, fail) => {
        started.push({ signal, land, fail });
      });
    const join = (signal?: AbortSignal, isFresh = false, key = "k") =>
      shared(owner, { key, signal, isFresh, start });
    return { started, join };
  }

  it("asks once for all who want the same at one time", async () => {
    const { started, join } = flights();
    const both = Promise.all([join(), join()]);
    started[0]?.land("list");
    expect(await both).toEqual(["list", "list"]);
    expect(started).toHaveLength(1);
    join().catch(() => undefined);
    expect(started).toHaveLength(2);
  });

  it("keeps apart what is asked for under another key", () => {
    const { started, join } = flights();
    for (const key of ["a", "b"]) join(undefined, false, key).catch(() => undefined);
    expect(started).toHaveLength(2);
  });

  it("rejects for all, and asks again the next time", async () => {
    const { started, join } = flights();
    const both = [join(), join()];
    started[0]?.fail(new Error("page 2"));
    for (const each of both) await expect(each).rejects.toThrow("page 2");
    const again = join();
    started[1]?.land("list");
    expect(await again).toBe("list");
  });

  it("joins nothing older when it wants a fresh one, and is joined by others", async () => {
    const { started, join } = flights();
    const old = join();
    const fresh = join(undefined, true);
    const joined = join();
    started[1]?.land("new");
    started[0]?.land("old");
    expect(await Promise.all([old, fresh, joined])).toEqual(["old", "new", "new"]);
    expect(started).toHaveLength(2);
  });

  it("is aborted when nobody waits any more, not before", async () => {
    const { started, join } = flights();
    const [one, two] = [new AbortController(), new AbortController()];
    const waiting = [join(one.signal), join(two.signal)];
    one.abort(new Error("one"));
    await expect(waiting[0]).rejects.toThrow("one");
    expect(started[0]?.signal.aborted).toBe(false);
    two.abort(new Error("two"));
    await expect(waiting[1]).rejects.toThrow("two");
    expect(started[0]?.signal.aborted).toBe(true);
  });

  it("is joined by nobody once it is aborted", async () => {
    const { started, join } = flights();
    const controller = new AbortController();
    const first = join(controller.signal).catch(() => join(new AbortController().signal));
    controller.abort(new Error("one"));
    await vi.waitFor(() => expect(started).toHaveLength(2));
    const joined = join();
    started[0]?.fail(new Error("aborted"));
    started[1]?.land("list");
    expect(await Promise.all([first, joined])).toEqual(["list", "list"]);
    expect(started.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    expect(started).toHaveLength(2);
  });

  it("leaves a newer one in place when it is aborted", async () => {
    const { started, join } = flights();
    const controller = new AbortController();
    const old = join(controller.signal);
    const fresh = join(undefined, true);
    controller.abort(new Error("old"));
    await expect(old).rejects.toThrow("old");
    const joined = join();
    started[1]?.land("new");
    expect(await Promise.all([fresh, joined])).toEqual(["new", "new"]);
    expect(started).toHaveLength(2);
  });
});
