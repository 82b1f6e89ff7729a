export type Base64 =
  | {
      readonly ok: true;
      /** Plain, padded base64. */
      readonly data: string;
      /** From a `data:` URI that names one. */
      readonly mimeType?: string;
      /** What came instead, if something was put right; the bytes are the same. */
      readonly repaired?: string;
    }
  | { readonly ok: false };

/** Long enough for any media type with parameters. */
const MAX_URI_HEADER = 1_000;

/**
 * Base64 out of what servers send as base64: `data:` URIs, the URL-safe alphabet, line breaks and
 * missing padding are put right. Nothing at all is no base64.
 */
export function readBase64(given: string): Base64 {
  const uri = readDataUri(given);
  const packed = (uri?.data ?? given).replace(/\s+/g, "");
  const standard = packed.replaceAll("-", "+").replaceAll("_", "/");
  const body = standard.replace(/={1,2}$/, "");
  if (body === "" || body.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(body)) return { ok: false };
  const data = body.padEnd(Math.ceil(body.length / 4) * 4, "=");
  if (uri !== undefined) {
    const { mimeType } = uri;
    return { ok: true, data, repaired: "a data: URI", ...(mimeType !== "" && { mimeType }) };
  }
  return data === given ? { ok: true, data } : { ok: true, data, repaired: "a variant of base64" };
}

function readDataUri(given: string): { data: string; mimeType: string } | undefined {
  const comma = given.slice(0, MAX_URI_HEADER).indexOf(",");
  if (comma < 0 || given.slice(0, 5).toLowerCase() !== "data:") return undefined;
  const [mimeType = "", ...parameters] = given.slice(5, comma).split(";");
  if (parameters.at(-1)?.trim().toLowerCase() !== "base64") return undefined;
  return { data: given.slice(comma + 1), mimeType: mimeType.trim() };
}

/** The number of bytes that padded base64 stands for. */
export function byteLength(base64: string): number {
  const padding = base64.length - base64.replace(/={1,2}$/, "").length;
  return (base64.length / 4) * 3 - padding;
}
