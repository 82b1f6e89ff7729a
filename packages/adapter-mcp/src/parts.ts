import {
  type ContentBlock,
  contentToText,
  isKnownBlock,
  type ResourceContents,
  readContent,
} from "@x/mcp-parse";
import type { ContentPart } from "./tool-definition.ts";

/** What may stand in a data url that model APIs take for an image. */
const imageType = /^image\/[\w.+-]+$/;

/** One block as a model is shown it: images as images, anything else as text. */
export function partOf(block: ContentBlock): ContentPart {
  if (isKnownBlock(block)) {
    if (block.type === "image" && imageType.test(block.mimeType)) {
      return imagePart(block.mimeType, block.data);
    }
    if (block.type === "resource") {
      const image = imageOf(block.resource);
      if (image !== undefined) return image;
    }
  }
  return { type: "text", text: contentToText([block]) };
}

/** The contents of a resource that was asked for: its text without a line about its uri. */
export function contentsPart(contents: ResourceContents): ContentPart {
  if (contents.text !== undefined) return { type: "text", text: contents.text };
  return partOf({ type: "resource", resource: contents });
}

function imageOf({ blob, mimeType }: ResourceContents): ContentPart | undefined {
  if (blob === undefined) return undefined;
  const { content } = readContent([{ type: "image", data: blob, mimeType }]);
  const [image] = content;
  if (image === undefined || !isKnownBlock(image) || image.type !== "image") return undefined;
  return imageType.test(image.mimeType) ? imagePart(image.mimeType, image.data) : undefined;
}

function imagePart(mimeType: string, data: string): ContentPart {
  return { type: "image", image: { url: `data:${mimeType};base64,${data}` } };
}
