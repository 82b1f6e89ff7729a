import { type ModelTools, resultText, type ToolResult } from "@x/tool-registry";
import { type ModelPart, modelParts } from "./model-parts.ts";
import { objectSchema } from "./object-schema.ts";

export type AISDKPart =
  | { type: "text"; text: string }
  | { type: "image-data" | "file-data"; data: string; mediaType: string };

export interface AISDKTool<Schema> {
  readonly description: string;
  readonly inputSchema: Schema;
  execute(args: unknown, options: { readonly abortSignal?: AbortSignal }): Promise<ToolResult>;
  toModelOutput(made: {
    readonly output: ToolResult;
  }): { type: "content"; value: AISDKPart[] } | { type: "error-text"; value: string };
}

/** `tools` for the AI SDK. @param jsonSchema - as the package `ai` exports it */
export function aiSDKTools<Schema>(
  tools: ModelTools,
  jsonSchema: (schema: Readonly<Record<string, unknown>>) => Schema,
): Record<string, AISDKTool<Schema>> {
  return Object.fromEntries(
    Array.from(tools, ({ name, description, inputSchema }) => [
      name,
      {
        description,
        inputSchema: jsonSchema(objectSchema(inputSchema)),
        execute: (args, { abortSignal: signal }) => tools.call(name, args, { signal }),
        toModelOutput: ({ output }) =>
          output.success
            ? { type: "content", value: modelParts(output).map(aiSDKPart) }
            : { type: "error-text", value: resultText(output) },
      },
    ]),
  );
}

function aiSDKPart(part: ModelPart): AISDKPart {
  if (part.type === "text") return part;
  const { type, data, mediaType } = part;
  return { type: type === "image" ? "image-data" : "file-data", data, mediaType };
}
