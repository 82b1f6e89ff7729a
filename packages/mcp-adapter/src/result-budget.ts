import type { ContentBlock } from "@x/mcp-parse";
import type { ResultWarning } from "./result.ts";

/**
 * Cuts text blocks to head and tail so that all text together stays within `maxBytes` of UTF-8.
 * Only text is cut; the whole stays reachable in `data`. Adds a `truncated` warning per block.
 */
export function cutText(
  content: readonly ContentBlock[],
  maxBytes: number | undefined,
  warnings: ResultWarning[],
): readonly ContentBlock[] {
  if (maxBytes === undefined) return content;
  let left = maxBytes;
  return content.map((block, index) => {
    if (block.type !== "text" || typeof block["text"] !== "string") return block;
    const { text, bytes, cut } = cutMiddle(block["text"], left);
    left = Math.max(0, left - bytes);
    if (cut === 0) return block;
    warnings.push({
      code: "truncated",
      message: `${cut} bytes of text were cut out; the whole is in data`,
      path: `/content/${index}/text`,
    });
    return { ...block, text };
  });
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function cutMiddle(text: string, maxBytes: number): { text: string; bytes: number; cut: number } {
  const bytes = encoder.encode(text);
  if (bytes.length <= maxBytes) return { text, bytes: bytes.length, cut: 0 };
  const headEnd = boundaryBefore(bytes, Math.ceil(maxBytes / 2));
  const tailStart = boundaryAfter(bytes, bytes.length - Math.floor(maxBytes / 2));
  const cut = tailStart - headEnd;
  const head = decoder.decode(bytes.subarray(0, headEnd));
  const tail = decoder.decode(bytes.subarray(tailStart));
  return { text: `${head}\n[… ${cut} bytes cut …]\n${tail}`, bytes: maxBytes, cut };
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function boundaryBefore(bytes: Uint8Array, at: number): number {
  let index = at;
  while (index > 0 && isContinuation(bytes[index])) index -= 1;
  return index;
}

function boundaryAfter(bytes: Uint8Array, at: number): number {
  let index = at;
  while (index < bytes.length && isContinuation(bytes[index])) index += 1;
  return index;
}
