import type { ContentBlock } from "./blocks.ts";
import { readContent } from "./content.ts";
import { guarded, MCPParseError } from "./errors.ts";
import { isObject, type JsonObject, kindOf, own } from "./json.ts";
import { writeJson } from "./json-text.ts";
import { contentToText } from "./text.ts";
import type { Warning } from "./warnings.ts";

/** An answer to `tools/call`. */
export interface CallResult {
  /** The tool reported a failure; the reason is in {@link errorText}. */
  readonly isError: boolean;
  readonly content: readonly ContentBlock[];
  /** Any JSON value but null. */
  readonly structuredContent?: unknown;
  /** The answer as it came. */
  readonly raw: JsonObject;
  readonly warnings: readonly Warning[];
}

/**
 * Reads whatever a server answered to `tools/call`. Where `content` is missing it is made from what
 * is there (`structuredContent`, the old `toolResult` wrapper, else all unknown keys, as JSON), so
 * that no answer is lost; `content: []` stays an empty success.
 *
 * @throws MCPParseError `invalid_result` if the answer is no object; `unreadable`
 */
export function readCallResult(value: unknown): CallResult {
  return guarded("the result", () => {
    if (!isObject(value)) {
      const message = `the result of a call must be an object, got ${kindOf(value)}`;
      throw new MCPParseError("invalid_result", message);
    }
    const warnings: Warning[] = [];
    const { answer, path } = unwrapped(value, warnings);
    const structured = own(answer, "structuredContent") ?? own(value, "structuredContent");
    const { content, warnings: found } = readContent(
      own(answer, "content") ?? standIn(answer, structured, path, warnings),
      `${path}/content`,
    );
    return {
      isError: [...new Set([value, answer])].some((part) => isFailure(part, warnings)),
      content,
      ...(structured !== undefined && structured !== null && { structuredContent: structured }),
      raw: value,
      warnings: [...warnings, ...found],
    };
  });
}

/** Servers of before 2024-11-05 put the answer into `toolResult`; SDKs add an empty `content`. */
function unwrapped(value: JsonObject, warnings: Warning[]): { answer: JsonObject; path: string } {
  const wrapped = own(value, "toolResult");
  const content = own(value, "content");
  const hasContent = Array.isArray(content) ? content.length > 0 : (content ?? null) !== null;
  if (hasContent || wrapped === undefined || wrapped === null) return { answer: value, path: "" };
  const message = "the result came inside toolResult and is unwrapped";
  warnings.push({ code: "legacy_wrapper", message, path: "/toolResult" });
  return {
    answer: isObject(wrapped) ? wrapped : { content: asText(wrapped) },
    path: "/toolResult",
  };
}

/** The keys that say something about an answer without being one. */
const envelope: ReadonlySet<string> = new Set(["_meta", "isError", "resultType"]);

function standIn(
  answer: JsonObject,
  structured: unknown,
  path: string,
  warnings: Warning[],
): ContentBlock[] {
  const message = "the result has no content";
  warnings.push({ code: "content_missing", message, path: `${path}/content` });
  if (structured !== undefined && structured !== null) return asText(structured);
  const rest = Object.entries(answer).filter(
    ([key, value]) => !envelope.has(key) && value !== undefined && value !== null,
  );
  return rest.length === 0 ? [] : asText(Object.fromEntries(rest));
}

function asText(value: unknown): ContentBlock[] {
  return [{ type: "text", text: typeof value === "string" ? value : writeJson(value).text }];
}

function isFailure(answer: JsonObject, warnings: Warning[]): boolean {
  const flag = own(answer, "isError");
  if (flag === undefined || flag === null || typeof flag === "boolean") return flag === true;
  const failed = flag === "true" || flag === 1;
  const message = `isError must be a boolean, got ${kindOf(flag)}; it counts as ${failed}`;
  warnings.push({ code: "invalid_field", message, path: "/isError" });
  return failed;
}

/** Why a call failed, in the server's own words. Never empty. */
export function errorText({ content, structuredContent }: CallResult): string {
  const text = contentToText(content, { structuredContent });
  return text.trim() === "" ? "the server gave no reason" : text;
}
