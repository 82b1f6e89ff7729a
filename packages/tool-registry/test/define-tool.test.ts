import { describe, expect, expectTypeOf, it, vi } from "vitest";
import { z } from "zod";
import {
  type CapabilityClaims,
  defineTool,
  type StandardSchema,
  type ToolContent,
  ToolRegistry,
  type ToolResult,
  type ToolSpec,
  type TypesOf,
  toolFailure,
  toolSuccess,
} from "../src/index.ts";
import { READS, thrownBy } from "./sample-tools.ts";

const call = (
  tool: ToolSpec<never>,
  args: unknown = {},
  context: { signal?: AbortSignal; timeoutMs?: number } = {},
): Promise<ToolResult> => {
  const registry = new ToolRegistry();
  return registry.register("own", tool as ToolSpec).invoke(args as never, context);
};

const returning = (value: unknown): ToolSpec =>
  defineTool({ name: "t", inputSchema: {}, invoke: () => value });

describe("defineTool with a Standard Schema", () => {
  const input = z.object({ title: z.string(), count: z.coerce.number().int().default(1) });
  const add = defineTool({
    name: "add",
    title: "Add",
    description: "Adds.",
    input,
    invoke: ({ title, count }) => ({ label: `${title} ×${count}`, next: count + 1 }),
  });

  it("shows the model the schema of what goes in", () => {
    expect(add.inputSchema).toEqual({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        title: { type: "string" },
        count: {
          type: "integer",
          default: 1,
          minimum: -9007199254740991,
          maximum: 9007199254740991,
        },
      },
      required: ["title"],
    });
    expect(add).toMatchObject({ name: "add", title: "Add", description: "Adds.", source: "own" });
  });

  it("gives the function what the schema makes of the arguments", async () => {
    const result = await call(add, { title: "a", count: "41" });
    expect(result.structuredContent).toEqual({ label: "a ×41", next: 42 });
    expect((await call(add, { title: "a" })).structuredContent).toEqual({ label: "a ×1", next: 2 });
  });

  it("refuses what does not fit, with messages and paths, before the function runs", async () => {
    const invoke = vi.fn(() => "x");
    const deep = defineTool({
      name: "deep",
      input: z.object({ list: z.array(z.object({ id: z.number() })) }),
      invoke,
    });
    const result = await call(deep, { list: [{ id: 1 }, { id: "2" }] });
    expect(result).toMatchObject({ success: false, errorCode: "validation", ran: "no" });
    expect(result.success || result.issues).toEqual([
      { path: ["list", 1, "id"], message: "Invalid input: expected number, received string" },
    ]);
    expect(result.error).toContain("list.1.id: Invalid input");
    expect(invoke).not.toHaveBeenCalled();
  });

  it("parses once a call, also where a middleware stands between", async () => {
    const { validate, ...standard } = input["~standard"];
    const counted = vi.fn(validate);
    const schema = { "~standard": { ...standard, validate: counted } };
    const registry = new ToolRegistry().use((_call, next) => next());
    registry.register(
      "own",
      defineTool({ name: "t", input: schema, invoke: ({ title }) => title }),
    );
    expect((await registry.invoke("own/t", { title: "a" })).success).toBe(true);
    expect(counted).toHaveBeenCalledTimes(1);
  });

  it("waits for a schema that validates asynchronously", async () => {
    const isFree = vi.fn(async (id: string) => id !== "taken");
    const slow = defineTool({
      name: "slow",
      input: z.object({ id: z.string().refine(isFree, "is taken") }),
      invoke: ({ id }) => id,
    });
    expect((await call(slow, { id: "a" })).success).toBe(true);
    const result = await call(slow, { id: "taken" });
    expect(result).toMatchObject({ errorCode: "validation", ran: "no" });
    expect(result.error).toContain("id: is taken");
  });

  it("parses anew for each run, so that a run never sees what an earlier one did", async () => {
    const seen: number[][] = [];
    const tool = defineTool({
      name: "grow",
      input: z.object({ list: z.array(z.number()) }),
      invoke: ({ list }) => {
        seen.push([...list]);
        list.push(9);
        return "done";
      },
    });
    const registry = new ToolRegistry().use(async (_call, next) => {
      await next();
      return next();
    });
    registry.register("own", tool);
    await registry.invoke("own/grow", { list: [1] });
    expect(seen).toEqual([[1], [1]]);
    const args = { list: [1] };
    await tool.validate?.(args);
    await tool.invoke(args, {});
    await tool.invoke(args, {});
    expect(seen).toEqual([[1], [1], [1], [1]]);
  });

  it("validates also where it is invoked without a registry", async () => {
    const wrong = await add.invoke({ title: 5 } as never, {});
    expect(wrong).toMatchObject({ errorCode: "validation", ran: "no" });
    expect((await add.invoke({ title: "a" }, {})).success).toBe(true);
  });

  it("takes any library's schema, sync or async, and the older dialect where it must", async () => {
    const schema: StandardSchema<{ n: number }, { n: bigint }> = {
      "~standard": {
        version: 1,
        vendor: "mine",
        validate: async (value) => {
          const n = (value as { n?: unknown }).n;
          return typeof n === "number"
            ? { value: { n: BigInt(n) } }
            : {
                issues: [
                  { message: "n must be a number", path: [{ key: "n" }] },
                  { message: "sorry" },
                ],
              };
        },
        jsonSchema: {
          input: ({ target }) => {
            if (target !== "draft-07") throw new Error(`no ${target}`);
            return { $schema: "http://json-schema.org/draft-07/schema#", type: "object" };
          },
        },
      },
    };
    const tool = defineTool({ name: "big", input: schema, invoke: ({ n }) => `${n * 2n}` });
    expect(tool.inputSchema["$schema"]).toContain("draft-07");
    expect((await call(tool, { n: 21 })).content).toEqual([{ type: "text", text: "42" }]);
    const result = await call(tool, {});
    expect(result.success || result.issues).toEqual([
      { path: ["n"], message: "n must be a number" },
      { message: "sorry" },
    ]);
  });

  it("takes a schema that is a function", async () => {
    const callable = Object.assign(() => undefined, {
      "~standard": z.object({ a: z.string() })["~standard"],
    });
    const tool = defineTool({ name: "fn", input: callable, invoke: ({ a }) => a });
    expect((await call(tool, { a: "x" })).content).toEqual([{ type: "text", text: "x" }]);
  });

  const noJson = { "~standard": { version: 1, vendor: "v", validate: () => ({ value: 1 }) } };
  it.each<[what: string, input: unknown, shown: string]>([
    ["no schema", {}, "Standard Schema"],
    ["null", null, "Standard Schema"],
    ["a JSON Schema", { type: "object" }, "Standard Schema"],
    [
      "a schema of a later version",
      { "~standard": { ...noJson["~standard"], version: 2 } },
      "Standard Schema",
    ],
    ["a schema without JSON Schema output", noJson, "inputSchema"],
    ["a schema that JSON cannot say", z.object({ when: z.date() }), "Date cannot be represented"],
    ["a schema of text", z.string(), "string"],
    [
      "a schema that yields nothing",
      { "~standard": { ...noJson["~standard"], jsonSchema: { input: () => null } } },
      "null",
    ],
  ])("refuses %s", (_what, wrong, shown) => {
    const error = thrownBy(() =>
      defineTool({ name: "t", input: wrong as StandardSchema, invoke: () => "x" }),
    );
    expect(error).toMatchObject({ code: "invalid_spec", field: "input" });
    expect(error.message).toContain('"t"');
    expect(error.message).toContain(shown);
  });
});

describe("defineTool with a JSON Schema", () => {
  it("passes the arguments as they are and validates with what it is given", async () => {
    const tool = defineTool({
      name: "raw",
      inputSchema: { type: "object", properties: { a: { type: "string" } } },
      validate: ({ a }) => (a === 1 ? { ok: false, issues: [{ message: "not 1" }] } : { ok: true }),
      invoke: (args) => args,
    });
    expect((await call(tool, { a: "x", b: 2 })).structuredContent).toEqual({ a: "x", b: 2 });
    expect(await call(tool, { a: 1 })).toMatchObject({ errorCode: "validation" });
  });

  it("calls its functions as methods of the definition", async () => {
    const definition = {
      name: "method",
      inputSchema: {},
      greeting: "hello",
      validate(): { ok: true } {
        this.greeting += "!";
        return { ok: true };
      },
      invoke(): string {
        return this.greeting;
      },
    };
    expect((await call(defineTool(definition))).content).toEqual([
      { type: "text", text: "hello!" },
    ]);
  });

  it.each<[what: string, definition: Record<string, unknown>, field: string]>([
    ["neither schema", { inputSchema: undefined }, "input"],
    ["both schemas", { input: z.object({}) }, "input"],
    ["no function", { invoke: undefined }, "invoke"],
    ["no name", { name: "" }, "name"],
    ["a schema that is none", { inputSchema: [] }, "inputSchema"],
    ["a claim that is not known", { capability: { readonly: true } }, "capability.readonly"],
    ["a claim that is no boolean", { capability: { readOnly: "yes" } }, "capability.readOnly"],
    [
      "claims that contradict",
      { capability: { readOnly: true, writes: true } },
      "capability.writes",
    ],
    [
      "a reader that destroys",
      { capability: { readOnly: true, destructive: true } },
      "capability.destructive",
    ],
  ])("refuses %s at once", (_what, change, field) => {
    const definition = { name: "t", inputSchema: {}, invoke: () => "x", ...change };
    const error = thrownBy(() => defineTool(definition as never));
    expect(error).toMatchObject({ code: "invalid_spec", field });
  });
});

describe("what a tool may do", () => {
  it.each<[claims: CapabilityClaims, expected: Record<string, unknown>]>([
    [{ readOnly: true }, { effect: "read", readOnly: true, writes: false }],
    [{ writes: true }, { effect: "write", readOnly: false, writes: true }],
    [
      { writes: true, destructive: false, idempotent: true, openWorld: false },
      { effect: "write", destructive: false, idempotent: true, openWorld: false },
    ],
    [{ destructive: true }, { effect: "unknown", destructive: true, idempotent: null }],
    [{}, { effect: "unknown", readOnly: false, writes: false }],
  ])("is what its author claims: %j", (capability, expected) => {
    const tool = defineTool({ name: "t", inputSchema: {}, capability, invoke: () => "x" });
    expect(tool.capability).toMatchObject(expected);
  });

  it("comes with trusted reasons", () => {
    const tool = defineTool({
      name: "t",
      inputSchema: {},
      capability: { readOnly: true },
      invoke: () => "x",
    });
    const detail = "declared by the author of the tool";
    expect(tool.capability?.because).toEqual([
      { about: "readOnly", says: true, from: "annotations", trusted: true, detail },
      { about: "writes", says: false, from: "annotations", trusted: true, detail },
      { about: "destructive", says: false, from: "annotations", trusted: true, detail },
    ]);
  });

  it("may be a whole verdict", () => {
    const tool = defineTool({ name: "t", inputSchema: {}, capability: READS, invoke: () => "x" });
    expect(tool.capability).toBe(READS);
  });
});

describe("what a function returns", () => {
  const text = (value: string): ToolContent[] => [{ type: "text", text: value }];
  const image: ToolContent = { type: "image", data: "AAAA", mimeType: "image/png" };

  it.each<[what: string, value: unknown, content: ToolContent[], structured: unknown]>([
    ["text", "hi", text("hi"), undefined],
    ["empty text", "", text(""), undefined],
    ["nothing", undefined, [], undefined],
    ["null", null, text("null"), undefined],
    ["a number", 42, text("42"), 42],
    ["false", false, text("false"), false],
    ["an object", { a: [1] }, text('{"a":[1]}'), { a: [1] }],
    ["an array", [1, "b"], text('[1,"b"]'), [1, "b"]],
    ["a promise", Promise.resolve("later"), text("later"), undefined],
    ["content", { content: [image] }, [image], undefined],
    ["no content", { content: [] }, [], undefined],
    ["content with data", { content: text("x"), structuredContent: { a: 1 } }, text("x"), { a: 1 }],
    [
      "an object that only looks like content",
      { content: "x", total: 1 },
      text('{"content":"x","total":1}'),
      { content: "x", total: 1 },
    ],
    [
      "an object with blocks and more",
      { content: [image], total: 1 },
      text(JSON.stringify({ content: [image], total: 1 })),
      { content: [image], total: 1 },
    ],
  ])("as %s becomes a success", async (_what, value, content, structured) => {
    const result = await call(returning(value));
    expect(result).toMatchObject({ success: true, content, warnings: [] });
    expect(result.structuredContent).toEqual(structured);
    expect(result.data).toEqual(
      structured === undefined ? { content } : { content, structuredContent: structured },
    );
    expect(result.durationMs).toBeGreaterThanOrEqual(0);
  });

  it("as a whole ToolResult stays as it is", async () => {
    const results = [toolSuccess({ content: [] }), toolFailure("unavailable", "off")];
    for (const result of results) expect(await call(returning(result))).toBe(result);
  });

  it("as content with isError becomes a tool_error that keeps the content", async () => {
    const content = [...text("ledger is locked"), image];
    const result = await call(
      returning({ content, structuredContent: { code: 7 }, isError: true }),
    );
    expect(result).toMatchObject({
      success: false,
      errorCode: "tool_error",
      ran: "yes",
      error: "ledger is locked",
      content,
      structuredContent: { code: 7 },
    });
    const mute = await call(returning({ content: [], isError: true }));
    expect(mute.error).toContain("error");
  });

  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  it.each<[what: string, value: unknown, shown: string]>([
    ["a function", () => 1, "a function"],
    ["a symbol", Symbol("s"), "a symbol"],
    ["a bigint", 5n, "BigInt"],
    ["a cycle", cyclic, "circular"],
    ["half a ToolResult", { success: true, errorCode: null, data: {} }, "malformed"],
  ])("as %s becomes a tool_error", async (_what, value, shown) => {
    const result = await call(returning(value));
    expect(result).toMatchObject({ success: false, errorCode: "tool_error", ran: "yes" });
    expect(result.error).toContain(shown);
  });
});

describe("what a function throws", () => {
  it.each([
    [new Error("disk full"), "disk full"],
    ["plain text", "plain text"],
    [undefined, '"t"'],
    [new Error(""), '"t"'],
  ])("becomes a tool_error with its message", async (thrown, shown) => {
    for (const invoke of [
      () => {
        throw thrown;
      },
      async () => {
        throw thrown;
      },
    ]) {
      const result = await call(defineTool({ name: "t", inputSchema: {}, invoke }));
      expect(result).toMatchObject({ success: false, errorCode: "tool_error", ran: "yes" });
      expect(result.error).toContain(shown);
    }
  });
});

describe("time and giving up", () => {
  const never = defineTool({
    name: "never",
    inputSchema: {},
    invoke: () => new Promise<string>(() => undefined),
  });

  it("ends in timeout when timeoutMs is over, though the function pays no heed", async () => {
    const started = performance.now();
    const result = await call(never, {}, { timeoutMs: 30 });
    expect(result).toMatchObject({ success: false, errorCode: "timeout", ran: "unknown" });
    expect(result.error).toContain("timeout");
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(result.durationMs).toBeGreaterThanOrEqual(25);
  });

  it("ends in cancelled when the caller gives up, though the function pays no heed", async () => {
    const controller = new AbortController();
    const pending = call(never, {}, { signal: controller.signal });
    setTimeout(() => controller.abort(), 10);
    expect(await pending).toMatchObject({ errorCode: "cancelled", ran: "unknown" });
  });

  it("does not start what was given up before", async () => {
    const invoke = vi.fn(() => "x");
    const tool = defineTool({ name: "t", inputSchema: {}, invoke });
    const result = await tool.invoke({}, { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ errorCode: "cancelled", ran: "no" });
    expect(invoke).not.toHaveBeenCalled();
  });

  it.each([
    ["the caller gives up", (abort: () => void) => ({ after: abort, context: {} })],
    ["the time is over", () => ({ after: () => undefined, context: { timeoutMs: 10 } })],
  ])("tells the function when %s, and ignores what it does then", async (_what, plan) => {
    const controller = new AbortController();
    const { after, context } = plan(() => controller.abort(new Error("enough")));
    const reasons: unknown[] = [];
    const tool = defineTool({
      name: "t",
      inputSchema: {},
      invoke: (_args, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            reasons.push(signal.reason);
            reject(signal.reason);
          });
          after();
        }),
    });
    const result = await call(tool, {}, { signal: controller.signal, ...context });
    expect(["cancelled", "timeout"]).toContain(result.errorCode);
    expect(result).toMatchObject({ success: false, ran: "unknown" });
    expect(reasons).toHaveLength(1);
    expect(String(reasons[0])).toMatch(/enough|timeout after 10 ms/);
  });

  it("leaves no listener at the caller's signal and no timer", async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const cleared = vi.spyOn(globalThis, "clearTimeout");
    let inner: AbortSignal | undefined;
    const tool = defineTool({
      name: "t",
      inputSchema: {},
      invoke: (_args, context) => {
        inner = context.signal;
        return "x";
      },
    });
    expect((await call(tool, {}, { signal, timeoutMs: 60_000 })).success).toBe(true);
    const options = added.mock.calls[0]?.[2] as { signal: AbortSignal };
    expect(options.signal.aborted).toBe(true);
    expect(cleared).toHaveBeenCalledTimes(1);
    expect(inner?.aborted).toBe(false);
    cleared.mockRestore();
  });

  it("takes a time beyond any timer for no limit", async () => {
    const slow = defineTool({
      name: "slow",
      inputSchema: {},
      invoke: () => new Promise<string>((resolve) => setTimeout(resolve, 20, "done")),
    });
    for (const timeoutMs of [2 ** 31, Number.POSITIVE_INFINITY]) {
      expect((await call(slow, {}, { timeoutMs })).success).toBe(true);
    }
  });
});

describe("the types of a tool", () => {
  it("follow from schema and function", async () => {
    const tool = defineTool({
      name: "t",
      input: z.object({ n: z.coerce.number<string>(), tag: z.string().default("") }),
      invoke: (args, { signal, onProgress }) => {
        expectTypeOf(args).toEqualTypeOf<{ n: number; tag: string }>();
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
        onProgress?.({ progress: 1, total: 2 });
        return { doubled: args.n * 2 };
      },
    });
    expectTypeOf<TypesOf<typeof tool>>().toEqualTypeOf<{
      args: { n: string; tag?: string | undefined };
      structured: { doubled: number };
    }>();
    type Tools = { "own/t": TypesOf<typeof tool> };
    const registry = new ToolRegistry<Tools>();
    registry.register("own", tool);
    const result = await registry.invoke("own/t", { n: "21" });
    expect(result.success && result.structuredContent?.doubled).toBe(42);
    // @ts-expect-error a wrong type
    const wrong = (): unknown => registry.invoke("own/t", { n: 21 });
    expect(wrong).toBeTypeOf("function");
  });

  it("know what structured content there is", () => {
    const base = { name: "t", inputSchema: {} };
    type Structured<Tool> = Tool extends ToolSpec<never, infer S> ? S : "no tool";
    const asText = defineTool({ ...base, invoke: () => "x" });
    const asNothing = defineTool({ ...base, invoke: (): void => undefined });
    const asPromise = defineTool({ ...base, invoke: async () => ({ a: 1 }) });
    const asContent = defineTool({
      ...base,
      invoke: () => ({ content: [{ type: "text", text: "x" }], structuredContent: { b: 2 } }),
    });
    const asResult = defineTool({
      ...base,
      invoke: () => toolSuccess({ content: [], structuredContent: { c: 3 } }),
    });
    const asEither = defineTool({
      ...base,
      invoke: (): ToolResult<{ d: 4 }> => toolFailure("denied", "no"),
    });
    expectTypeOf<Structured<typeof asText>>().toEqualTypeOf<never>();
    expectTypeOf<Structured<typeof asNothing>>().toEqualTypeOf<never>();
    expectTypeOf<Structured<typeof asPromise>>().toEqualTypeOf<{ a: number }>();
    expectTypeOf<Structured<typeof asContent>>().toEqualTypeOf<{ b: number }>();
    expectTypeOf<Structured<typeof asResult>>().toEqualTypeOf<{ c: number }>();
    expectTypeOf<Structured<typeof asEither>>().toEqualTypeOf<{ d: 4 }>();
    expect.assertions(0);
  });

  it("let a function ask for a context of its own", () => {
    interface Mine {
      readonly user: string;
      readonly signal: AbortSignal;
    }
    const tool = defineTool({
      name: "t",
      inputSchema: {},
      invoke: (_args, { user }: Mine) => user,
    });
    new ToolRegistry<Record<string, { args: Record<string, unknown> }>, Mine>().register(
      "own",
      tool,
    );
    expect.assertions(0);
  });
});
