/**
 * - `cursor_cycle`: the pages began to repeat; the list is what came until then
 * - `schema_missing`: a tool without `inputSchema`; it takes any object
 * - `invalid_field`: an optional field has the wrong type and is left out
 * - `legacy_wrapper`: the result came inside `toolResult` and was unwrapped
 * - `content_missing`: there is no `content`; it was made from what is there
 * - `invalid_content`: `content` is no list; it was read as one block
 * - `invalid_block`: a content block breaks its own type; it is kept as data
 * - `media_repaired`: the data of a block is base64 again, its bytes unchanged
 * - `media_invalid`: the data of a block is no base64; a text block says so in its place
 * - `mime_corrected`: the bytes of an image are of another type than declared
 * - `unreadable`: reading a block threw; a text block says so in its place
 */
export type WarningCode =
  | "cursor_cycle"
  | "schema_missing"
  | "invalid_field"
  | "legacy_wrapper"
  | "content_missing"
  | "invalid_content"
  | "invalid_block"
  | "media_repaired"
  | "media_invalid"
  | "mime_corrected"
  | "unreadable";

/** Something tolerated. The value as it came is in `raw` of what was read. */
export interface Warning {
  readonly code: WarningCode;
  readonly message: string;
  /** JSON pointer into the value that was read. */
  readonly path?: string;
}
