import { resultText, toolSuccess } from "@x/tool-registry";
import { AdapterMCPError } from "./errors.ts";
import type { ContentPart } from "./tool-definition.ts";

/** Less than this has no room for saying what was cut. */
const MIN_BYTES = 64;

/** @throws AdapterMCPError `config` */
export function checkMaxTextBytes(maxBytes: number | undefined): void {
  if (maxBytes === undefined || (Number.isInteger(maxBytes) && maxBytes >= MIN_BYTES)) return;
  const message = `maxTextBytes must be a whole number of at least ${MIN_BYTES}, got ${maxBytes}`;
  throw new AdapterMCPError("config", message);
}

/** The head and tail of a text that is longer, and between them how much was cut. */
export function limitText(text: string, maxBytes: number | undefined): string {
  if (maxBytes === undefined) return text;
  return resultText(toolSuccess({ content: [{ type: "text", text }] }), { maxBytes });
}

/**
 * The same for the texts of all parts together. Where they are longer they become one part, before
 * the images.
 */
export function limitParts(
  parts: readonly ContentPart[],
  maxBytes: number | undefined,
): ContentPart[] {
  const whole = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const text = limitText(whole, maxBytes);
  if (text === whole) return [...parts];
  return [{ type: "text", text }, ...parts.filter((part) => part.type !== "text")];
}
