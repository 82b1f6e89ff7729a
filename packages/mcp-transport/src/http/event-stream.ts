export interface ServerEvent {
  /** `message` if the server names none. */
  readonly type: string;
  readonly data: string;
  readonly id?: string;
  readonly retry?: string;
}

/** Cuts a `text/event-stream` into its events. Its cost is linear, whatever the size of an event. */
export class EventReader {
  readonly #maxBytes: number;
  readonly #onEvent: (event: ServerEvent) => void;
  readonly #decoder = new TextDecoder();
  /** The line that has not ended yet. */
  #pieces: string[] = [];
  #data: string[] = [];
  #fields = new Map<string, string>();
  #size = 0;
  #afterReturn = false;

  constructor(maxBytes: number, onEvent: (event: ServerEvent) => void) {
    this.#maxBytes = maxBytes;
    this.#onEvent = onEvent;
  }

  /** @throws RangeError if an event is longer than the limit */
  push(chunk: Uint8Array): void {
    const text = this.#decoder.decode(chunk, { stream: true });
    if (text === "") return;
    // A line break of two characters may be cut in the middle.
    let start = this.#afterReturn && text.startsWith("\n") ? 1 : 0;
    this.#afterReturn = text.endsWith("\r");
    for (const { 0: ending, index } of text.matchAll(/\r\n|\n|\r/g)) {
      if (index < start) continue;
      this.#add(text.slice(start, index));
      this.#line(this.#pieces.join(""));
      this.#pieces = [];
      start = index + ending.length;
    }
    this.#add(text.slice(start));
  }

  #add(piece: string): void {
    if (piece === "") return;
    this.#size += Buffer.byteLength(piece);
    if (this.#size > this.#maxBytes) throw new RangeError("the event is too long");
    this.#pieces.push(piece);
  }

  #line(line: string): void {
    const colon = line.indexOf(":");
    if (line === "") this.#dispatch();
    // A line that begins with a colon is a comment.
    if (line === "" || colon === 0) return;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (name === "data") this.#data.push(value);
    else this.#fields.set(name, value);
  }

  #dispatch(): void {
    const fields = this.#fields;
    const data = this.#data;
    this.#fields = new Map();
    this.#data = [];
    this.#size = 0;
    if (fields.size === 0 && data.length === 0) return;
    const id = fields.get("id");
    const retry = fields.get("retry");
    this.#onEvent({
      type: fields.get("event") || "message",
      data: data.join("\n"),
      ...(id !== undefined && { id }),
      ...(retry !== undefined && { retry }),
    });
  }
}

export function writeEvent({ type, data, id, retry }: ServerEvent): Uint8Array {
  const lines = [
    ...(type === "message" ? [] : [`event: ${type}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    ...data.split("\n").map((line) => `data: ${line}`),
  ];
  return Buffer.from(`${lines.join("\n")}\n\n`);
}
