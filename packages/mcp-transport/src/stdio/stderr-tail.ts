import { StringDecoder } from "node:string_decoder";
import type { Redactor } from "../redact.ts";

const tailBytes = 8 * 1024;

/** Takes all that a process writes to stderr, keeps the end of it, and hides secrets. */
export class StderrTail {
  readonly #redactor: Redactor;
  readonly #onText: ((text: string) => void) | undefined;
  readonly #decoder = new StringDecoder("utf8");
  #kept = "";
  #cut = false;
  /** What may be the begin of a secret, until the rest of it comes. */
  #held = "";

  constructor(redactor: Redactor, onText?: (text: string) => void) {
    this.#redactor = redactor;
    this.#onText = onText;
  }

  push(chunk: Buffer): void {
    this.#take(this.#decoder.write(chunk));
  }

  end(): void {
    this.#take(this.#decoder.end());
    if (this.#held !== "") this.#onText?.(this.#held);
    this.#held = "";
  }

  /** At most 8 KiB. */
  get text(): string {
    // The rest of a secret whose begin was cut off.
    const broken = this.#cut ? this.#redactor.cutOff(this.#kept) : 0;
    const whole = this.#kept.slice(broken);
    const bytes = Buffer.from(this.#redactor.redact(whole));
    if (bytes.length <= tailBytes) return bytes.toString();
    let start = bytes.length - tailBytes;
    // Not in the middle of a character.
    while (((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
    return bytes.subarray(start).toString();
  }

  #take(text: string): void {
    if (text === "") return;
    this.#kept += text;
    if (this.#kept.length > 2 * tailBytes) {
      this.#kept = this.#kept.slice(-2 * tailBytes);
      this.#cut = true;
    }
    if (this.#onText === undefined) return;
    const all = this.#held + text;
    const end = all.length - this.#redactor.heldBack(all);
    this.#held = all.slice(end);
    if (end > 0) this.#onText(this.#redactor.redact(all.slice(0, end)));
  }
}
