/** base64 with a `data:` prefix, spaces and line breaks taken off; `undefined` if it is none. */
export function readBase64(text: string): string | undefined {
  const header = text.slice(0, 5).toLowerCase() === "data:" ? text.indexOf(",") + 1 : 0;
  const packed = text.slice(header).replace(/\s+/g, "");
  return packed !== "" && /^[A-Za-z0-9+/_-]*={0,2}$/.test(packed) ? packed : undefined;
}

export function byteLength(base64: string): number {
  return Math.floor((base64.replace(/={1,2}$/, "").length * 3) / 4);
}

/** What an image is by its first bytes, else what it is said to be. */
export function imageType(base64: string, declared: string): string {
  if (base64.startsWith("iVBORw0KGgo")) return "image/png";
  if (base64.startsWith("/9j/")) return "image/jpeg";
  if (base64.startsWith("R0lGOD")) return "image/gif";
  if (base64.startsWith("UklGR") && base64.startsWith("XRUJQ", 11)) return "image/webp";
  return declared === "image/jpg" ? "image/jpeg" : declared;
}
