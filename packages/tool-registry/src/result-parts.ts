import { isRecord } from "./data.ts";
import { jsonText } from "./json-text.ts";
import { byteLength, imageType, readBase64 } from "./media.ts";
import type { ToolResult } from "./result.ts";
import { isInTexts } from "./structured.ts";

/** `data` is bare base64; `mediaType` is what the bytes of an image tell, else what was declared. */
export interface MediaPart {
  readonly type: "image" | "audio" | "file";
  readonly data: string;
  readonly mediaType: string;
  readonly uri?: string;
}

export interface LinkPart {
  readonly type: "link";
  readonly uri: string;
  readonly name?: string;
  readonly description?: string;
  readonly mediaType?: string;
}

export interface TextPart {
  readonly type: "text";
  readonly text: string;
}

export type ResultPart = TextPart | MediaPart | LinkPart;

const ANY_BYTES = "application/octet-stream";

/**
 * What a result says to a model, in order: of a failure the message, then the content block by
 * block, then the structured content, unless its values stand in the text already. A block of an
 * unknown type is shown as JSON; media is never shown as text.
 */
export function resultParts(result: ToolResult): readonly ResultPart[] {
  const content = result.content.map(partOf);
  const parts = result.success ? content : withError(result.error, content);
  const structured = result.structuredContent ?? undefined;
  if (structured !== undefined) {
    const texts = parts.filter((part) => !isMedia(part)).map(partText);
    const isShown = texts.length > 0 && isInTexts(structured, texts);
    return isShown ? parts : [...parts, textPart(jsonText(structured))];
  }
  return parts.length > 0 ? parts : payloadParts(result.data);
}

/** A part as text; of media only type and size. */
export function partText(part: ResultPart): string {
  if (part.type === "text") return part.text;
  const { type, uri, mediaType } = part;
  const name = part.type === "link" ? part.name : undefined;
  const size = part.type === "link" ? undefined : `${byteLength(part.data)} bytes`;
  const details = [name, uri, mediaType, size].filter((detail) => detail !== undefined);
  const description = part.type === "link" ? part.description : undefined;
  return `[${type}: ${details.join(", ")}]${description === undefined ? "" : ` ${description}`}`;
}

function isMedia(part: ResultPart): part is MediaPart {
  return part.type !== "text" && part.type !== "link";
}

function textPart(text: string): TextPart {
  return { type: "text", text };
}

/** A text that the message repeats is said once. */
function withError(error: string, content: readonly ResultPart[]): readonly ResultPart[] {
  const rest = content.filter((part) => part.type !== "text" || !error.includes(part.text.trim()));
  return [textPart(`Error: ${error}`), ...rest];
}

/** What a server answered in a shape that holds neither content nor structured content. */
function payloadParts(data: Readonly<Record<string, unknown>>): readonly ResultPart[] {
  const { content, structuredContent, isError, _meta, ...rest } = data;
  return Object.keys(rest).length === 0 ? [] : [textPart(jsonText(rest))];
}

function partOf(block: unknown): ResultPart {
  try {
    return readBlock(block);
  } catch {
    return textPart("[content that cannot be read]");
  }
}

function readBlock(block: unknown): ResultPart {
  if (!isRecord(block)) return textPart(jsonText(block));
  const { type, text, resource, uri } = block;
  if (type === "text" && typeof text === "string") return textPart(text);
  if (type === "resource" && isRecord(resource)) return readResource(resource);
  if (type === "resource_link" && typeof uri === "string") return readLink(block, uri);
  return readMedia(block) ?? textPart(jsonText(block));
}

/** An image, a sound, or a block of an unknown type that holds a file. */
function readMedia(block: Readonly<Record<string, unknown>>): ResultPart | undefined {
  const { type, data, mimeType } = block;
  const kind = type === "image" || type === "audio" ? type : undefined;
  if (typeof data !== "string" || (kind ?? optionalText(mimeType)) === undefined) return undefined;
  const media = mediaPart(data, mimeType, kind);
  if (media !== undefined || kind === undefined) return media;
  return textPart(`[${kind}: its data is not base64]`);
}

function readResource(resource: Readonly<Record<string, unknown>>): ResultPart {
  const { text, blob, mimeType } = resource;
  const uri = optionalText(resource["uri"]);
  if (typeof text === "string") return textPart(`[resource: ${uri ?? "no uri"}]\n${text}`);
  if (typeof blob !== "string") return textPart(jsonText(resource));
  const media = mediaPart(blob, mimeType);
  if (media === undefined)
    return textPart(`[resource: ${uri ?? "no uri"}, its data is not base64]`);
  return uri === undefined ? media : { ...media, uri };
}

function readLink(block: Readonly<Record<string, unknown>>, uri: string): LinkPart {
  const name = optionalText(block["title"]) ?? optionalText(block["name"]);
  const description = optionalText(block["description"]);
  const mediaType = optionalText(block["mimeType"]);
  return {
    type: "link",
    uri,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(mediaType !== undefined && { mediaType }),
  };
}

function optionalText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** `undefined` if the data is no base64. Without a known kind the media type decides. */
function mediaPart(
  given: string,
  mimeType: unknown,
  kind?: "image" | "audio",
): MediaPart | undefined {
  const data = readBase64(given);
  if (data === undefined) return undefined;
  const declared = optionalText(mimeType) ?? ANY_BYTES;
  const type = kind ?? /^(image|audio)\//.exec(declared)?.[1] ?? "file";
  if (type === "image") return { type, data, mediaType: imageType(data, declared) };
  return { type: type === "audio" ? type : "file", data, mediaType: declared };
}
