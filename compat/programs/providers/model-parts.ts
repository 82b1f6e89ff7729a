import { type ResultPart, resultParts, type ToolResult } from "@x/tool-registry";

/** The images that every model takes. */
export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

export type ModelPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mediaType: ImageType }
  | { readonly type: "file"; readonly data: string; readonly mediaType: "application/pdf" };

/** What models can look at; any other media stands for itself by type and size. */
export function modelParts(result: ToolResult): ModelPart[] {
  return resultParts(result).map((part) => {
    if (part.type === "text") return { type: "text", text: part.text };
    if (part.type === "image" && isImageType(part.mediaType)) {
      return { type: "image", data: part.data, mediaType: part.mediaType };
    }
    if (part.type === "file" && part.mediaType === "application/pdf") {
      return { type: "file", data: part.data, mediaType: part.mediaType };
    }
    return { type: "text", text: partText(part) };
  });
}

function isImageType(type: string): type is ImageType {
  return ["image/png", "image/jpeg", "image/gif", "image/webp"].includes(type);
}

function partText(part: Exclude<ResultPart, { type: "text" }>): string {
  const { type, uri, mediaType } = part;
  const bytes = part.type === "link" ? 0 : Math.floor(part.data.replace(/=+$/, "").length * 0.75);
  const size = part.type === "link" ? undefined : `${bytes} bytes`;
  return `[${type}: ${[uri, mediaType, size].filter((detail) => detail !== undefined).join(", ")}]`;
}
