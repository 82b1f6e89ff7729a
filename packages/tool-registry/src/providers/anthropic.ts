import type { ModelTool, ModelTools } from "../model-tools.ts";
import type { ToolResult } from "../result.ts";
import type { ToolCallContext } from "../tool.ts";
import { type ImageType, isSaying, modelParts, partsAsText } from "./model-parts.ts";
import { type ObjectSchema, objectSchema } from "./object-schema.ts";

export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: ObjectSchema;
}

/**
 * The `tools` of a request to the Messages API of Anthropic, which refuses the whole request over
 * one schema with a root other than `type: "object"`, or with a union at the root: see
 * {@link objectSchema} for what that costs. Nothing else is lost.
 */
export function anthropicTools(tools: Iterable<ModelTool>): AnthropicTool[] {
  return Array.from(tools, ({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: objectSchema(inputSchema),
  }));
}

export type AnthropicPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image";
      readonly source: {
        readonly type: "base64";
        readonly media_type: ImageType;
        readonly data: string;
      };
    }
  | {
      readonly type: "document";
      readonly source: {
        readonly type: "base64";
        readonly media_type: "application/pdf";
        readonly data: string;
      };
    };

/**
 * A result as the `content` of a `tool_result`, which takes text, four kinds of image and PDFs, but
 * no blank text, and of a failure (`is_error`) nothing but text. Images and PDFs count as such by
 * their first bytes. Lost: blank texts; names of files; other media, and all media of a failure, of
 * which the model reads type and size.
 *
 * @returns empty, which the API takes, if the result says nothing
 */
export function anthropicParts(result: ToolResult): AnthropicPart[] {
  const parts = result.success ? modelParts(result) : partsAsText(result);
  return parts.filter(isSaying).map((part) => {
    if (part.type === "text") return part;
    const { data, mediaType: media_type } = part;
    return media_type === "application/pdf"
      ? { type: "document", source: { type: "base64", media_type, data } }
      : { type: "image", source: { type: "base64", media_type, data } };
  });
}

export interface AnthropicAnswer {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly is_error: boolean;
  readonly content: AnthropicPart[];
}

/**
 * Runs every `tool_use` of a message, all at once, and answers each by {@link anthropicParts}, in
 * order: the API wants all answers in the next message. A call that fails or names no tool is
 * answered by its error, with `is_error`; blocks of other types are left alone. Never rejects.
 *
 * @param context - goes along with every call
 * @returns the next message of the user; its `content` is empty if nothing was called, and then it
 * must not be sent
 */
export async function answerAnthropic<Context extends ToolCallContext = ToolCallContext>(
  tools: Pick<ModelTools<Context>, "call">,
  message: { readonly content: readonly { readonly type: string }[] },
  context?: Context,
): Promise<{ role: "user"; content: AnthropicAnswer[] }> {
  const answers = message.content
    .filter(isToolUse)
    .map(async ({ id, name, input }): Promise<AnthropicAnswer> => {
      const result = await tools.call(name, input, context);
      const content = anthropicParts(result);
      return { type: "tool_result", tool_use_id: id, is_error: !result.success, content };
    });
  return { role: "user", content: await Promise.all(answers) };
}

interface ToolUse {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

function isToolUse(block: { readonly type: string }): block is ToolUse {
  return (
    block.type === "tool_use" &&
    "id" in block &&
    typeof block.id === "string" &&
    "name" in block &&
    typeof block.name === "string" &&
    "input" in block
  );
}
