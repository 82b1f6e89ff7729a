import { byteLength, readBase64 } from "./base64.ts";
import type { ContentBlock } from "./blocks.ts";
import { own, quoted } from "./json.ts";
import type { Warning } from "./warnings.ts";

/** The declared type of data that declares none. */
export const ANY_BYTES = "application/octet-stream";

/**
 * An image or audio block whose `data` is a string. The `data` becomes plain base64, the type of an
 * image the one its bytes tell; `image/jpg` is called `image/jpeg`.
 */
export function readMedia(
  block: ContentBlock,
  given: string,
  path: string,
  warnings: Warning[],
): ContentBlock {
  const base64 = readBase64(given);
  if (!base64.ok) {
    const message = `the data of the ${block.type} is not base64`;
    warnings.push({ code: "media_invalid", message, path: `${path}/data` });
    return { type: "text", text: `[${block.type}: its data is not base64]` };
  }
  if (base64.repaired !== undefined) {
    const message = `the data of the ${block.type} was ${base64.repaired}; it is base64 now`;
    warnings.push({ code: "media_repaired", message, path: `${path}/data` });
  }
  const declared = own(block, "mimeType");
  const claimed = claimedType(declared, base64.mimeType, block.type);
  const mimeType = (block.type === "image" && sniffImage(base64.data)) || claimed || ANY_BYTES;
  if (mimeType !== claimed) {
    const was = claimed === "" ? "no type" : quoted(claimed);
    const message = `the ${block.type} is ${mimeType} and was declared as ${was}`;
    warnings.push({ code: "mime_corrected", message, path: `${path}/mimeType` });
  }
  if (base64.data === given && mimeType === declared) return block;
  return { ...block, data: base64.data, mimeType };
}

function claimedType(declared: unknown, fromUri: string | undefined, kind: string): string {
  const claimed = typeof declared === "string" && declared !== "" ? declared : (fromUri ?? "");
  return kind === "image" ? imageType(claimed) : claimed;
}

function imageType(mimeType: string): string {
  const bare = (mimeType.split(";")[0] ?? "").trim().toLowerCase();
  return bare === "image/jpg" ? "image/jpeg" : bare;
}

function sniffImage(base64: string): string | undefined {
  if (base64.startsWith("iVBORw0KGgo")) return "image/png";
  if (base64.startsWith("/9j/")) return "image/jpeg";
  if (base64.startsWith("R0lGODdh") || base64.startsWith("R0lGODlh")) return "image/gif";
  // "RIFF", four bytes of size, "WEBP": in base64 the second word begins inside a character.
  if (base64.startsWith("UklGR") && base64.slice(11, 16) === "XRUJQ") return "image/webp";
  return undefined;
}

/** What stands in a text for data that is none: its type and size, never the data. */
export function placeholder(kind: string, base64: string, details: readonly string[]): string {
  const bytes = readBase64(base64);
  const size = bytes.ok ? `${byteLength(bytes.data)} bytes` : "not base64";
  return `[${kind}: ${[...details, size].join(", ")}]`;
}
