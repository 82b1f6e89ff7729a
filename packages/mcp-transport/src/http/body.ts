/** The whole body. @throws RangeError beyond the limit; what the network says if it breaks */
export async function readAll(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (body !== null) {
    // Leaving the loop cancels the body.
    for await (const chunk of body) {
      size += chunk.byteLength;
      if (size > maxBytes) throw new RangeError("the body is too long");
      chunks.push(chunk);
    }
  }
  return Buffer.concat(chunks).toString();
}

/** What has come of a body by the limit, the deadline, or its end; the rest is not waited for. */
export async function readSome(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  withinMs: number,
): Promise<string> {
  if (body === null) return "";
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const timer = setTimeout(() => discard(reader), withinMs);
  try {
    while (size < maxBytes) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      size += value.byteLength;
    }
  } catch {
    // What came before the break is still worth reading.
  }
  clearTimeout(timer);
  discard(reader);
  return Buffer.concat(chunks).subarray(0, maxBytes).toString();
}

/** Gives back the connection that nobody reads from any more. */
export function discard(
  body: ReadableStream<Uint8Array> | ReadableStreamDefaultReader<Uint8Array> | null,
): void {
  body?.cancel().catch(() => {});
}
