import type { EventStream } from "./event-stream.ts";

/** The streams of a session that carry answers, for clients that resume one by the id of an event. */
export class EventLog {
  readonly #streams = new Map<string, EventStream>();

  /** @returns the name of the stream, the first part of the ids of its events */
  add(stream: EventStream): string {
    const name = `s${this.#streams.size}`;
    this.#streams.set(name, stream);
    return name;
  }

  /** @returns the stream that an event belongs to, and the number of the next one */
  find(lastEventId: unknown): { readonly stream: EventStream; readonly next: number } | undefined {
    if (typeof lastEventId !== "string") return undefined;
    const [, name = "", number = ""] = /^(s\d+)-(\d{1,9})$/.exec(lastEventId) ?? [];
    const stream = this.#streams.get(name);
    return stream && { stream, next: Number(number) + 1 };
  }
}
