import { isObject, type JsonObject, own } from "./json.ts";

export interface TextBlock {
  readonly type: "text";
  readonly text: string;
  readonly [key: string]: unknown;
}

export interface ImageBlock {
  readonly type: "image";
  /** Plain, padded base64. */
  readonly data: string;
  /** The type that the first bytes tell, where they tell one. */
  readonly mimeType: string;
  readonly [key: string]: unknown;
}

export interface AudioBlock {
  readonly type: "audio";
  /** Plain, padded base64. */
  readonly data: string;
  readonly mimeType: string;
  readonly [key: string]: unknown;
}

export interface ResourceContents {
  /** `""` if the server gave none. */
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  /** Plain, padded base64. */
  readonly blob?: string;
  readonly [key: string]: unknown;
}

export interface EmbeddedResourceBlock {
  readonly type: "resource";
  /** Holds `text` or `blob`. */
  readonly resource: ResourceContents;
  readonly [key: string]: unknown;
}

export interface ResourceLinkBlock {
  readonly type: "resource_link";
  readonly uri: string;
  readonly [key: string]: unknown;
}

export type KnownBlock =
  | TextBlock
  | ImageBlock
  | AudioBlock
  | EmbeddedResourceBlock
  | ResourceLinkBlock;

/** Whatever else the server sent, untouched. What came without a type is `unknown`, in `value`. */
export interface OtherBlock {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Ask {@link isKnownBlock} before trusting `type`. */
export type ContentBlock = KnownBlock | OtherBlock;

/** Whether a block is of a type known here and has what that type prescribes. */
export function isKnownBlock(block: ContentBlock): block is KnownBlock {
  switch (block.type) {
    case "text":
      return hasText(block, "text");
    case "image":
    case "audio":
      return hasText(block, "data") && hasText(block, "mimeType");
    case "resource":
      return isContents(own(block, "resource"));
    case "resource_link":
      return hasText(block, "uri");
    default:
      return false;
  }
}

function isContents(value: unknown): boolean {
  if (!isObject(value) || !hasText(value, "uri")) return false;
  return hasText(value, "text") || hasText(value, "blob");
}

function hasText(object: JsonObject, key: string): boolean {
  return typeof own(object, key) === "string";
}
