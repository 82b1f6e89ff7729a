import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";
import {
  defineTool,
  modelTools,
  type Ran,
  type RegisteredTool,
  requireApproval,
  type ToolErrorCode,
  type ToolIssue,
  ToolRegistry,
  type ToolResult,
  type TypesOf,
} from "../src/index.ts";

interface ForecastArgs {
  city: string;
  days?: number;
}

/** As a generator would write it: an interface, whose arguments are one too. */
interface Tools {
  "weather/forecast": { args: ForecastArgs; structured: { celsius: number } };
  "weather/cities": { args: { country?: string } };
  "clock/now": { args: Record<string, never> };
}

describe("a registry with a tool map", () => {
  const check = async (registry: ToolRegistry<Tools>): Promise<void> => {
    const result = await registry.invoke("weather/forecast", { city: "Rome", days: 2 });
    if (result.success) {
      expectTypeOf(result.structuredContent).toEqualTypeOf<{ celsius: number } | undefined>();
      expectTypeOf(result.error).toEqualTypeOf<null>();
      expectTypeOf(result.errorCode).toEqualTypeOf<null>();
    } else {
      expectTypeOf(result.error).toEqualTypeOf<string>();
      expectTypeOf(result.errorCode).toEqualTypeOf<ToolErrorCode>();
      expectTypeOf(result.ran).toEqualTypeOf<Ran>();
      expectTypeOf(result.issues).toEqualTypeOf<readonly ToolIssue[] | undefined>();
      // @ts-expect-error no such code
      if (result.errorCode === "not_fond") return;
    }
    // @ts-expect-error not told apart yet, so not the server's type
    result.structuredContent?.celsius;

    expectTypeOf(await registry.invoke("weather/cities")).toEqualTypeOf<ToolResult>();
    await registry.invoke("weather/cities", { country: "it" }, { timeoutMs: 1_000 });
    await registry.invoke("clock/now");
    const tool = registry.get("weather/forecast");
    if (tool) await tool.invoke({ city: "Rome" });

    // @ts-expect-error no such tool
    await registry.invoke("weather/forcast", { city: "Rome" });
    // @ts-expect-error city is required
    await registry.invoke("weather/forecast", {});
    // @ts-expect-error the arguments are required
    await registry.invoke("weather/forecast");
    // @ts-expect-error city is a string
    await registry.invoke("weather/forecast", { city: 7 });
    // @ts-expect-error no such argument
    await registry.invoke("weather/forecast", { city: "Rome", dais: 2 });
    // @ts-expect-error a number is no context
    await registry.invoke("weather/cities", {}, 1_000);
    // @ts-expect-error no such tool
    registry.get("weather/forcast");
    // @ts-expect-error days is a number
    await tool?.invoke({ city: "Rome", days: "2" });
  };

  it("completes ids and arguments, and a wrong one does not compile", () => {
    expectTypeOf(check).toBeFunction();
    expectTypeOf<Parameters<ToolRegistry<Tools>["get"]>[0]>().toEqualTypeOf<keyof Tools>();
  });

  it("goes wherever one without a map goes", () => {
    expectTypeOf<ToolRegistry<Tools>>().toExtend<Parameters<typeof modelTools>[0]>();
    expectTypeOf<RegisteredTool<Tools["weather/forecast"]>>().toExtend<{ id: string }>();
    const registry = new ToolRegistry<Tools>().use(requireApproval(() => true));
    expectTypeOf(registry).toEqualTypeOf<ToolRegistry<Tools>>();
  });

  it("may take its entries from own tools", () => {
    const add = defineTool({
      name: "add",
      input: z.object({ a: z.number(), b: z.number().optional() }),
      invoke: ({ a, b = 0 }) => ({ sum: a + b }),
    });
    const call = (registry: ToolRegistry<{ "math/add": TypesOf<typeof add> }>) =>
      registry.invoke("math/add", { a: 1 });
    expectTypeOf(call).returns.resolves.toEqualTypeOf<ToolResult<{ sum: number }>>();
  });
});

describe("a registry without a map", () => {
  const check = async (registry: ToolRegistry): Promise<void> => {
    expectTypeOf(await registry.invoke("any/tool", { at: ["all"] })).toEqualTypeOf<ToolResult>();
    await registry.invoke("any/tool");
    // @ts-expect-error text is no arguments
    await registry.invoke("any/tool", "{}");
    // @ts-expect-error one name of four
    registry.list({ effect: "delete" });
    // @ts-expect-error a field that is none
    registry.list({ name: "x" });
  };

  it("takes every id and every object", () => expectTypeOf(check).toBeFunction());
});

it("what a model's API hands over as arguments needs no cast", () => {
  const check = async (registry: ToolRegistry, block: { name: string; input: unknown }) => {
    const { call } = modelTools(registry);
    expectTypeOf(await call(block.name, block.input)).toEqualTypeOf<ToolResult>();
    await call(block.name, '{"a":1}', { signal: AbortSignal.timeout(1_000) });
    // @ts-expect-error a number is no context
    await call(block.name, block.input, 1_000);
  };
  expectTypeOf(check).toBeFunction();
});

it("programs need no annotation", () => {
  const registry = new ToolRegistry();
  const tool = defineTool({
    name: "greet",
    inputSchema: {
      type: "object",
      properties: { name: { type: "string" } },
      required: ["name"],
    },
    invoke: ({ name }) => `Hello ${name}`,
  });
  registry.register("own", tool).invoke({ name: "x" });
  registry.use(requireApproval(({ tool: { name }, capability }) => capability.effect === name));
  registry.onChange(({ added, removed }) => [...added, ...removed].map((id) => id.length));
  for (const { name, description, inputSchema, tool: shown } of modelTools(registry)) {
    expectTypeOf([name, description, shown.id]).toEqualTypeOf<string[]>();
    expectTypeOf(inputSchema).toExtend<object>();
  }
  const { bytes, namespaces } = registry.cost({ namespace: "own" });
  expectTypeOf(bytes).toEqualTypeOf<number>();
  for (const { namespace, schemas } of namespaces) expectTypeOf([namespace, schemas]).toBeArray();
});
