import { describe, expect, expectTypeOf, it, vi } from "vitest";
import {
  type Approval,
  type ApprovalOptions,
  type ApprovalRequest,
  requireApproval,
  ToolRegistry,
  type ToolSpec,
  toolSuccess,
} from "../src/index.ts";
import { READS, spec, thrownBy, WRITES } from "./sample-tools.ts";

type Ask = (request: ApprovalRequest) => Approval | Promise<Approval>;

function setUp(
  ask: Ask,
  { options, ...change }: Partial<ToolSpec> & { options?: ApprovalOptions } = {},
): { registry: ToolRegistry; invoke: ReturnType<typeof vi.fn<ToolSpec["invoke"]>> } {
  const invoke = vi.fn<ToolSpec["invoke"]>(async () => toolSuccess({ content: [] }));
  const registry = new ToolRegistry().use(requireApproval(ask, options));
  registry.register("ns", spec("tool", { invoke, capability: WRITES, ...change }));
  return { registry, invoke };
}

describe("requireApproval", () => {
  it.each([
    ["reads", READS, 0],
    ["writes", WRITES, 1],
    ["is unknown", undefined, 1],
  ])("asks about a tool that %s as often as it should", async (_what, capability, times) => {
    const ask = vi.fn<Ask>(() => true);
    const { registry, invoke } = setUp(
      ask,
      capability ? { capability } : { capability: undefined as never },
    );
    expect((await registry.invoke("ns/tool")).success).toBe(true);
    expect(ask).toHaveBeenCalledTimes(times);
    expect(invoke).toHaveBeenCalledTimes(1);
  });

  it("goes by the effect after overrides", async () => {
    const ask = vi.fn<Ask>(() => true);
    const { registry } = setUp(ask, { capability: READS });
    await registry.invoke("ns/tool");
    expect(ask).not.toHaveBeenCalled();
    registry.applyOverrides({ name: "ns/tool", overrides: { read_only: false } }, { origin: "me" });
    await registry.invoke("ns/tool");
    expect(ask).toHaveBeenCalledTimes(1);
    expect(ask.mock.lastCall?.[0].capability.effect).toBe("unknown");
    registry.applyOverrides({ name: "ns/tool", overrides: { read_only: true } }, { origin: "me" });
    await registry.invoke("ns/tool");
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it("shows tool, arguments, capability and a signal", async () => {
    const ask = vi.fn<Ask>(() => true);
    const { registry } = setUp(ask);
    await registry.invoke("ns/tool", { path: "/etc" });
    const [request] = ask.mock.calls[0] ?? [];
    expect(request?.tool).toBe(registry.get("ns/tool"));
    expect(request?.args).toEqual({ path: "/etc" });
    expect(request?.capability).toEqual(WRITES);
    expect(request?.signal).toBeInstanceOf(AbortSignal);
    expect(request?.signal.aborted).toBe(false);
  });

  it("shows a copy that the asker cannot change into the call", async () => {
    const tried: string[] = [];
    const { registry, invoke } = setUp(({ args }) => {
      const nested = args["nested"] as { list: string[] };
      for (const change of [
        () => Object.assign(args, { path: "/" }),
        () => nested.list.push("x"),
        () => Object.assign(nested, { list: [] }),
      ]) {
        try {
          change();
        } catch {
          tried.push("refused");
        }
      }
      return true;
    });
    await registry.invoke("ns/tool", { path: "/tmp", nested: { list: ["a"] } });
    expect(tried).toEqual(["refused", "refused", "refused"]);
    expect(invoke.mock.lastCall?.[0]).toEqual({ path: "/tmp", nested: { list: ["a"] } });
    expect(Object.isFrozen(invoke.mock.lastCall?.[0])).toBe(false);
  });

  it.each<[answer: unknown, reason: string]>([
    [false, "not approved"],
    [undefined, "not approved"],
    [null, "not approved"],
    ["yes", "not approved"],
    [1, "not approved"],
    [{}, "not approved"],
    [{ approved: "true" }, "not approved"],
    [{ approved: false, reason: "too late at night" }, "too late at night"],
    [{ approved: false, reason: 5 }, "not approved"],
  ])("takes %j for a no", async (answer, reason) => {
    const { registry, invoke } = setUp(() => answer as Approval);
    const result = await registry.invoke("ns/tool");
    expect(result).toMatchObject({ success: false, errorCode: "denied", ran: "no" });
    expect(result.error).toContain("denied");
    expect(result.error).toContain('"ns/tool"');
    expect(result.error).toContain(reason);
    expect(invoke).not.toHaveBeenCalled();
  });

  it.each<[answer: Approval | Promise<Approval>]>([
    [true],
    [{ approved: true }],
    [Promise.resolve(true)],
    [Promise.resolve({ approved: true, reason: "fine" })],
  ])("takes %j for a yes", async (answer) => {
    const { registry, invoke } = setUp(() => answer);
    expect((await registry.invoke("ns/tool")).success).toBe(true);
    expect(invoke).toHaveBeenCalledTimes(1);
  });

  it.each<[what: string, ask: Ask]>([
    [
      "throws",
      () => {
        throw new Error("the terminal is closed");
      },
    ],
    [
      "rejects",
      async () => {
        throw new Error("the terminal is closed");
      },
    ],
  ])("denies when the asker %s, with its message", async (_what, ask) => {
    const { registry, invoke } = setUp(ask);
    const result = await registry.invoke("ns/tool");
    expect(result).toMatchObject({ errorCode: "denied", ran: "no" });
    expect(result.error).toContain("the terminal is closed");
    expect(invoke).not.toHaveBeenCalled();
  });

  it("is cancelled at once when the caller gives up, and tells the asker", async () => {
    const controller = new AbortController();
    let asked = false;
    let told = false;
    const { registry, invoke } = setUp(({ signal }) => {
      asked = true;
      signal.addEventListener("abort", () => {
        told = true;
      });
      return new Promise(() => undefined);
    });
    const pending = registry.invoke("ns/tool", {}, { signal: controller.signal });
    await vi.waitFor(() => expect(asked).toBe(true));
    controller.abort();
    expect(await pending).toMatchObject({ success: false, errorCode: "cancelled", ran: "no" });
    expect(told).toBe(true);
    expect(invoke).not.toHaveBeenCalled();
  });

  it.each<[what: string, end: () => Approval]>([
    ["a yes", () => true],
    [
      "a throw",
      () => {
        throw new DOMException("aborted", "AbortError");
      },
    ],
  ])("is cancelled even if %s comes with the caller's giving up", async (_what, end) => {
    const controller = new AbortController();
    const { registry, invoke } = setUp(() => {
      controller.abort();
      return end();
    });
    const result = await registry.invoke("ns/tool", {}, { signal: controller.signal });
    expect(result).toMatchObject({ errorCode: "cancelled", ran: "no" });
    expect(invoke).not.toHaveBeenCalled();
  });

  it("asks nobody about arguments that do not fit", async () => {
    const ask = vi.fn<Ask>(() => true);
    const { registry } = setUp(ask, {
      validate: () => ({ ok: false, issues: [{ message: "no" }] }),
    });
    expect(await registry.invoke("ns/tool")).toMatchObject({ errorCode: "validation" });
    const outer = new ToolRegistry()
      .use((_call, next) => next({ n: "two" }))
      .use(requireApproval(ask));
    outer.register(
      "ns",
      spec("tool", {
        validate: ({ n }) =>
          n === "two" ? { ok: false, issues: [{ message: "no" }] } : { ok: true },
      }),
    );
    expect(await outer.invoke("ns/tool", { n: 2 })).toMatchObject({ errorCode: "validation" });
    expect(ask).not.toHaveBeenCalled();
  });

  it("says how long it waited", async () => {
    const { registry } = setUp(async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      return false;
    });
    expect((await registry.invoke("ns/tool")).durationMs).toBeGreaterThanOrEqual(25);
  });

  it("does not count the waiting towards timeoutMs", async () => {
    const { registry, invoke } = setUp(async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      return true;
    });
    expect((await registry.invoke("ns/tool", {}, { timeoutMs: 5 })).success).toBe(true);
    expect(invoke.mock.lastCall?.[1]).toMatchObject({ timeoutMs: 5 });
  });

  const exemptions: [what: string, unless: ApprovalOptions["unless"], asked: boolean][] = [
    ["a filter that fits", { names: "ns/*" }, false],
    ["a filter that does not", { names: "other/*" }, true],
    ["effects", { effect: ["read", "write"] }, false],
    [
      "a function that says true",
      (tool, args) => tool.name === "tool" && args["safe"] === true,
      false,
    ],
    ["a function that says false", () => false, true],
    ["a function that says something else", (() => "yes") as never, true],
    ["an async function", (async () => true) as never, true],
  ];

  it.each(exemptions)("takes %s as unless", async (_what, unless, asked) => {
    const ask = vi.fn<Ask>(() => true);
    const { registry } = setUp(ask, { options: { ...(unless && { unless }) } });
    expect((await registry.invoke("ns/tool", { safe: true })).success).toBe(true);
    expect(ask).toHaveBeenCalledTimes(asked ? 1 : 0);
  });

  it("runs nothing if unless throws", async () => {
    const { registry, invoke } = setUp(() => true, {
      options: {
        unless: () => {
          throw new Error("no policy");
        },
      },
    });
    const result = await registry.invoke("ns/tool");
    expect(result).toMatchObject({ success: false, errorCode: "tool_error", ran: "no" });
    expect(result.error).toContain("no policy");
    expect(invoke).not.toHaveBeenCalled();
  });

  it.each([
    [{}, undefined, "ask"],
    [() => true, { unless: { namepsace: "x" } }, "filter.namepsace"],
  ])("refuses what it does not understand when it is made", (ask, options, field) => {
    const error = thrownBy(() => requireApproval(ask as Ask, options as ApprovalOptions));
    expect(error).toMatchObject({ code: "invalid_spec", field });
  });

  it("shows read-only arguments", () => {
    expectTypeOf<ApprovalRequest["args"]>().toEqualTypeOf<Readonly<Record<string, unknown>>>();
    expect.assertions(0);
  });
});
