import { describe, expect, expectTypeOf, it, vi } from "vitest";
import {
  type ToolCall,
  type ToolMiddleware,
  ToolRegistry,
  type ToolResult,
  type ToolSpec,
  type ToolValidation,
  toolFailure,
  toolSuccess,
} from "../src/index.ts";
import { READS, said, spec, thrownBy } from "./sample-tools.ts";

const ok = toolSuccess({ content: [] });

function setUp(change: Partial<ToolSpec> = {}): {
  registry: ToolRegistry;
  invoke: ReturnType<typeof vi.fn<ToolSpec["invoke"]>>;
} {
  const invoke = vi.fn<ToolSpec["invoke"]>(async () => ok);
  const registry = new ToolRegistry();
  registry.register("ns", spec("tool", { invoke, ...change }));
  return { registry, invoke };
}

const onlyNumbers = (args: Record<string, unknown>): ToolValidation =>
  typeof args["n"] === "number" ? { ok: true } : { ok: false, issues: [{ message: "n?" }] };

describe("middleware", () => {
  it("wraps the call like an onion, the first one outermost", async () => {
    const { registry, invoke } = setUp();
    const order: string[] = [];
    const named =
      (name: string): ToolMiddleware =>
      async (_call, next) => {
        order.push(`${name} in`);
        const result = await next();
        order.push(`${name} out`);
        return result;
      };
    invoke.mockImplementation(async () => {
      order.push("tool");
      return ok;
    });
    registry.use(named("a")).use(named("b"));
    expect(await registry.invoke("ns/tool")).toBe(ok);
    expect(order).toEqual(["a in", "b in", "tool", "b out", "a out"]);
  });

  it("sees the tool with its overrides, the arguments and the caller's context", async () => {
    const { registry } = setUp({ capability: READS });
    const seen = vi.fn<(call: ToolCall) => void>();
    registry.use((call, next) => {
      seen(call);
      return next();
    });
    registry.applyOverrides({ name: "ns/tool", overrides: { writes: true } }, { origin: "me" });
    await registry.invoke("ns/tool", { a: 1 }, { timeoutMs: 9 });
    const call = seen.mock.calls[0]?.[0];
    expect(call?.tool).toBe(registry.get("ns/tool"));
    expect(call?.args).toEqual({ a: 1 });
    expect(call?.context.timeoutMs).toBe(9);
    expect(call?.context.capability?.effect).toBe("write");
  });

  it("also stands before calls by reference", async () => {
    const { registry, invoke } = setUp();
    const tool = registry.get("ns/tool");
    registry.use(() => toolFailure("denied", "denied"));
    expect(await tool?.invoke()).toMatchObject({ errorCode: "denied" });
    expect(invoke).not.toHaveBeenCalled();
  });

  it("is not run for arguments that do not fit, or for a tool that is gone", async () => {
    const { registry } = setUp({ validate: onlyNumbers });
    const middleware = vi.fn<ToolMiddleware>((_call, next) => next());
    registry.use(middleware);
    const tool = registry.get("ns/tool");
    await registry.invoke("ns/tool", { n: "1" });
    await registry.invoke("ns/none", { n: 1 });
    registry.unregister("ns/tool");
    await tool?.invoke({ n: 1 });
    expect(middleware).not.toHaveBeenCalled();
  });

  it("may answer by itself, or change the answer", async () => {
    const { registry, invoke } = setUp();
    const cached = toolSuccess({ content: [{ type: "text", text: "cached" }] });
    registry.use(async ({ args }, next) =>
      args["cached"] ? cached : { ...(await next()), durationMs: 99 },
    );
    expect(said(await registry.invoke("ns/tool", { cached: true }))).toBe("cached");
    expect(invoke).not.toHaveBeenCalled();
    expect((await registry.invoke("ns/tool")).durationMs).toBe(99);
  });

  it("that passes nothing on causes no second validation", async () => {
    const validate = vi.fn(onlyNumbers);
    const { registry } = setUp({ validate });
    registry.use((_call, next) => next()).use(({ args }, next) => next({ ...args }));
    expect((await registry.invoke("ns/tool", { n: 1 })).success).toBe(true);
    expect(validate).toHaveBeenCalledTimes(1);
  });

  it.each<[how: string, middleware: ToolMiddleware]>([
    ["by passing others", (_call, next) => next({ n: 2 })],
    [
      "in place",
      ({ args }, next) => {
        args["n"] = 2;
        return next();
      },
    ],
    [
      "deep in place",
      ({ args }, next) => {
        (args["deep"] as { list: number[] }).list.push(1);
        args["n"] = 2;
        return next(args);
      },
    ],
  ])("that changes the arguments %s has them validated again", async (_how, middleware) => {
    const validate = vi.fn(onlyNumbers);
    const { registry, invoke } = setUp({ validate });
    registry.use(middleware);
    const args = { n: 1, deep: { list: [] } };
    expect((await registry.invoke("ns/tool", args)).success).toBe(true);
    expect(validate).toHaveBeenCalledTimes(2);
    expect(invoke.mock.lastCall?.[0]["n"]).toBe(2);
    expect(args).toEqual({ n: 1, deep: { list: [] } });
  });

  it("that breaks the arguments gets a validation result, and nobody further in sees them", async () => {
    const { registry, invoke } = setUp({ validate: onlyNumbers });
    const inner = vi.fn<ToolMiddleware>((_call, next) => next());
    registry.use((_call, next) => next({ n: "two" })).use(inner);
    expect(await registry.invoke("ns/tool", { n: 1 })).toMatchObject({
      errorCode: "validation",
      ran: "no",
      issues: [{ message: "n?" }],
    });
    expect(inner).not.toHaveBeenCalled();
    expect(invoke).not.toHaveBeenCalled();
  });

  it.each([
    ["null", null],
    ["text", "x"],
    [
      "a proxy that throws",
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error("trap");
          },
        },
      ),
    ],
  ])("that passes %s on gets a validation result", async (_what, args) => {
    const { registry, invoke } = setUp();
    registry.use((_call, next) => next(args as never));
    expect(await registry.invoke("ns/tool")).toMatchObject({ errorCode: "validation", ran: "no" });
    expect(invoke).not.toHaveBeenCalled();
  });

  it("cannot reach into what another layer holds", async () => {
    const { registry, invoke } = setUp();
    let outer: Record<string, unknown> = {};
    registry.use((call, next) => {
      outer = call.args;
      const result = next();
      call.args["late"] = true;
      return result;
    });
    registry.use(async (call, next) => {
      await Promise.resolve();
      return next(call.args);
    });
    await registry.invoke("ns/tool", { n: 1 });
    expect(outer).toEqual({ n: 1, late: true });
    expect(invoke.mock.lastCall?.[0]).toEqual({ n: 1 });
  });

  it("that calls next again runs the tool again, with the same arguments", async () => {
    const seen: unknown[] = [];
    const { registry } = setUp({
      invoke: async (args) => {
        seen.push(structuredClone(args));
        args["n"] = "spoiled";
        return seen.length < 3 ? toolFailure("unavailable", "busy") : ok;
      },
    });
    registry.use(async (_call, next) => {
      let result = await next();
      while (!result.success) result = await next();
      return result;
    });
    expect(await registry.invoke("ns/tool", { n: 1 })).toBe(ok);
    expect(seen).toEqual([{ n: 1 }, { n: 1 }, { n: 1 }]);
  });

  it.each<[what: string, middleware: ToolMiddleware, ran: string]>([
    [
      "throws at once",
      () => {
        throw new Error("a bug");
      },
      "no",
    ],
    [
      "rejects",
      async () => {
        throw new Error("a bug");
      },
      "no",
    ],
    [
      "throws after the tool ran",
      async (_call, next) => {
        await next();
        throw new Error("a bug");
      },
      "yes",
    ],
    [
      "throws while the tool runs",
      (_call, next) => {
        void next();
        throw new Error("a bug");
      },
      "unknown",
    ],
    [
      "throws after next was refused",
      async (_call, next) => {
        await next(5 as never);
        throw new Error("a bug");
      },
      "no",
    ],
    ["returns no result", (async () => undefined) as never, "no"],
    [
      "forgets to return the result",
      (async (_c: unknown, next: () => Promise<ToolResult>) => {
        await next();
      }) as never,
      "yes",
    ],
  ])(
    "that %s gives a tool_error that knows whether the tool ran",
    async (_what, middleware, ran) => {
      const { registry } = setUp();
      registry.use(middleware);
      const result = await registry.invoke("ns/tool");
      expect(result).toMatchObject({ success: false, errorCode: "tool_error", ran });
      expect(result.error).toContain("a middleware");
    },
  );

  it.each<[inner: ToolResult, ran: string]>([
    [toolFailure("unavailable", "x", { ran: "no" }), "no"],
    [toolFailure("outcome_unknown", "x", { ran: "unknown" }), "unknown"],
    [toolFailure("server_error", "x", { ran: "yes" }), "yes"],
  ])("that fails after a failure repeats what that said of running", async (inner, ran) => {
    const { registry } = setUp({ invoke: async () => inner });
    registry.use(async (_call, next) => {
      await next();
      throw new Error("a bug");
    });
    expect(await registry.invoke("ns/tool")).toMatchObject({ errorCode: "tool_error", ran });
  });

  it("never takes back that the tool ran", async () => {
    const results = [ok, toolFailure("unavailable", "x")];
    const { registry } = setUp({ invoke: async () => results.shift() ?? ok });
    registry.use(async (_call, next) => {
      await next();
      await next();
      throw new Error("a bug");
    });
    expect(await registry.invoke("ns/tool")).toMatchObject({ errorCode: "tool_error", ran: "yes" });
  });

  it("that waits while the tool is removed ends in no_longer_available", async () => {
    const { registry, invoke } = setUp();
    registry.use((_call, next) => {
      registry.unregister("ns/tool");
      return next();
    });
    expect(await registry.invoke("ns/tool")).toMatchObject({
      errorCode: "no_longer_available",
      ran: "no",
    });
    expect(invoke).not.toHaveBeenCalled();
  });

  it.each<[what: string, change: (registry: ToolRegistry) => void]>([
    [
      "replaced by another definition",
      (registry) =>
        registry.replaceNamespace("ns", [spec("tool", { description: "Deletes all." })]),
    ],
    [
      "overridden",
      (registry) =>
        registry.applyOverrides({ name: "ns/tool", overrides: { writes: true } }, { origin: "me" }),
    ],
  ])("that waits while the tool is %s runs nothing that nobody has seen", async (_what, change) => {
    const { registry, invoke } = setUp();
    registry.use((_call, next) => {
      change(registry);
      return next();
    });
    const result = await registry.invoke("ns/tool");
    expect(result).toMatchObject({ errorCode: "no_longer_available", ran: "no" });
    expect(result.error).toContain("changed");
    expect(invoke).not.toHaveBeenCalled();
  });

  it("that waits while the same definition is registered anew runs the new function", async () => {
    const { registry, invoke } = setUp();
    registry.use((_call, next) => {
      registry.replaceNamespace("ns", [spec("tool", { says: "new" })]);
      return next();
    });
    expect(said(await registry.invoke("ns/tool"))).toBe("new");
    expect(invoke).not.toHaveBeenCalled();
  });

  it("added while a call is under way does not see that call", async () => {
    const { registry } = setUp();
    const late = vi.fn<ToolMiddleware>((_call, next) => next());
    registry.use((_call, next) => {
      registry.use(late);
      return next();
    });
    expect((await registry.invoke("ns/tool")).success).toBe(true);
    expect(late).not.toHaveBeenCalled();
  });

  it("that is no function is refused", () => {
    const error = thrownBy(() => new ToolRegistry().use({} as never));
    expect(error).toMatchObject({ code: "invalid_spec", field: "middleware" });
  });

  it("is typed by the registry's context", () => {
    interface Mine {
      readonly user: string;
      readonly signal?: AbortSignal;
    }
    new ToolRegistry<Record<string, { args: Record<string, unknown> }>, Mine>().use(
      ({ context }, next) => {
        expectTypeOf(context.user).toEqualTypeOf<string>();
        return next();
      },
    );
    expect.assertions(0);
  });
});
