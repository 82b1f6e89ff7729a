import { ToolRegistryError } from "./errors.ts";
import type { ToolResult } from "./result.ts";
import { partText, resultParts } from "./result-parts.ts";

export interface ResultTextOptions {
  /**
   * The most bytes of UTF-8 that the text may have, at least 64. A longer one keeps its head and
   * tail, and says between them how much was cut.
   *
   * @defaultValue no limit
   */
  readonly maxBytes?: number;
}

const MIN_BYTES = 64;

/**
 * A result as one text: the {@link resultParts}, a line each, media as type and size. `""` if the
 * result says nothing.
 *
 * @throws ToolRegistryError `invalid_spec` for a wrong `maxBytes`
 */
export function resultText(result: ToolResult, { maxBytes }: ResultTextOptions = {}): string {
  if (maxBytes !== undefined && !(Number.isInteger(maxBytes) && maxBytes >= MIN_BYTES)) {
    const message = `maxBytes must be a whole number of at least ${MIN_BYTES}, got ${maxBytes}`;
    throw new ToolRegistryError("invalid_spec", message, { field: "maxBytes" });
  }
  const text = resultParts(result).map(partText).join("\n");
  return maxBytes === undefined ? text : cut(text, maxBytes);
}

function cut(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const encoder = new TextEncoder();
  const bytes = encoder.encode(text);
  if (bytes.length <= maxBytes) return text;
  const room = maxBytes - encoder.encode(marker(bytes.length)).length;
  const headEnd = boundary(bytes, Math.ceil(room / 2), -1);
  const tailStart = boundary(bytes, bytes.length - Math.floor(room / 2), 1);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const head = decoder.decode(bytes.subarray(0, headEnd));
  const tail = decoder.decode(bytes.subarray(tailStart));
  return `${head}${marker(tailStart - headEnd)}${tail}`;
}

function marker(bytes: number): string {
  return `\n[… ${bytes} bytes cut …]\n`;
}

/** The nearest place between two characters, going by `step`. */
function boundary(bytes: Uint8Array, from: number, step: 1 | -1): number {
  let at = from;
  while (((bytes[at] ?? 0) & 0xc0) === 0x80) at += step;
  return at;
}
