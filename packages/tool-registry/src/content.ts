/** Content blocks in the shapes of MCP, which own tools may return too. */
export interface TextContent {
  readonly type: "text";
  readonly text: string;
}

export interface ImageContent {
  readonly type: "image";
  /** base64 */
  readonly data: string;
  readonly mimeType: string;
}

export interface AudioContent {
  readonly type: "audio";
  /** base64 */
  readonly data: string;
  readonly mimeType: string;
}

export interface ResourceContent {
  readonly type: "resource";
  readonly resource: {
    readonly uri: string;
    readonly mimeType?: string;
    readonly text?: string;
    /** base64 */
    readonly blob?: string;
  };
}

export interface ResourceLinkContent {
  readonly type: "resource_link";
  readonly uri: string;
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** A block of a type this package does not know; it is carried along and shown as JSON. */
export interface OtherContent {
  readonly type: string;
  readonly [key: string]: unknown;
}

export type ToolContent =
  | TextContent
  | ImageContent
  | AudioContent
  | ResourceContent
  | ResourceLinkContent
  | OtherContent;

/** Whether a value can stand in a content list: an object with a type. */
export function isContentBlock(value: unknown): value is ToolContent {
  return (
    typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"
  );
}
