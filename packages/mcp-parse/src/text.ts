import {
  type ContentBlock,
  isKnownBlock,
  type KnownBlock,
  type ResourceContents,
} from "./blocks.ts";
import { readContent } from "./content.ts";
import { isTold } from "./coverage.ts";
import { own } from "./json.ts";
import { writeJson } from "./json-text.ts";
import { ANY_BYTES, placeholder } from "./media.ts";

export interface TextOptions {
  /** Added as JSON unless the text holds all its values already. Null counts as absent. */
  readonly structuredContent?: unknown;
}

/**
 * Content as one text for a model, block after block, joined by line breaks: texts as they are,
 * embedded texts under their uri, links by name and uri, binary data as a placeholder with type and
 * size (never the data), anything else as its JSON. `""` for no content. Never throws.
 *
 * @param content as it came, or read by {@link readContent}
 */
export function contentToText(content: unknown, options: TextOptions = {}): string {
  const texts = readContent(content).content.map(blockToText);
  const { structuredContent } = options;
  if (structuredContent !== undefined && structuredContent !== null) {
    const isSilent = texts.every((text) => text === "");
    if (isSilent) return writeJson(structuredContent).text;
    if (!isTold(structuredContent, texts)) texts.push(writeJson(structuredContent).text);
  }
  return texts.join("\n");
}

function blockToText(block: ContentBlock): string {
  try {
    if (isKnownBlock(block)) return knownToText(block);
  } catch {
    // A block that stopped being readable: its JSON marks the spot.
  }
  return writeJson(block).text;
}

function knownToText(block: KnownBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return placeholder(block.type, block.data, [block.mimeType]);
    case "resource":
      return resourceToText(block.resource);
    case "resource_link":
      return linkToText(block);
  }
}

/** The text of one resource under a line with its uri, or a placeholder for its data. */
function resourceToText({ uri, mimeType, text, blob }: ResourceContents): string {
  if (text === undefined) return placeholder("resource", blob ?? "", [uri, mimeType ?? ANY_BYTES]);
  const details = [uri, ...(mimeType === undefined ? [] : [mimeType])];
  return `[resource: ${details.join(", ")}]\n${text}`;
}

function linkToText(link: Extract<KnownBlock, { type: "resource_link" }>): string {
  const details = [link.uri];
  for (const key of ["title", "name", "mimeType"]) {
    const value = own(link, key);
    if (typeof value === "string" && value !== "" && !details.includes(value)) details.push(value);
  }
  const size = own(link, "size");
  if (typeof size === "number") details.push(`${size} bytes`);
  const description = own(link, "description");
  const line = `[resource link: ${details.join(", ")}]`;
  return typeof description === "string" && description !== "" ? `${line} ${description}` : line;
}
