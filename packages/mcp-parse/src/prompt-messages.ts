import type { ContentBlock } from "./blocks.ts";
import { readContent } from "./content.ts";
import { guarded, MCPParseError } from "./errors.ts";
import { optionalFields, text } from "./fields.ts";
import { isObject, type JsonObject, kindOf, own } from "./json.ts";
import type { Warning } from "./warnings.ts";

export interface PromptMessage {
  /** `user` or `assistant`; another role is handed on as it is. */
  readonly role: string;
  readonly content: readonly ContentBlock[];
}

/** An answer to `prompts/get`. */
export interface Prompt {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  /** The answer as it came. */
  readonly raw: JsonObject;
  readonly warnings: readonly Warning[];
}

/**
 * Reads an answer to `prompts/get`. The content of a message may be one block, a list of blocks or
 * a string; it always comes out as a list.
 *
 * @throws MCPParseError `invalid_prompt` if there is no list of messages; `unreadable`
 */
export function readPrompt(value: unknown): Prompt {
  return guarded("the prompt", () => {
    if (!isObject(value)) {
      const message = `a prompt must be an object, got ${kindOf(value)}`;
      throw new MCPParseError("invalid_prompt", message);
    }
    const messages = own(value, "messages");
    if (!Array.isArray(messages)) {
      const message = `the messages of a prompt must be an array, got ${kindOf(messages)}`;
      throw new MCPParseError("invalid_prompt", message, { path: "/messages" });
    }
    const warnings: Warning[] = [];
    return {
      ...optionalFields(value, { description: text }, { label: "the prompt", warnings }),
      messages: Array.from(messages, (message, at) =>
        readMessage(message, `/messages/${at}`, warnings),
      ),
      raw: value,
      warnings,
    };
  });
}

function readMessage(message: unknown, path: string, warnings: Warning[]): PromptMessage {
  try {
    const role = isObject(message) ? own(message, "role") : undefined;
    const content = isObject(message) ? own(message, "content") : message;
    return {
      role: readRole(role, path, warnings),
      content: readMessageContent(content, `${path}/content`, warnings),
    };
  } catch {
    warnings.push({ code: "unreadable", message: "a message throws when it is read", path });
    return { role: "user", content: [{ type: "text", text: "[a message that cannot be read]" }] };
  }
}

function readRole(role: unknown, path: string, warnings: Warning[]): string {
  if (typeof role === "string" && role !== "") return role;
  const message = "a message of the prompt has no role; it counts as the user's";
  warnings.push({ code: "invalid_field", message, path: `${path}/role` });
  return "user";
}

function readMessageContent(content: unknown, path: string, warnings: Warning[]): ContentBlock[] {
  if (content === undefined || content === null) {
    const message = "a message of the prompt has no content";
    warnings.push({ code: "content_missing", message, path });
  }
  // One block is the form that MCP prescribes here, in other places it is a fault.
  const read = readContent(isObject(content) ? [content] : content, path);
  for (const warning of read.warnings) warnings.push(warning);
  return read.content;
}
