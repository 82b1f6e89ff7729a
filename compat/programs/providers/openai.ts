import type { ModelTool, ModelTools, ToolCallContext, ToolResult } from "@x/tool-registry";
import { modelParts } from "./model-parts.ts";
import { type ObjectSchema, objectSchema } from "./object-schema.ts";

/** `tools` of a request to the Responses API of OpenAI. */
export function openAITools(tools: Iterable<ModelTool>): OpenAITool[] {
  return Array.from(tools, ({ name, description, inputSchema }) => ({
    type: "function",
    name,
    description,
    parameters: objectSchema(inputSchema),
    strict: false,
  }));
}

export interface OpenAITool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly parameters: ObjectSchema;
  /** Strict mode refuses optional properties. */
  readonly strict: false;
}

export type OpenAIPart =
  | { type: "input_text"; text: string }
  | { type: "input_image"; image_url: string; detail: "auto" }
  | { type: "input_file"; filename: string; file_data: string };

/** A result as the `output` of a `function_call_output`. */
export function openAIParts(result: ToolResult): OpenAIPart[] {
  return modelParts(result).map((part) => {
    if (part.type === "text") return { type: "input_text", text: part.text };
    const url = `data:${part.mediaType};base64,${part.data}`;
    return part.type === "image"
      ? { type: "input_image", image_url: url, detail: "auto" }
      : { type: "input_file", filename: "result.pdf", file_data: url };
  });
}

export interface OpenAIAnswer {
  type: "function_call_output";
  call_id: string;
  output: OpenAIPart[];
}

/**
 * Runs every `function_call` of a response, all at once. Never throws.
 *
 * @returns the next `input`; empty if nothing was called
 */
export function answerOpenAI(
  tools: Pick<ModelTools, "call">,
  response: { readonly output: readonly { readonly type: string }[] },
  context?: ToolCallContext,
): Promise<OpenAIAnswer[]> {
  const answers = response.output.map(async (item): Promise<OpenAIAnswer[]> => {
    if (!isFunctionCall(item)) return [];
    const result = await tools.call(item.name, item.arguments, context);
    return [{ type: "function_call_output", call_id: item.call_id, output: openAIParts(result) }];
  });
  return Promise.all(answers).then((found) => found.flat());
}

interface FunctionCall {
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
}

function isFunctionCall(item: { readonly type: string }): item is FunctionCall & { type: string } {
  return (
    item.type === "function_call" &&
    "call_id" in item &&
    typeof item.call_id === "string" &&
    "name" in item &&
    typeof item.name === "string" &&
    "arguments" in item &&
    typeof item.arguments === "string"
  );
}
