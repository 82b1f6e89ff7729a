import { imageType } from "../media.ts";
import type { ToolResult } from "../result.ts";
import { type MediaPart, partText, resultParts } from "../result-parts.ts";

/** The images that every provider takes. */
export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

export type ModelPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mediaType: ImageType }
  | { readonly type: "file"; readonly data: string; readonly mediaType: "application/pdf" };

/**
 * What models can look at: images and PDFs whose first bytes say what they are, in base64 of the
 * plain alphabet, since a provider refuses the whole request over one that it cannot read. Any other
 * part stands for itself as text.
 */
export function modelParts(result: ToolResult): ModelPart[] {
  return resultParts(result).map((part) => {
    const shown = part.type === "image" || part.type === "file" ? visiblePart(part) : undefined;
    return shown ?? { type: "text", text: partText(part) };
  });
}

/** The same without anything to look at. */
export function partsAsText(result: ToolResult): ModelPart[] {
  return resultParts(result).map((part) => ({ type: "text", text: partText(part) }));
}

/** Whether a part is more than a blank text, over which Anthropic refuses the request. */
export function isSaying(part: ModelPart): boolean {
  return part.type !== "text" || part.text.trim() !== "";
}

function visiblePart({ type, data: given }: MediaPart): ModelPart | undefined {
  const data = plainBase64(given);
  const mediaType = imageType(data, "");
  if (isImageType(mediaType)) return { type: "image", data, mediaType };
  const isPdf = type === "file" && data.startsWith(PDF);
  return isPdf ? { type, data, mediaType: "application/pdf" } : undefined;
}

/** `%PDF-` */
const PDF = "JVBERi0";

/** Some servers write the alphabet of URLs, or leave out the padding. */
function plainBase64(data: string): string {
  const digits = data.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
  return digits.padEnd(Math.ceil(digits.length / 4) * 4, "=");
}

function isImageType(type: string): type is ImageType {
  return ["image/png", "image/jpeg", "image/gif", "image/webp"].includes(type);
}
