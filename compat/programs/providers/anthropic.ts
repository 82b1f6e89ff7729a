import type { ModelTool, ModelTools, ToolCallContext, ToolResult } from "@x/tool-registry";
import { type ImageType, modelParts } from "./model-parts.ts";
import { type ObjectSchema, objectSchema } from "./object-schema.ts";

/** `tools` of a request to the Messages API of Anthropic. */
export function anthropicTools(tools: Iterable<ModelTool>): AnthropicTool[] {
  return Array.from(tools, ({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: objectSchema(inputSchema),
  }));
}

export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: ObjectSchema;
}

export type AnthropicPart =
  | { type: "text"; text: string }
  | { type: "image"; source: { type: "base64"; media_type: ImageType; data: string } }
  | {
      type: "document";
      source: { type: "base64"; media_type: "application/pdf"; data: string };
    };

/** A result as the `content` of a `tool_result`. */
export function anthropicParts(result: ToolResult): AnthropicPart[] {
  return modelParts(result).map((part) => {
    if (part.type === "text") return part;
    const { data, mediaType: media_type } = part;
    return media_type === "application/pdf"
      ? { type: "document", source: { type: "base64", media_type, data } }
      : { type: "image", source: { type: "base64", media_type, data } };
  });
}

export interface AnthropicAnswer {
  type: "tool_result";
  tool_use_id: string;
  is_error: boolean;
  content: AnthropicPart[];
}

/**
 * Runs every `tool_use` of a message, all at once. Never throws.
 *
 * @returns the next message of the user; its content is empty if nothing was called
 */
export async function answerAnthropic(
  tools: Pick<ModelTools, "call">,
  message: { readonly content: readonly { readonly type: string }[] },
  context?: ToolCallContext,
): Promise<{ role: "user"; content: AnthropicAnswer[] }> {
  const answers = message.content.map(async (block): Promise<AnthropicAnswer[]> => {
    if (!isToolUse(block)) return [];
    const result = await tools.call(block.name, block.input, context);
    const content = anthropicParts(result);
    return [{ type: "tool_result", tool_use_id: block.id, is_error: !result.success, content }];
  });
  return { role: "user", content: (await Promise.all(answers)).flat() };
}

interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

function isToolUse(block: { readonly type: string }): block is ToolUse & { type: string } {
  return (
    block.type === "tool_use" &&
    "id" in block &&
    typeof block.id === "string" &&
    "name" in block &&
    typeof block.name === "string" &&
    "input" in block
  );
}
