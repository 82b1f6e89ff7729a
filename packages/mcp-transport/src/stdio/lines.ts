const newline = 0x0a;
const smallest = 4 * 1024;
/** How much of a line that is too long is kept at its begin and end, to tell whose answer it was. */
const edge = 256;

export interface LineEvents {
  line(text: string): void;
  /** Once for each line longer than the limit, as soon as the limit is passed. */
  oversized(begin: string): void;
  /** The end of such a line, or what it has come to after four times the limit. */
  oversizedEnd(end: string): void;
}

/** Cuts a stream of bytes into lines. Its cost is linear, whatever the length of a line or chunk. */
export class LineSplitter {
  readonly #limit: number;
  readonly #events: LineEvents;
  #buffer: Buffer = Buffer.alloc(0);
  #filled = 0;
  /** Length of the line so far, also of what is no longer kept. */
  #size = 0;

  constructor(limit: number, events: LineEvents) {
    this.#limit = limit;
    this.#events = events;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const rest = chunk.subarray(start, end);
      if (this.#size === 0 && rest.length <= this.#limit) {
        this.#events.line(rest.toString());
      } else {
        this.#take(rest);
        this.#finish();
      }
      start = end + 1;
    }
    this.#take(chunk.subarray(start));
  }

  /** The stream ended; what came after the last line break is a line, too. */
  end(): void {
    if (this.#size > 0) this.#finish();
  }

  #take(part: Buffer): void {
    const before = this.#size;
    this.#size += part.length;
    this.#append(part);
    if (this.#size <= this.#limit) return;
    if (before <= this.#limit) this.#events.oversized(this.#line(0, edge));
    this.#buffer = Buffer.from(
      this.#buffer.subarray(Math.max(0, this.#filled - edge), this.#filled),
    );
    this.#filled = this.#buffer.length;
    const most = 4 * this.#limit;
    if (before <= most && this.#size > most) this.#events.oversizedEnd(this.#line());
  }

  #append(part: Buffer): void {
    const needed = this.#filled + part.length;
    if (needed > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(needed, 2 * this.#buffer.length, smallest));
      this.#buffer.copy(grown, 0, 0, this.#filled);
      this.#buffer = grown;
    }
    part.copy(this.#buffer, this.#filled);
    this.#filled = needed;
  }

  #finish(): void {
    const line = this.#line();
    const size = this.#size;
    this.#buffer = Buffer.alloc(0);
    this.#filled = 0;
    this.#size = 0;
    if (size <= this.#limit) this.#events.line(line);
    else if (size <= 4 * this.#limit) this.#events.oversizedEnd(line);
  }

  #line(start = 0, end: number = this.#filled): string {
    return this.#buffer.toString("utf8", start, Math.min(end, this.#filled));
  }
}
