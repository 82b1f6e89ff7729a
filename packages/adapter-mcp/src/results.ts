import { type CallResult, contentToText, errorText, readCallResult } from "@x/mcp-parse";
import { AdapterMCPError } from "./errors.ts";
import { quoted } from "./json.ts";
import type { Warn } from "./list.ts";
import { readAnswer } from "./parse-error.ts";
import { partOf } from "./parts.ts";
import { limitParts, limitText } from "./text-limit.ts";
import type { ContentPart, ToolContent } from "./tool-definition.ts";

export interface ResultOptions {
  readonly toolName: string;
  readonly maxTextBytes: number | undefined;
  readonly warn: Warn;
}

/**
 * What a handler returns for an answer to `tools/call`: its text, or parts where there are images.
 *
 * @throws AdapterMCPError `tool_error`; McpProtocolError `invalid_call_result`
 */
export function handlerResult(answer: unknown, options: ResultOptions): string | ToolContent {
  const { toolName, maxTextBytes, warn } = options;
  const result = readAnswer("invalid_call_result", toolName, () => readCallResult(answer));
  warn("tools/call", result.warnings, toolName);
  if (result.isError) throw toolError(result, options);
  const parts = withStructured(result);
  return parts.length === 0 ? "(no content)" : contentOf(parts, maxTextBytes);
}

/** Text alone is a string, whatever number of blocks it came in. */
export function contentOf(
  parts: readonly ContentPart[],
  maxTextBytes: number | undefined,
): string | ToolContent {
  const texts = parts.map((part) => (part.type === "text" ? part.text : undefined));
  if (texts.every((text) => text !== undefined)) return limitText(texts.join("\n"), maxTextBytes);
  return { $rejellyContent: limitParts(parts, maxTextBytes) };
}

/** The content block by block, and the structured content unless its values stand there already. */
function withStructured({ content, structuredContent }: CallResult): ContentPart[] {
  const parts = content.map(partOf);
  const plain = contentToText(content);
  const whole = contentToText(content, { structuredContent });
  if (whole === plain) return parts;
  const added = plain !== "" && whole.startsWith(plain) ? whole.slice(plain.length + 1) : whole;
  const said = parts.filter((part) => part.type !== "text" || part.text !== "");
  return [...said, { type: "text", text: added }];
}

/**
 * The host puts the name of an error before its message unless that is `Error`; what the model reads
 * of a failed tool is the server's own text.
 */
function toolError(result: CallResult, { toolName, maxTextBytes }: ResultOptions): AdapterMCPError {
  const { content, structuredContent } = result;
  const isSilent = contentToText(content, { structuredContent }).trim() === "";
  const text = limitText(errorText(result), maxTextBytes);
  const about = isSilent ? ` (tool ${quoted(toolName)})` : "";
  const error = new AdapterMCPError("tool_error", `MCP tool error: ${text}${about}`, { toolName });
  Object.defineProperty(error, "name", { value: "Error" });
  return error;
}
