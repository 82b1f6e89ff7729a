import { isObject, type JsonObject } from "../json-rpc.ts";
import { pause } from "../pause.ts";
import { type TestTool, textResult } from "./tool.ts";

/** One red pixel. */
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

const reads = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
const acts = { readOnlyHint: false, destructiveHint: false, idempotentHint: false };

function object(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: "object", properties, required };
}

const count = { type: "integer", minimum: 0 };

/** The tools that every test server has unless `builtInTools` is false. */
export const builtInTools: readonly TestTool[] = [
  {
    listed: {
      name: "effect",
      description: "Counts one side effect under the given id, then takes the given time",
      inputSchema: object({ id: { type: "string" }, ms: count }, ["id"]),
      annotations: acts,
    },
    run: async (args, { signal, effect }) => {
      const { id, ms } = args;
      if (typeof id !== "string") throw new Error("id is a string");
      effect(id);
      if (ms !== undefined) await pause(milliseconds(ms), signal);
      return textResult(`done ${id}`, { structuredContent: { id } });
    },
  },
  {
    listed: {
      name: "read",
      description: "Reads a value; has no side effect",
      inputSchema: object({ id: { type: "string" } }),
      annotations: reads,
    },
    run: ({ id = "nothing" }) => textResult(`value of ${String(id)}`),
  },
  {
    listed: {
      name: "echo",
      description: "Gives back its arguments",
      inputSchema: object({}),
      annotations: reads,
    },
  },
  {
    listed: {
      name: "slow",
      description: "Takes ms milliseconds in steps, and reports progress after each",
      inputSchema: object({ ms: count, steps: count }),
      annotations: reads,
    },
    run: async ({ ms = 1000, steps = 1 }, { signal, progress }) => {
      const total = Math.max(1, milliseconds(steps));
      for (let step = 1; step <= total; step += 1) {
        if (!(await pause(milliseconds(ms) / total, signal))) break;
        await progress(step, total, `step ${step}`);
      }
      return textResult(`slept ${milliseconds(ms)} ms`);
    },
  },
  {
    listed: {
      name: "ask",
      description: "Sends a request to the client, such as roots/list, and gives back its result",
      inputSchema: object({ method: { type: "string" }, params: { type: "object" } }, ["method"]),
      annotations: reads,
    },
    run: async ({ method, params = {} }, { request }) => {
      if (typeof method !== "string" || !isObject(params))
        throw new Error("method is a string, params an object");
      return textResult(JSON.stringify(await request(method, params)));
    },
  },
  {
    listed: {
      name: "fail",
      description: "Fails, as a tool does: isError, a text and structured content",
      inputSchema: object({ message: { type: "string" } }),
      annotations: reads,
    },
    run: ({ message = "the tool failed" }) =>
      textResult(String(message), {
        structuredContent: { reason: String(message) },
        isError: true,
      }),
  },
  {
    listed: {
      name: "structured",
      description: "Answers with structured content that fits its output schema",
      inputSchema: object({ city: { type: "string" } }),
      outputSchema: object({ city: { type: "string" }, degrees: { type: "number" } }, [
        "city",
        "degrees",
      ]),
      annotations: reads,
    },
    run: ({ city = "Oslo" }) => {
      const structuredContent = { city: String(city), degrees: 21.5 };
      return textResult(JSON.stringify(structuredContent), { structuredContent });
    },
  },
  {
    listed: {
      name: "image",
      description: "Answers with a text and a picture of one pixel",
      inputSchema: object({}),
      annotations: reads,
    },
    run: () => ({
      content: [
        { type: "text", text: "one red pixel" },
        { type: "image", data: png, mimeType: "image/png" },
      ],
    }),
  },
];

function milliseconds(value: unknown): number {
  if (typeof value === "number" && value >= 0 && value < 2 ** 31) return value;
  throw new Error("ms and steps are numbers from 0");
}
