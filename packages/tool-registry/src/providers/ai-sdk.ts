import type { ModelTools } from "../model-tools.ts";
import type { ToolResult } from "../result.ts";
import { resultText } from "../result-text.ts";
import { isSaying, type ModelPart, modelParts } from "./model-parts.ts";
import { objectSchema } from "./object-schema.ts";

export type AISDKPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image-data" | "file-data";
      readonly data: string;
      readonly mediaType: string;
    };

export type AISDKOutput =
  | { readonly type: "content"; readonly value: AISDKPart[] }
  | { readonly type: "error-text"; readonly value: string };

export interface AISDKTool<Schema> {
  readonly description: string;
  readonly inputSchema: Schema;
  /** Never rejects. Of the options it heeds `abortSignal`, which cancels the call. */
  execute(args: unknown, options: { readonly abortSignal?: AbortSignal }): Promise<ToolResult>;
  /** A failure is `error-text`; a success its texts, but blank ones, its images and PDFs. */
  toModelOutput(made: { readonly output: ToolResult }): AISDKOutput;
}

/**
 * The `tools` of `generateText`, `streamText` and agents of the AI SDK, by name. It closes every
 * schema but one of its `jsonSchema`, and judges no arguments against that one: the tool does, and
 * the model reads why. Lost: what {@link objectSchema} loses; media other than images and PDFs, and
 * all media of a failure, of which the model reads type and size; the application's own context: a
 * call gets `signal` alone.
 *
 * @param jsonSchema - as the package `ai` exports it
 */
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
            ? { type: "content", value: modelParts(output).filter(isSaying).map(aiSDKPart) }
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
