import { byteLength } from "./media.ts";
import { messageOf } from "./message.ts";

/** A run of base64 of at least this length is no use to a reader. */
const MIN_BASE64 = 256;

/**
 * JSON of a value for a reader. Data URIs and long base64 are replaced by their size. What JSON
 * cannot carry becomes a line that says so.
 */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value, (_key, item: unknown) => withoutBase64(item)) ?? "null";
  } catch (error) {
    return `[data that cannot be shown as JSON: ${messageOf(error)}]`;
  }
}

function withoutBase64(item: unknown): unknown {
  if (typeof item !== "string") return item;
  const uri = /^data:([^,;]{0,100})[^,]{0,200};base64,/i.exec(item);
  if (uri) {
    const bytes = byteLength(item.slice(uri[0].length));
    return `[data URI: ${uri[1] === "" ? "" : `${uri[1]}, `}${bytes} bytes]`;
  }
  return isLongBase64(item) ? `[base64: ${byteLength(item)} bytes]` : item;
}

function isLongBase64(text: string): boolean {
  return (
    text.length >= MIN_BASE64 &&
    /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) &&
    [/[a-z]/, /[A-Z]/, /[0-9]/].every((kind) => kind.test(text))
  );
}
