import type { ModelTool, ModelTools } from "../model-tools.ts";
import type { ToolResult } from "../result.ts";
import type { ToolCallContext } from "../tool.ts";
import { modelParts } from "./model-parts.ts";
import { type ObjectSchema, objectSchema } from "./object-schema.ts";

export interface OpenAITool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly parameters: ObjectSchema;
  /** Said aloud: strict mode is the default of the Responses API and refuses optional properties. */
  readonly strict: false;
}

/**
 * The `tools` of a request to the Responses API of OpenAI, which refuses the whole request over one
 * schema that has no object root or an array without items: see {@link objectSchema} for what that
 * costs. Lost: strict mode, by which the API would keep a model to the schema.
 */
export function openAITools(tools: Iterable<ModelTool>): OpenAITool[] {
  return Array.from(tools, ({ name, description, inputSchema }) => ({
    type: "function",
    name,
    description,
    parameters: objectSchema(inputSchema),
    strict: false,
  }));
}

export type OpenAIPart =
  | { readonly type: "input_text"; readonly text: string }
  | { readonly type: "input_image"; readonly image_url: string; readonly detail: "auto" }
  | { readonly type: "input_file"; readonly filename: string; readonly file_data: string };

/**
 * A result as the `output` of a `function_call_output`, which takes text, four kinds of image and
 * PDFs. Images and PDFs count as such by their first bytes. Lost: other media, of which the model
 * reads type and size; names of files; and the mark of a failure, whose text begins with `Error: `.
 */
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
  readonly type: "function_call_output";
  readonly call_id: string;
  readonly output: OpenAIPart[];
}

/**
 * Runs every `function_call` of a response, all at once, and answers each by {@link openAIParts}, in
 * order: the API refuses the next request if one call has no answer. A call that fails, names no
 * tool or is cut off is answered by its error; items of other types are left alone. Never rejects.
 *
 * @param context - goes along with every call
 * @returns the next `input`; empty if nothing was called
 */
export async function answerOpenAI<Context extends ToolCallContext = ToolCallContext>(
  tools: Pick<ModelTools<Context>, "call">,
  response: { readonly output: readonly { readonly type: string }[] },
  context?: Context,
): Promise<OpenAIAnswer[]> {
  const answers = response.output
    .filter(isFunctionCall)
    .map(async ({ call_id, name, arguments: json }): Promise<OpenAIAnswer> => {
      const result = await tools.call(name, json, context);
      return { type: "function_call_output", call_id, output: openAIParts(result) };
    });
  return Promise.all(answers);
}

interface FunctionCall {
  readonly type: string;
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
}

function isFunctionCall(item: { readonly type: string }): item is FunctionCall {
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
