import { isContentBlock, type ToolContent } from "./content.ts";
import { isRecord } from "./data.ts";
import { kindOf } from "./message.ts";
import { type ToolResult, toolFailure, toolSuccess } from "./result.ts";
import { isToolResult } from "./whole-result.ts";

/**
 * Makes a result of what an own tool returns. A `ToolResult` stays as it is; a string becomes a
 * text block; `{ content, structuredContent?, isError? }` is taken as such; `undefined` is a success
 * that says nothing; any other JSON value becomes `structuredContent`, with its JSON as text. May
 * throw what reading the value throws.
 */
export function wrapReturn(value: unknown, durationMs: number): ToolResult {
  if (isToolResult(value)) return value;
  if (value === undefined) return toolSuccess({ content: [], durationMs });
  if (typeof value === "string") return toolSuccess({ content: [text(value)], durationMs });
  if (isRecord(value)) {
    const { content, structuredContent, isError } = value;
    if (isContentReturn(value, content)) {
      const parts = { content, structuredContent, durationMs };
      if (isError !== true) return toolSuccess(parts);
      return toolFailure("tool_error", errorText(content), { ...parts, ran: "yes" });
    }
    if (typeof value["success"] === "boolean" && "errorCode" in value) {
      const message = "the tool returned a malformed ToolResult";
      return toolFailure("tool_error", message, {
        ran: "yes",
        structuredContent: value,
        durationMs,
      });
    }
  }
  const json = JSON.stringify(value);
  if (json === undefined) {
    const message = `the tool returned ${kindOf(value)}, which is no JSON`;
    return toolFailure("tool_error", message, { ran: "yes", durationMs });
  }
  const structured = value !== null && { structuredContent: value };
  return toolSuccess({ content: [text(json)], ...structured, durationMs });
}

const CONTENT_KEYS: readonly string[] = ["content", "structuredContent", "isError", "_meta"];

function isContentReturn(
  value: Readonly<Record<string, unknown>>,
  content: unknown,
): content is readonly ToolContent[] {
  return (
    Array.isArray(content) &&
    content.every(isContentBlock) &&
    Object.keys(value).every((key) => CONTENT_KEYS.includes(key))
  );
}

function text(value: string): ToolContent {
  return { type: "text", text: value };
}

function errorText(content: readonly ToolContent[]): string {
  const texts = content.flatMap((block) =>
    block.type === "text" && "text" in block ? [String(block.text)] : [],
  );
  return texts.join("\n") || "the tool reported an error without a message";
}
