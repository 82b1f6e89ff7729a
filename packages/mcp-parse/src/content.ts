import { type ContentBlock, isKnownBlock, type TextBlock } from "./blocks.ts";
import { isObject, type JsonObject, kindOf, own } from "./json.ts";
import { readMedia } from "./media.ts";
import { readContents } from "./resource-contents.ts";
import type { Warning } from "./warnings.ts";

/**
 * Content block by block, in order. What is sound, or of a type unknown here, is handed on as it
 * is; each repair is a warning; a block that is no use as what it claims to be becomes a text block
 * that says so. A string or a single block counts as a list of one, missing or null as an empty
 * list. Never throws.
 *
 * @param path where `content` stands in the value that was read, for the warnings
 */
export function readContent(
  content: unknown,
  path = "/content",
): { content: ContentBlock[]; warnings: Warning[] } {
  const warnings: Warning[] = [];
  return { content: readBlocks(content, path, warnings), warnings };
}

function readBlocks(content: unknown, path: string, warnings: Warning[]): ContentBlock[] {
  if (content === undefined || content === null) return [];
  try {
    if (Array.isArray(content)) {
      return Array.from(content, (item, index) => readBlock(item, `${path}/${index}`, warnings));
    }
  } catch {
    return [unreadable(path, warnings)];
  }
  const message = `content must be an array, got ${kindOf(content)}; it is read as one block`;
  warnings.push({ code: "invalid_content", message, path });
  return [typeof content === "string" ? textBlock(content) : readBlock(content, path, warnings)];
}

function readBlock(item: unknown, path: string, warnings: Warning[]): ContentBlock {
  try {
    return isObject(item) ? readTyped(item, path, warnings) : readUntyped(item, path, warnings);
  } catch {
    return unreadable(path, warnings);
  }
}

function readTyped(item: JsonObject, path: string, warnings: Warning[]): ContentBlock {
  const type = own(item, "type");
  if (typeof type !== "string") return readUntyped(item, path, warnings);
  const block = item as ContentBlock;
  const data = own(item, "data");
  if ((type === "image" || type === "audio") && typeof data === "string") {
    return readMedia(block, data, path, warnings);
  }
  const resource = own(item, "resource");
  if (type === "resource" && isObject(resource)) {
    const read = { ...block, resource: readContents(resource, `${path}/resource`, warnings) };
    return sound(read, path, warnings);
  }
  return knownTypes.has(type) ? sound(block, path, warnings) : block;
}

const knownTypes: ReadonlySet<string> = new Set([
  "text",
  "image",
  "audio",
  "resource",
  "resource_link",
]);

function sound(block: ContentBlock, path: string, warnings: Warning[]): ContentBlock {
  if (isKnownBlock(block)) return block;
  const message = `a block of type ${block.type} lacks what its type prescribes; it is kept as data`;
  warnings.push({ code: "invalid_block", message, path });
  return block;
}

function readUntyped(item: unknown, path: string, warnings: Warning[]): ContentBlock {
  const came = isObject(item) ? "one without" : kindOf(item);
  const message = `a content block must be an object with a type, got ${came}`;
  warnings.push({ code: "invalid_block", message, path });
  return typeof item === "string" ? textBlock(item) : { type: "unknown", value: item };
}

function unreadable(path: string, warnings: Warning[]): TextBlock {
  warnings.push({ code: "unreadable", message: "content throws when it is read", path });
  return textBlock("[content that cannot be read]");
}

function textBlock(text: string): TextBlock {
  return { type: "text", text };
}
