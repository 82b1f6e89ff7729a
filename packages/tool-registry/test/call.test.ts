import { describe, expect, it, vi } from "vitest";
import {
  ToolRegistry,
  type ToolResult,
  type ToolSpec,
  type ToolValidation,
  toolFailure,
  toolSuccess,
} from "../src/index.ts";
import { READS, spec, WRITES } from "./sample-tools.ts";

const withTool = (change: Partial<ToolSpec>): ToolRegistry => {
  const registry = new ToolRegistry();
  registry.register("ns", spec("tool", change));
  return registry;
};

describe("invoke", () => {
  it("hands the tool the arguments, deep-equal, and the result back untouched", async () => {
    const result: ToolResult = {
      ...toolSuccess({ content: [], structuredContent: { a: 1 } }),
      data: { raw: true },
      durationMs: 7,
    };
    const invoke = vi.fn(async () => result);
    const args = JSON.parse('{"a":[1,{"b":null}],"__proto__":{"x":1},"constructor":"c"}');
    const answer = await withTool({ invoke }).invoke("ns/tool", args);
    expect(answer).toBe(result);
    const [given] = invoke.mock.calls[0] as unknown as [Record<string, unknown>];
    expect(JSON.stringify(given)).toBe(JSON.stringify(args));
    expect(Object.getPrototypeOf(given)).toBe(Object.prototype);
  });

  it("works on a copy: neither caller nor tool sees what the other changes", async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const seen: unknown[] = [];
    const registry = withTool({
      validate: async () => {
        await gate;
        return { ok: true };
      },
      invoke: async (args) => {
        seen.push(structuredClone(args));
        (args["list"] as string[]).push("by the tool");
        return toolSuccess({ content: [] });
      },
    });
    const args = { list: ["a"] };
    const pending = registry.invoke("ns/tool", args);
    args.list.push("by the caller");
    release();
    await pending;
    expect(seen).toEqual([{ list: ["a"] }]);
    expect(args.list).toEqual(["a", "by the caller"]);
  });

  it("takes no arguments for an empty object, and passes class instances inside as they are", async () => {
    const invoke = vi.fn(async () => toolSuccess({ content: [] }));
    const registry = withTool({ invoke });
    await registry.invoke("ns/tool");
    expect(invoke).toHaveBeenLastCalledWith({}, expect.anything());
    const when = new Date(0);
    await registry.invoke("ns/tool", { when });
    expect((invoke.mock.lastCall as unknown as [{ when: Date }])[0].when).toBe(when);
  });

  it.each([
    ["nowhere/tool", '"nowhere/tool"'],
    ["ns", '"ns"'],
    ["", '""'],
    ["x".repeat(1_000_000), "…"],
    ["__proto__", "__proto__"],
  ])("answers not_found to an unknown id", async (id, shown) => {
    const result = await withTool({}).invoke(id);
    expect(result).toMatchObject({ success: false, errorCode: "not_found", ran: "no", data: {} });
    expect(result.error).toContain("not found");
    expect(result.error).toContain(shown);
    expect(result.error?.length).toBeLessThan(200);
  });

  it("answers not_found to an id that is no text", async () => {
    const result = await withTool({}).invoke(Object.create(null) as string);
    expect(result.errorCode).toBe("not_found");
  });

  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  let deep: unknown = "x";
  for (let i = 0; i < 200_000; i++) deep = i % 2 ? [deep] : { deep };

  it.each([
    ["null", null],
    ["an array", ["a"]],
    ["text", "a"],
    ["a number", 5],
    ["a function", () => undefined],
    ["a Map", new Map()],
    ["a class instance", new Error("x")],
    [
      "a getter that throws",
      Object.defineProperty({}, "a", {
        enumerable: true,
        get: () => {
          throw new Error("trap");
        },
      }),
    ],
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
  ])("refuses %s as arguments before the tool or its validator sees them", async (_what, args) => {
    const invoke = vi.fn(async () => toolSuccess({ content: [] }));
    const validate = vi.fn((): ToolValidation => ({ ok: true }));
    const result = await withTool({ invoke, validate }).invoke("ns/tool", args as never);
    expect(result).toMatchObject({ success: false, errorCode: "validation", ran: "no" });
    expect(result.error).toContain("validation");
    expect(invoke).not.toHaveBeenCalled();
    expect(validate).not.toHaveBeenCalled();
  });

  it.each([
    ["cyclic", cyclic],
    ["200,000 levels deep", { deep }],
    ["of a null prototype", Object.assign(Object.create(null), { a: 1 })],
  ])("survives arguments that are %s", async (_what, args) => {
    const invoke = vi.fn(async () => toolSuccess({ content: [] }));
    const registry = withTool({ invoke });
    expect((await registry.invoke("ns/tool", args as never)).success).toBe(true);
    registry.use((_call, next) => next());
    expect((await registry.invoke("ns/tool", args as never)).success).toBe(true);
    expect(invoke).toHaveBeenCalledTimes(2);
  });

  it("tells the tool its capability, over whatever the caller claims", async () => {
    const invoke = vi.fn(async () => toolSuccess({ content: [] }));
    const registry = withTool({ invoke, capability: WRITES });
    await registry.invoke("ns/tool", {}, { capability: READS, timeoutMs: 50 });
    expect(invoke).toHaveBeenCalledWith({}, { capability: WRITES, timeoutMs: 50 });
    await registry.invoke("ns/tool");
    expect(invoke).toHaveBeenLastCalledWith({}, { capability: WRITES });
  });

  it("passes a context of the application's own type along", async () => {
    interface Mine {
      readonly user: string;
      readonly signal?: AbortSignal;
    }
    const registry = new ToolRegistry<Record<string, { args: Record<string, unknown> }>, Mine>();
    registry.register("ns", {
      ...spec("tool"),
      invoke: async (_args, { user }: Mine) =>
        toolSuccess({ content: [{ type: "text", text: user }] }),
    });
    const result = await registry.invoke("ns/tool", {}, { user: "ada" });
    expect(result.content).toEqual([{ type: "text", text: "ada" }]);
  });

  it.each([
    [5000, "timeoutMs: 5000"],
    ["5s", "a string"],
    [null, "null"],
    [{ timeoutMs: 0 }, "positive"],
    [{ timeoutMs: -1 }, "positive"],
    [{ timeoutMs: Number.NaN }, "positive"],
    [{ timeoutMs: "5" }, "positive"],
  ])("refuses %j as a context, saying what it should be", async (context, shown) => {
    const invoke = vi.fn(async () => toolSuccess({ content: [] }));
    const result = await withTool({ invoke }).invoke("ns/tool", {}, context as never);
    expect(result).toMatchObject({ success: false, errorCode: "validation", ran: "no" });
    expect(result.error).toContain(shown);
    expect(invoke).not.toHaveBeenCalled();
  });

  it("runs nothing for a caller who gave up before", async () => {
    const invoke = vi.fn(async () => toolSuccess({ content: [] }));
    const validate = vi.fn((): ToolValidation => ({ ok: true }));
    const signal = AbortSignal.abort();
    const result = await withTool({ invoke, validate }).invoke("ns/tool", {}, { signal });
    expect(result).toMatchObject({ success: false, errorCode: "cancelled", ran: "no" });
    expect(validate).not.toHaveBeenCalled();
    expect(invoke).not.toHaveBeenCalled();
  });

  it("runs nothing for a caller who gives up during validation", async () => {
    const invoke = vi.fn(async () => toolSuccess({ content: [] }));
    const controller = new AbortController();
    const validate = async (): Promise<ToolValidation> => {
      controller.abort();
      return { ok: true };
    };
    const { signal } = controller;
    const result = await withTool({ invoke, validate }).invoke("ns/tool", {}, { signal });
    expect(result).toMatchObject({ errorCode: "cancelled", ran: "no" });
    expect(invoke).not.toHaveBeenCalled();
  });
});

describe("validation", () => {
  it.each([
    ["validation", undefined, "validation failed"],
    ["validation", "validation" as const, "validation failed"],
    ["schema", "schema" as const, "validation failed"],
    ["too_large", "too_large" as const, "too large"],
  ])("that refuses gives %s, with the issues, and nothing runs", async (code, errorCode, start) => {
    const invoke = vi.fn(async () => toolSuccess({ content: [] }));
    const issues = [
      { path: "/page", message: "must be an integer" },
      { path: ["items", 0, "id"], message: "is required" },
      { message: "is too long" },
    ];
    const validate = (): ToolValidation => ({ ok: false, issues, ...(errorCode && { errorCode }) });
    const result = await withTool({ invoke, validate }).invoke("ns/tool", { page: "1" });
    expect(result).toMatchObject({ success: false, errorCode: code, ran: "no", issues });
    expect(result.error).toBe(
      `${start} for "tool": /page: must be an integer; items.0.id: is required; is too long`,
    );
    expect(invoke).not.toHaveBeenCalled();
  });

  it.each([
    [
      "throws",
      () => {
        throw new RangeError("Maximum call stack size exceeded");
      },
      "Maximum call stack",
    ],
    [
      "rejects",
      async () => {
        throw new Error("no database");
      },
      "no database",
    ],
    ["answers nothing", () => undefined, "validator failed"],
    ["answers a no without issues", () => ({ ok: false }), "validator failed"],
    ["answers truthy instead of true", () => ({ ok: 1 }), "validator failed"],
  ])("that %s is a schema failure, and nothing runs", async (_what, validate, shown) => {
    const invoke = vi.fn(async () => toolSuccess({ content: [] }));
    const result = await withTool({ invoke, validate: validate as never }).invoke("ns/tool");
    expect(result).toMatchObject({ success: false, errorCode: "schema", ran: "no" });
    expect(result.error).toContain("validation");
    expect(result.error).toContain(shown);
    expect(invoke).not.toHaveBeenCalled();
  });
});

describe("issues of any shape", () => {
  it.each<[issues: unknown, code: string, shown: string]>([
    [[null], "schema", "validator failed"],
    ["no", "schema", "validator failed"],
    [[{ message: 5 }], "validation", "5"],
    [[{}], "validation", "undefined"],
    [[{ message: "odd path", path: 7 }], "validation", "odd path"],
    [[{ message: "symbols", path: ["a", Symbol("s"), 0] }], "validation", "a.Symbol(s).0: symbols"],
    [[], "validation", "validation failed"],
  ])("give a result, never a throw: %j", async (issues, code, shown) => {
    const validate = (): ToolValidation => ({ ok: false, issues: issues as [] });
    const result = await withTool({ validate }).invoke("ns/tool");
    expect(result).toMatchObject({ success: false, errorCode: code, ran: "no" });
    expect(result.error).toContain(shown);
  });

  it("may come with a code that is none, which counts as validation", async () => {
    const validate = (): ToolValidation => ({ ok: false, issues: [], errorCode: "oops" as never });
    expect((await withTool({ validate }).invoke("ns/tool")).errorCode).toBe("validation");
  });
});

describe("a tool that misbehaves", () => {
  it.each([
    ["an error", new Error("disk quota exceeded"), "disk quota exceeded"],
    ["text", "out of paper", "out of paper"],
    ["an object with a message", { message: "E42" }, "E42"],
    ["nothing", undefined, "ns/tool"],
    ["an error without a message", new Error(""), "ns/tool"],
    [
      "an object that throws when read",
      Object.defineProperty({}, "message", {
        get: () => {
          throw new Error("trap");
        },
      }),
      "ns/tool",
    ],
    ["a symbol", Symbol("s"), "Symbol(s)"],
    ["an object of no prototype", Object.create(null), "ns/tool"],
  ])("by throwing %s gives a tool_error with the real message", async (_what, thrown, shown) => {
    const invoke = async (): Promise<ToolResult> => {
      throw thrown;
    };
    const result = await withTool({ invoke }).invoke("ns/tool");
    expect(result).toMatchObject({ success: false, errorCode: "tool_error", ran: "yes" });
    expect(result.error).toContain(shown);
  });

  it("by throwing synchronously gives the same", async () => {
    const invoke = (): never => {
      throw new Error("at once");
    };
    expect(await withTool({ invoke }).invoke("ns/tool")).toMatchObject({
      errorCode: "tool_error",
      error: "at once",
    });
  });

  it("by throwing when the caller gave up counts as cancelled, outcome unknown", async () => {
    const controller = new AbortController();
    const invoke = async (): Promise<ToolResult> => {
      controller.abort();
      throw new DOMException("aborted", "AbortError");
    };
    const { signal } = controller;
    const result = await withTool({ invoke }).invoke("ns/tool", {}, { signal });
    expect(result).toMatchObject({ errorCode: "cancelled", ran: "unknown" });
  });

  const good = toolSuccess({ content: [] });
  const bad = toolFailure("timeout", "timeout");
  it.each([
    ["undefined", undefined],
    ["null", null],
    ["text", "done"],
    ["an array", []],
    ["an object", { answer: 42 }],
    ["a success with an error", { ...good, error: "x" }],
    ["a success without content", { ...good, content: undefined }],
    ["a success with null in its content", { ...good, content: [null] }],
    ["a success without data", { ...good, data: undefined }],
    ["a success without warnings", { ...good, warnings: undefined }],
    ["a success without a duration", { ...good, durationMs: undefined }],
    ["a failure without a code", { ...bad, errorCode: undefined }],
    ["a failure of an unknown code", { ...bad, errorCode: "oops" }],
    ["a failure without a message", { ...bad, error: null }],
    ["a failure that does not say whether it ran", { ...bad, ran: undefined }],
  ])("by returning %s gives a tool_error that still holds the answer", async (_what, answer) => {
    const result = await withTool({ invoke: async () => answer as never }).invoke("ns/tool");
    expect(result).toMatchObject({ success: false, errorCode: "tool_error", ran: "yes" });
    expect(result.error).toContain("no ToolResult");
    expect(result.structuredContent).toBe(answer);
  });

  it("by returning a result that throws when read gives a tool_error", async () => {
    const trap = Object.defineProperty({ ...good }, "content", {
      enumerable: true,
      get: () => {
        throw new Error("trap");
      },
    });
    const result = await withTool({ invoke: async () => trap as never }).invoke("ns/tool");
    expect(result).toMatchObject({ errorCode: "tool_error", error: "trap" });
  });
});

describe("the constructors of results", () => {
  it("make whole results that the registry takes", async () => {
    const failure = toolFailure("unavailable", "the printer is off", { ran: "unknown" });
    expect(await withTool({ invoke: async () => failure }).invoke("ns/tool")).toBe(failure);
    expect(failure).toEqual({
      success: false,
      data: {},
      error: "the printer is off",
      errorCode: "unavailable",
      ran: "unknown",
      durationMs: 0,
      content: [],
      warnings: [],
    });
    const content = [{ type: "text", text: "hi" }];
    expect(toolSuccess({ content, structuredContent: { a: 1 }, durationMs: 3 })).toEqual({
      success: true,
      data: { content, structuredContent: { a: 1 } },
      error: null,
      errorCode: null,
      durationMs: 3,
      content,
      structuredContent: { a: 1 },
      warnings: [],
    });
  });

  it("never leave a failure without a message", () => {
    expect(toolFailure("timeout", "").error).toBe("timeout");
  });
});
