import type { Fired } from "./faults/fault-plan.ts";
import { pause } from "./pause.ts";
import type { Framing } from "./protocol/reply.ts";

/** A line of stdio, an event of a stream, or the body of an HTTP response. */
export type Envelope = "line" | "event" | "body";

/** The bytes of messages in their envelope, with the faults that concern bytes. */
export function encode(
  envelope: Envelope,
  messages: readonly unknown[],
  { fired }: Framing,
  eventId?: string,
): Buffer {
  const texts = envelope === "body" ? [bodyOf(messages)] : messages.map((m) => JSON.stringify(m));
  const { lines = 0, text = "" } = fired.get("garbage") ?? {};
  const payloads = [
    ...Array.from({ length: lines }, () => text),
    ...texts.map((json) => spoiled(json, fired)),
  ];
  const end = fired.get("crlf") === undefined ? "\n" : "\r\n";
  return Buffer.from(payloads.map((payload) => wrap(envelope, payload, end, eventId)).join(""));
}

function bodyOf(messages: readonly unknown[]): string {
  return JSON.stringify(messages.length === 1 ? messages[0] : messages);
}

function spoiled(json: string, fired: Fired): string {
  const cut = fired.get("truncated") === undefined ? json : json.slice(0, json.length / 2);
  return `${fired.get("banner")?.text ?? ""}${cut}`;
}

function wrap(envelope: Envelope, payload: string, end: string, id: string | undefined): string {
  const named = id === undefined ? "" : `id: ${id}${end}`;
  if (envelope === "event") return `${named}event: message${end}data: ${payload}${end}${end}`;
  return `${payload}${end}`;
}

/** Writes bytes in the pieces that the faults want. @returns false once nobody takes them */
export async function writePieces(
  bytes: Buffer,
  { fired, half }: Framing,
  write: (piece: Buffer) => Promise<boolean>,
): Promise<boolean> {
  if (half) return write(bytes.subarray(0, bytes.length / 2));
  if (fired.get("split-utf8") === undefined) return write(bytes);
  const never = new AbortController().signal;
  for (const piece of splitInsideCharacters(bytes)) {
    if (!(await write(piece))) return false;
    await pause(2, never);
  }
  return true;
}

/** Cuts after the first byte of every character that has several. */
function splitInsideCharacters(bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  let start = 0;
  for (const [index, byte] of bytes.entries()) {
    if (byte < 0b1100_0000) continue;
    pieces.push(bytes.subarray(start, index + 1));
    start = index + 1;
  }
  return [...pieces, bytes.subarray(start)];
}

const chunk = Buffer.alloc(65_536, "x");

/** Writes for ever, until nobody takes it. */
export async function flood(
  opening: string,
  write: (piece: Buffer) => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  let taken = await write(Buffer.from(opening));
  while (taken && (await pause(1, signal))) taken = await write(chunk);
}
