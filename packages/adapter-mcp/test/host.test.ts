import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { ToolDefinition } from "./host/contract.ts";
import { core, isRealCore } from "./host/core.ts";
import { type ScriptedModel, scriptedModel, type Turn } from "./host/scripted-model.ts";

/** What the host promises an adapter. It holds for the host of this folder and for the real core. */

const {
  callTool,
  createAgent,
  equipInstruction,
  equipMemo,
  equipMemory,
  equipResource,
  equipScope,
  equipTool,
  expectResource,
  expectScope,
  getContextSignal,
  promptAgent,
  reborn,
  runWith,
} = core;

const anything = z.looseObject({});
const tool = (name: string, rest: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name,
  description: `does ${name}`,
  parameters: anything,
  handler: async (args) => args,
  ...rest,
});

/** Runs a handler in an agent of its own. */
const inAgent = <R>(handler: () => Promise<R>, model?: ScriptedModel): Promise<R> =>
  createAgent<object, R>({ id: "a", ...(model && { model }), handler })({});

/** The content of the tool messages, in order, after the model has called `turns`. */
async function answers(tools: readonly ToolDefinition[], turns: readonly Turn[]) {
  const model = scriptedModel(turns);
  await inAgent(async () => {
    for (const each of tools) equipTool(each);
    return promptAgent(anything);
  }, model);
  return (model.messages.at(-1) ?? [])
    .filter(({ role }) => role === "tool")
    .map(({ content }) => content);
}

const answerOf = async (one: ToolDefinition, args: object | string = {}) =>
  (await answers([one], [{ calls: [{ name: one.name, arguments: args }] }]))[0];

it("is the one that was asked for", () => {
  expect(isRealCore).toBe(process.env["REJELLY_CORE"] !== undefined);
});

describe("the context", () => {
  it.each([
    ["equipTool", () => equipTool(tool("t"))],
    ["equipMemory", () => equipMemory("k", 1)],
    ["equipMemo", () => equipMemo("k", () => 1, [])],
    ["equipResource", () => equipResource("k", { create: async () => 1, deps: [] })],
    ["expectResource", () => expectResource("k")],
    ["equipScope", () => equipScope({ a: 1 })],
    ["expectScope", () => expectScope(anything)],
    ["equipInstruction", () => equipInstruction("x")],
  ])("%s outside a handler is an error", async (_name, act) => {
    const error = await (async () => act())().catch((reason: unknown) => reason);
    expect(core.isContextNotFoundError(error)).toBe(true);
  });

  it("survives await import and setImmediate, and ends with the handler", async () => {
    const seen = await inAgent(async () => {
      await import("node:path");
      await new Promise(setImmediate);
      return getContextSignal();
    });
    expect(seen).toBeInstanceOf(AbortSignal);
    expect(getContextSignal()).toBeUndefined();
  });

  it("runWith does not nest", async () => {
    await expect(runWith(() => runWith(async () => 1))).rejects.toThrow(/top level/);
    await expect(runWith(async () => 1)).resolves.toBe(1);
  });
});

describe("the order of things", () => {
  it.each([
    ["equipTool", () => equipTool(tool("late"))],
    ["equipInstruction", () => equipInstruction("late")],
    ["equipSystem", () => core.equipSystem("late")],
  ])("%s after promptAgent is an error", async (apiName, act) => {
    const error = await inAgent(async () => {
      await promptAgent(anything);
      return act();
    }, scriptedModel([])).catch((reason: unknown) => reason);
    expect(core.isAfterPromptAgentError(error)).toBe(true);
    expect(error).toMatchObject({ apiName });
  });

  it("memory, memos and scopes still work after promptAgent", async () => {
    const done = await inAgent(async () => {
      await promptAgent(anything);
      equipScope({ a: 1 });
      const [count] = equipMemory("k", 2);
      return count + (await equipMemo("m", () => 3, []));
    }, scriptedModel([]));
    expect(done).toBe(5);
  });

  it("promptAgent goes once, and not without a model", async () => {
    const twice = inAgent(async () => {
      await promptAgent(anything);
      await promptAgent(anything);
    }, scriptedModel([]));
    expect(core.isPromptAgentAlreadyCalledError(await twice.catch((e: unknown) => e))).toBe(true);
    const modelless = inAgent(() => promptAgent(anything));
    expect(core.isModelNotFoundError(await modelless.catch((e: unknown) => e))).toBe(true);
  });

  it("a model further up will do", async () => {
    const model = scriptedModel([{ answer: { ok: true } }]);
    const child = createAgent({ id: "child", handler: () => promptAgent(anything) });
    await expect(inAgent(() => child({}), model)).resolves.toEqual({ ok: true });
    await expect(runWith(() => child({}), { model: scriptedModel([]) })).resolves.toEqual({});
  });

  it("an answer that never fits and a loop that never ends are errors", async () => {
    const agent = createAgent({
      id: "a",
      model: scriptedModel(Array.from({ length: 9 }, () => ({ answer: {} }))),
      maxRetries: 1,
      handler: () => promptAgent(z.object({ n: z.number() })),
    });
    expect(core.isAttemptsExhaustedError(await agent({}).catch((e: unknown) => e))).toBe(true);
    const looping = createAgent({
      id: "a",
      model: scriptedModel(Array.from({ length: 9 }, () => ({ calls: [{ name: "t" }] }))),
      maxTurnSteps: 3,
      handler: async () => {
        equipTool(tool("t"));
        return promptAgent(anything);
      },
    });
    expect(core.isToolLoopExceededError(await looping({}).catch((e: unknown) => e))).toBe(true);
  });
});

describe("equipTool", () => {
  it("takes any name, once", async () => {
    await inAgent(async () => {
      equipTool(tool(""));
      equipTool(tool("a b/ü".repeat(30)));
      equipTool(tool("t"));
      let error: unknown;
      try {
        equipTool(tool("t"));
      } catch (thrown) {
        error = thrown;
      }
      expect(core.isDuplicateToolNameError(error)).toBe(true);
      expect(error).toMatchObject({ toolName: "t" });
    });
  });

  it("offers what was equipped in this generation by this agent", async () => {
    const model = scriptedModel([]);
    const child = createAgent({ id: "child", handler: () => promptAgent(anything) });
    const parent = createAgent<{ again: boolean }, unknown>({
      id: "parent",
      model,
      handler: async ({ again }) => {
        if (again) {
          equipTool(tool("first"));
          return reborn({ again: false });
        }
        equipTool(tool("second"));
        await promptAgent(anything);
        return child({});
      },
    });
    await parent({ again: true });
    const names = model.offered.map((tools) => tools.map(({ name }) => name));
    expect(names).toEqual([["second"], []]);
  });

  it("runs the option's middleware around the tool's own, in order, and lets it answer instead", async () => {
    const order: string[] = [];
    const watch = (name: string) => ({
      name,
      handler: async (_context: unknown, next: () => Promise<unknown>) => {
        order.push(name);
        return `${name}(${await next()})`;
      },
    });
    const model = scriptedModel([{ calls: [{ name: "t" }, { name: "u" }] }]);
    await inAgent(async () => {
      equipTool(tool("t", { middlewares: [watch("own")], handler: async () => "x" }), {
        middleware: [watch("outer"), watch("inner")],
      });
      equipTool(tool("u"), { middleware: [{ name: "m", handler: async () => "instead" }] });
      return promptAgent(anything);
    }, model);
    expect(order).toEqual(["outer", "inner", "own"]);
    expect(model.messages[1]?.slice(1).map(({ content }) => content)).toEqual([
      "outer(inner(own(x)))",
      "instead",
    ]);
  });

  it("gives middleware the tool, its schema and the very object the handler gets", async () => {
    let input: unknown;
    let got: unknown;
    const watched = tool("t", {
      handler: async (args) => {
        got = args;
        return "";
      },
    });
    await inAgent(
      async () => {
        equipTool(watched, {
          middleware: [
            {
              name: "m",
              handler: async (context, next) => {
                input = context.input;
                expect(context).toMatchObject({ toolName: "t", description: "does t" });
                expect(context.parameters).toBe(watched.parameters);
                expect(context.metadata.agentId).toBe("a");
                return next();
              },
            },
          ],
        });
        return promptAgent(anything);
      },
      scriptedModel([{ calls: [{ name: "t", arguments: { a: 1 } }] }]),
    );
    expect(got).toEqual({ a: 1 });
    expect(input).toBe(got);
  });
});

describe("a tool call", () => {
  it("is parsed first, and what was parsed is what the handler gets", async () => {
    const parameters = z.object({ n: z.number(), unit: z.string().default("m") });
    const one = tool("t", { parameters });
    expect(await answerOf(one, { n: 1, extra: true })).toBe('{"n":1,"unit":"m"}');
    expect(await answerOf(one, { n: "1" })).toMatch(
      /^\{"error":true,"message":"Tool \\"t\\" execution failed: Invalid arguments for tool \\"t\\": n: /,
    );
    expect(await answerOf(tool("t"), "")).toBe("{}");
    expect(await answerOf(one, "{n:")).toMatch(/^\{"error":true,"message":"Invalid JSON arg/);
  });

  it.each([
    ["a string", "plain", "plain"],
    ["JSON", { a: [1, null] }, '{"a":[1,null]}'],
    ["null", null, "null"],
    ["parts", core.toolContent([{ type: "text", text: "x" }]), [{ type: "text", text: "x" }]],
  ])("answers the model with %s", async (_name, result, content) => {
    expect(await answerOf(tool("t", { handler: async () => result }))).toEqual(content);
  });

  it.each([
    ["undefined", undefined],
    ["undefined within", { isError: undefined }],
    ["a class", { at: new Date(0) }],
    ["NaN", [Number.NaN]],
  ])("refuses %s as a result", async (_name, result) => {
    const answer = await answerOf(tool("t", { handler: async () => result }));
    expect(answer).toMatch(/execution failed: InvalidToolOutputError: /);
  });

  it.each([
    [new Error("boom"), 'Tool "t" execution failed: boom'],
    [new TypeError("boom"), 'Tool "t" execution failed: TypeError: boom'],
    ["boom", 'Tool "t" execution failed: boom'],
  ])("tells the model of %s", async (thrown, message) => {
    const failing = tool("t", { handler: async () => Promise.reject(thrown) });
    expect(await answerOf(failing)).toBe(JSON.stringify({ error: true, message }));
  });

  it("of an unknown tool names those there are", async () => {
    const [answer] = await answers([tool("t"), tool("u")], [{ calls: [{ name: "zz" }] }]);
    expect(answer).toBe(
      JSON.stringify({ error: true, message: 'Tool "zz" not found. Available tools: t, u' }),
    );
  });

  it("runs beside the others of its turn, and the answers keep their order", async () => {
    let arrived = () => {};
    const both = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const first = tool("first", { handler: async () => both.then(() => "1") });
    const second = tool("second", {
      handler: async () => {
        arrived();
        return "2";
      },
    });
    const turn = { calls: [{ name: "first" }, { name: "second" }] };
    expect(await answers([first, second], [turn])).toEqual(["1", "2"]);
  });

  it("by hand throws, within an agent and without one", async () => {
    const failing = tool("t", { handler: async () => Promise.reject(new Error("boom")) });
    await expect(callTool(failing, {})).rejects.toThrow("boom");
    await expect(inAgent(() => callTool(failing, {}))).rejects.toThrow("boom");
    await expect(callTool(tool("t"), { a: 1 })).resolves.toEqual({ a: 1 });
  });
});

describe("equipMemory", () => {
  it("is copied in and out, survives reborn and is each call's own", async () => {
    const list = { items: [1] };
    const agent = createAgent<{ generation: number }, unknown>({
      id: "a",
      handler: async ({ generation = 0 }) => {
        const [held, set] = equipMemory("k", list);
        held.items.push(99);
        if (generation === 2) return equipMemory("k", list)[0];
        set((previous) => ({ items: [...previous.items, generation] }));
        return reborn({ generation: generation + 1 });
      },
    });
    expect(await agent({ generation: 0 })).toEqual({ items: [1, 0, 1] });
    expect(await agent({ generation: 2 })).toEqual({ items: [1] });
    expect(list).toEqual({ items: [1] });
  });

  it.each([
    ["undefined", undefined],
    ["a function", () => 1],
    ["a class", new Map()],
    ["undefined within", { a: undefined }],
  ])("refuses %s", async (_name, value) => {
    await expect(inAgent(async () => equipMemory<unknown>("k", value))).rejects.toThrow(TypeError);
  });
});

describe("equipMemo", () => {
  it("compares deps by what they hold, one slot a key, across reborn", async () => {
    let made = 0;
    const agent = createAgent<{ deps: unknown[][] }, number[]>({
      id: "a",
      handler: async ({ deps }) => {
        const values: number[] = [];
        for (const each of deps) {
          made += 1;
          const before = made;
          values.push(await equipMemo("k", () => before, each));
        }
        return values;
      },
    });
    const two = [{ a: [1] }];
    const result = await agent({ deps: [[{ a: [1] }], two, [{ a: [2] }], [{ a: [1] }]] });
    expect(result).toEqual([1, 1, 3, 4]);
  });

  it("keeps a value over reborn, as a copy", async () => {
    let runs = 0;
    const agent = createAgent<{ last: boolean }, unknown>({
      id: "a",
      handler: async ({ last }) => {
        const value = await equipMemo("k", async () => ({ n: [++runs] }), ["same"]);
        value.n.push(0);
        return last ? value : reborn({ last: true });
      },
    });
    expect(await agent({ last: false })).toEqual({ n: [1, 0] });
    expect(runs).toBe(1);
  });

  it("does not keep a failure, and refuses what is not JSON", async () => {
    let runs = 0;
    const flaky = () => {
      runs += 1;
      if (runs === 1) throw new Error("first");
      return runs;
    };
    await inAgent(async () => {
      await expect(equipMemo("k", flaky, [])).rejects.toThrow("first");
      await expect(equipMemo("k", flaky, [])).resolves.toBe(2);
      await expect(equipMemo("u", () => 1, [undefined])).rejects.toThrow(TypeError);
      await expect(equipMemo<unknown>("v", () => ({ a: undefined }), [])).rejects.toThrow(
        TypeError,
      );
    });
  });

  it("runs the factory twice for two calls at once", async () => {
    let runs = 0;
    await inAgent(async () => {
      const make = () => equipMemo("k", async () => ++runs, []);
      return Promise.all([make(), make()]);
    });
    expect(runs).toBe(2);
  });
});

describe("equipResource", () => {
  let log: string[];
  beforeEach(() => {
    log = [];
  });
  const resource = (name: string, deps: unknown[], expose = false) =>
    equipResource("r", {
      create: async () => {
        log.push(`create ${name}`);
        return { name };
      },
      destroy: async () => {
        await new Promise(setImmediate);
        log.push(`destroy ${name}`);
      },
      deps,
      expose,
    });

  it("lives through reborn while its deps are the same, and is destroyed before the agent is done", async () => {
    const agent = createAgent<{ turn: number }, unknown>({
      id: "a",
      handler: async ({ turn }) => {
        await resource(`r${turn}`, [turn < 2 ? "same" : "other"]);
        return turn < 2 ? reborn({ turn: turn + 1 }) : "done";
      },
    });
    expect(await agent({ turn: 0 })).toBe("done");
    expect(log).toEqual(["create r0", "destroy r0", "create r2", "destroy r2"]);
  });

  it("compares deps by identity", async () => {
    await inAgent(async () => {
      await resource("one", [{}]);
      await resource("two", [{}]);
    });
    expect(log).toEqual(["create one", "destroy one", "create two", "destroy two"]);
  });

  it("is found by descendants when exposed, and else by nobody", async () => {
    const child = createAgent({
      id: "child",
      handler: async () => expectResource("r", { optional: true }),
    });
    const exposed = await inAgent(async () => {
      await resource("seen", [], true);
      return [await child({}), expectResource("r")];
    });
    expect(exposed).toEqual([{ name: "seen" }, { name: "seen" }]);
    const hidden = await inAgent(async () => {
      await resource("hidden", []);
      return [await child({}), expectResource("r", { optional: true })];
    });
    expect(hidden).toEqual([undefined, undefined]);
  });

  it("comes from runWith too; a missing one is an error", async () => {
    const agent = createAgent({ id: "a", handler: async () => expectResource("given") });
    await expect(runWith(() => agent({}), { providers: { given: 7 } })).resolves.toBe(7);
    const error = await agent({}).catch((reason: unknown) => reason);
    expect(core.isResourceNotFoundError(error)).toBe(true);
  });

  it("may not change what it exposes", async () => {
    await expect(
      inAgent(async () => {
        await resource("r", []);
        await resource("r", [], true);
      }),
    ).rejects.toThrow(/expose/);
  });

  it("is destroyed when the handler throws", async () => {
    const failing = inAgent(async () => {
      await resource("r", []);
      throw new Error("boom");
    });
    await expect(failing).rejects.toThrow("boom");
    expect(log).toEqual(["create r", "destroy r"]);
  });
});

describe("scopes", () => {
  it("merge from the root down, and are frozen", async () => {
    const child = createAgent({
      id: "child",
      handler: async () => {
        equipScope({ b: undefined, own: 3 });
        return expectScope(anything);
      },
    });
    const scope = await inAgent(async () => {
      equipScope({ a: { deep: 1 }, b: 1 });
      equipScope({ c: 2 });
      return child({});
    });
    expect(scope).toEqual({ a: { deep: 1 }, b: undefined, c: 2, own: 3 });
    expect(Object.isFrozen(scope)).toBe(true);
  });

  it("hold JSON, and a missing value is an error", async () => {
    await expect(inAgent(async () => equipScope({ f: () => 1 }))).rejects.toThrow(TypeError);
    await expect(inAgent(async () => equipScope({ at: new Date() }))).rejects.toThrow(TypeError);
    const missing = inAgent(async () => expectScope(z.object({ x: z.string() })));
    expect(core.isScopeError(await missing.catch((e: unknown) => e))).toBe(true);
  });
});

describe("instructions", () => {
  it("reach the model as parts", async () => {
    const model = scriptedModel([]);
    await inAgent(async () => {
      core.equipSystem("be brief");
      equipInstruction("one");
      equipInstruction([{ type: "image", image: { url: "data:image/png;base64,AA==" } }]);
      return promptAgent(anything);
    }, model);
    expect(model.messages[0]?.map(({ role, content }) => ({ role, content }))).toEqual([
      { role: "system", content: "be brief" },
      { role: "user", content: [{ type: "text", text: "one" }] },
      {
        role: "user",
        content: [{ type: "image", image: { url: "data:image/png;base64,AA==" } }],
      },
    ]);
  });
});

describe("an abort", () => {
  it("reaches the signal; the handler is not raced; then the run ends as aborted", async () => {
    const controller = new AbortController();
    let seen: AbortSignal | undefined;
    let finished = false;
    const stubborn = tool("t", {
      handler: async () => {
        seen = getContextSignal();
        controller.abort("enough");
        await new Promise((resolve) => setTimeout(resolve, 50));
        finished = true;
        return "late";
      },
    });
    const agent = createAgent({
      id: "a",
      model: scriptedModel([{ calls: [{ name: "t" }] }]),
      handler: async () => {
        equipTool(stubborn);
        return promptAgent(anything);
      },
    });
    const run = runWith(() => agent({}), { signal: controller.signal });
    expect(core.isAbortError(await run.catch((e: unknown) => e))).toBe(true);
    expect(seen?.aborted).toBe(true);
    expect(finished).toBe(true);
  });
});

describe("tool content", () => {
  it("is known by a plain key", () => {
    expect(core.TOOL_CONTENT_KEY).toBe("$rejellyContent");
    expect(core.toolContent([])).toEqual({ $rejellyContent: [] });
    expect(core.isToolContent({ $rejellyContent: [] })).toBe(true);
    expect(core.isToolContent({ $rejellyContent: "x" })).toBe(false);
    expect(core.isToolContent(null)).toBe(false);
  });
});

describe("instrument", () => {
  it("wraps methods so that they have length 0, and leaves the rest", async () => {
    const target = {
      twice: async (n: number) => n * 2,
      plain(this: unknown) {
        return this;
      },
      value: 1,
    };
    const watched = core.instrument(target, { name: "t", ops: ["twice"] });
    expect(watched.twice.length).toBe(0);
    expect(await watched.twice(4)).toBe(8);
    expect(watched.plain()).toBe(target);
    expect(watched.value).toBe(1);
  });
});
