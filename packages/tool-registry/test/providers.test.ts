import { describe, expect, expectTypeOf, it } from "vitest";
import {
  defineTool,
  type ModelTools,
  modelTools,
  type ToolCallContext,
  type ToolMap,
  ToolRegistry,
  type ToolResult,
} from "../src/index.ts";
import {
  type AISDKOutput,
  type AISDKTool,
  type AnthropicAnswer,
  type AnthropicTool,
  aiSDKTools,
  answerAnthropic,
  answerOpenAI,
  anthropicTools,
  type ObjectSchema,
  type OpenAIAnswer,
  type OpenAITool,
  openAITools,
} from "../src/providers.ts";

const text = { type: "string" };

interface UserContext extends ToolCallContext {
  readonly user: string;
}

/** Calls wait for each other: they end only if all of them run at once. */
function meeting(size: number): () => Promise<void> {
  let open = (): void => undefined;
  const met = new Promise<void>((resolve) => {
    open = resolve;
  });
  let here = 0;
  return () => {
    here += 1;
    if (here === size) open();
    return met;
  };
}

function shoutingTools(): { tools: ModelTools<UserContext>; seen: (string | undefined)[] } {
  const registry = new ToolRegistry<ToolMap, UserContext>();
  const seen: (string | undefined)[] = [];
  registry.use((call, next) => {
    seen.push(call.context.user);
    return next();
  });
  registry.register(
    "own",
    defineTool({
      name: "shout",
      description: "Shouts.",
      inputSchema: { properties: { text }, required: ["text"] },
      validate: ({ text }) =>
        typeof text === "string" ? { ok: true } : { ok: false, issues: [{ message: "no text" }] },
      invoke: (args) => String(args["text"]).toUpperCase(),
    }),
  );
  return { tools: modelTools(registry), seen };
}

const { tools } = shoutingTools();
const parameters = { type: "object", properties: { text }, required: ["text"] };

describe("the tools of a request", () => {
  it("are OpenAI's, never strict", () => {
    expect(openAITools(tools)).toEqual([
      { type: "function", name: "own__shout", description: "Shouts.", parameters, strict: false },
    ]);
  });

  it("are Anthropic's", () => {
    expect(anthropicTools(tools)).toEqual([
      { name: "own__shout", description: "Shouts.", input_schema: parameters },
    ]);
  });

  it("are those of the AI SDK, by name, with the schema as its own function makes it", () => {
    const made = aiSDKTools(tools, (schema) => ({ made: schema }));
    expect(Object.keys(made)).toEqual(["own__shout"]);
    expect(made["own__shout"]).toMatchObject({
      description: "Shouts.",
      inputSchema: { made: parameters },
    });
  });

  it.each([openAITools, anthropicTools])(
    "%o takes any list of model tools, also an empty one",
    (of) => {
      expect(of([])).toEqual([]);
      expect(of(tools.tools.filter(({ tool }) => tool.namespace === "own"))).toHaveLength(1);
    },
  );

  it("promise their shapes by their types", () => {
    expectTypeOf(openAITools).returns.toEqualTypeOf<OpenAITool[]>();
    expectTypeOf<OpenAITool["strict"]>().toEqualTypeOf<false>();
    expectTypeOf<OpenAITool["parameters"]>().toEqualTypeOf<ObjectSchema>();
    expectTypeOf(anthropicTools).returns.toEqualTypeOf<AnthropicTool[]>();
    expectTypeOf(aiSDKTools(tools, () => 7)).toEqualTypeOf<Record<string, AISDKTool<number>>>();
    // @ts-expect-error a registry is no list of model tools
    const wrong = (registry: ToolRegistry): unknown => openAITools(registry);
    expectTypeOf(wrong).toBeFunction();
  });
});

describe("answers to OpenAI", () => {
  const call = {
    type: "function_call",
    call_id: "1",
    name: "own__shout",
    arguments: '{"text":"a"}',
  };

  it("are one for each call, in order, whatever became of it", async () => {
    const output = [
      { type: "reasoning" },
      call,
      { ...call, call_id: "2", arguments: '{"te' },
      { ...call, call_id: "3", name: "own__whisper" },
      { ...call, call_id: "4", name: "__proto__", arguments: "" },
      { type: "message", content: [] },
    ];
    const answers = await answerOpenAI(tools, { output });
    expect(answers).toEqual([
      {
        type: "function_call_output",
        call_id: "1",
        output: [{ type: "input_text", text: "A" }],
      },
      {
        type: "function_call_output",
        call_id: "2",
        output: [{ type: "input_text", text: expect.stringContaining("no valid JSON") }],
      },
      {
        type: "function_call_output",
        call_id: "3",
        output: [{ type: "input_text", text: expect.stringMatching(/^Error: .*not found/) }],
      },
      {
        type: "function_call_output",
        call_id: "4",
        output: [{ type: "input_text", text: expect.stringMatching(/^Error: .*not found/) }],
      },
    ]);
  });

  it.each([
    { type: "function_call" },
    { ...call, type: "custom_tool_call" },
    { ...call, call_id: 1 },
    { ...call, name: null },
    { ...call, arguments: { text: "a" } },
  ])("pass over what is no call: %j", async (item) => {
    expect(await answerOpenAI(tools, { output: [item] })).toEqual([]);
  });

  it("are asked for all at once, each with the context", async () => {
    const { tools: ours, seen } = shoutingTools();
    const meet = meeting(3);
    const waiting: Pick<ModelTools<UserContext>, "call"> = {
      call: async (...args) => {
        await meet();
        return ours.call(...args);
      },
    };
    const output = [call, { ...call, call_id: "2" }, { ...call, call_id: "3" }];
    const answers = await answerOpenAI(waiting, { output }, { user: "ada", timeoutMs: 1_000 });
    expect(answers.map(({ call_id }) => call_id)).toEqual(["1", "2", "3"]);
    expect(seen).toEqual(["ada", "ada", "ada"]);
  });

  it("promise their shape, and take the context of the registry, by their types", () => {
    expectTypeOf(answerOpenAI).returns.resolves.toEqualTypeOf<OpenAIAnswer[]>();
    const check = async (): Promise<void> => {
      await answerOpenAI(tools, { output: [] }, { user: "ada" });
      // @ts-expect-error the context of this registry has a user
      await answerOpenAI(tools, { output: [] }, { timeoutMs: 1_000 });
      // @ts-expect-error the list itself is no response
      await answerOpenAI(tools, []);
    };
    expectTypeOf(check).toBeFunction();
  });
});

describe("answers to Anthropic", () => {
  const call = { type: "tool_use", id: "1", name: "own__shout", input: { text: "a" } };

  it("are one for each call, in order, and failures say so", async () => {
    const content = [
      { type: "text", text: "I shout." },
      call,
      { ...call, id: "2", input: { text: 1 } },
      { ...call, id: "3", name: "own__whisper", input: null },
    ];
    expect(await answerAnthropic(tools, { content })).toEqual({
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "1",
          is_error: false,
          content: [{ type: "text", text: "A" }],
        },
        {
          type: "tool_result",
          tool_use_id: "2",
          is_error: true,
          content: [{ type: "text", text: expect.stringContaining("no text") }],
        },
        {
          type: "tool_result",
          tool_use_id: "3",
          is_error: true,
          content: [{ type: "text", text: expect.stringContaining("not found") }],
        },
      ],
    });
  });

  it.each([
    { type: "text" },
    { ...call, type: "server_tool_use" },
    { ...call, id: undefined },
    { ...call, name: 7 },
    { type: "tool_use", id: "1", name: "own__shout" },
  ])("pass over what is no call: %j", async (block) => {
    expect(await answerAnthropic(tools, { content: [block] })).toEqual({
      role: "user",
      content: [],
    });
  });

  it("are asked for all at once, each with the context", async () => {
    const { tools: ours, seen } = shoutingTools();
    const meet = meeting(2);
    const waiting: Pick<ModelTools<UserContext>, "call"> = {
      call: async (...args) => {
        await meet();
        return ours.call(...args);
      },
    };
    const content = [call, { ...call, id: "2" }];
    const message = await answerAnthropic(waiting, { content }, { user: "ada" });
    expect(message.content.map((answer) => answer.tool_use_id)).toEqual(["1", "2"]);
    expect(seen).toEqual(["ada", "ada"]);
  });

  it("promise their shape, and take the context of the registry, by their types", () => {
    expectTypeOf(answerAnthropic).returns.resolves.toEqualTypeOf<{
      role: "user";
      content: AnthropicAnswer[];
    }>();
    const check = async (): Promise<void> => {
      await answerAnthropic(tools, { content: [] }, { user: "ada" });
      // @ts-expect-error the context of this registry has a user
      await answerAnthropic(tools, { content: [] }, { timeoutMs: 1_000 });
      // @ts-expect-error a text is no content
      await answerAnthropic(tools, { content: "a" });
    };
    expectTypeOf(check).toBeFunction();
  });
});

describe("a tool of the AI SDK", () => {
  const made = aiSDKTools(tools, (schema) => schema)["own__shout"];
  const run = async (args: unknown, abortSignal?: AbortSignal): Promise<ToolResult> => {
    if (made === undefined) throw new Error("no tool");
    return made.execute(args, abortSignal === undefined ? {} : { abortSignal });
  };

  it("gives a result as it is, and to the model its text", async () => {
    const output = await run({ text: "a" });
    expect(output).toMatchObject({ success: true });
    expect(made?.toModelOutput({ output })).toEqual({
      type: "content",
      value: [{ type: "text", text: "A" }],
    });
  });

  it.each([[{ text: 1 }], [null], ["{"]])("tells the model why %j is wrong", async (args) => {
    const output = await run(args);
    expect(output.errorCode).toBe("validation");
    expect(made?.toModelOutput({ output })).toEqual({
      type: "error-text",
      value: `Error: ${output.error}`,
    });
  });

  it("is cancelled with what it is part of", async () => {
    expect((await run({ text: "a" }, AbortSignal.abort())).errorCode).toBe("cancelled");
  });

  it("promises its shape by its type", () => {
    expectTypeOf<AISDKTool<7>["inputSchema"]>().toEqualTypeOf<7>();
    expectTypeOf<ReturnType<AISDKTool<7>["toModelOutput"]>>().toEqualTypeOf<AISDKOutput>();
    expectTypeOf<ReturnType<AISDKTool<7>["execute"]>>().resolves.toEqualTypeOf<ToolResult>();
  });
});
