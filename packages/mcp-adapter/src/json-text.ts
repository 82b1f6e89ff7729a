import { MCPAdapterError } from "./errors.ts";

const MAX_CHARACTERS = 1_048_576;
const MAX_DEPTH = 64;

interface JsonReading {
  readonly value: unknown;
  /** Where a key stands a second time. The first value counts. */
  readonly repeated: readonly (readonly string[])[];
}

/**
 * Reads a config file: JSON, and what editors allow there besides, comments and a comma at the end.
 *
 * @throws MCPAdapterError `config` with line and column; the text itself is never shown
 */
export function readJsonText(text: string): JsonReading {
  if (text.length > MAX_CHARACTERS) {
    throw new MCPAdapterError("config", `the text is over ${MAX_CHARACTERS} characters`);
  }
  return new Reader(text).read();
}

class Reader {
  readonly #text: string;
  readonly #repeated: string[][] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): JsonReading {
    const value = this.#value([]);
    if (this.#next() !== "") throw this.#expected("the end of the text");
    return { value, repeated: this.#repeated };
  }

  #value(path: readonly string[]): unknown {
    if (path.length > MAX_DEPTH) throw this.#expected(`at most ${MAX_DEPTH} levels`);
    switch (this.#next()) {
      case "{":
        return this.#object(path);
      case "[":
        return this.#array(path);
      case '"':
        return this.#string("a string");
      default:
        return this.#literal();
    }
  }

  #object(path: readonly string[]): Record<string, unknown> {
    const entries = new Map<string, unknown>();
    this.#items("}", () => {
      if (this.#next() !== '"') throw this.#expected("a key in double quotes");
      const key = this.#string("a key");
      this.#take(":");
      const value = this.#value([...path, key]);
      if (entries.has(key)) this.#repeated.push([...path, key]);
      else entries.set(key, value);
    });
    return Object.fromEntries(entries);
  }

  #array(path: readonly string[]): unknown[] {
    const items: unknown[] = [];
    this.#items("]", () => items.push(this.#value([...path, String(items.length)])));
    return items;
  }

  #items(close: string, readItem: () => void): void {
    this.#at += 1;
    while (this.#next() !== close) {
      readItem();
      if (this.#next() === close) break;
      this.#take(",", `"," or "${close}"`);
    }
    this.#at += 1;
  }

  #string(what: string): string {
    let end = this.#at + 1;
    while (end < this.#text.length && this.#text[end] !== '"') {
      end += this.#text[end] === "\\" ? 2 : 1;
    }
    const value = this.#parsed(end + 1);
    if (typeof value !== "string") throw this.#expected(what);
    return value;
  }

  #literal(): unknown {
    const token = /[\w.+-]*/y;
    token.lastIndex = this.#at;
    const value = this.#parsed(this.#at + (token.exec(this.#text)?.[0].length ?? 0));
    if (value === undefined) throw this.#expected("a value");
    return value;
  }

  /** The value that stands up to `end`; `undefined` if none does. */
  #parsed(end: number): unknown {
    try {
      const value: unknown = JSON.parse(this.#text.slice(this.#at, end));
      this.#at = end;
      return value;
    } catch {
      return undefined;
    }
  }

  #take(character: string, expected = `"${character}"`): void {
    if (this.#next() !== character) throw this.#expected(expected);
    this.#at += 1;
  }

  /** The next character that counts, without taking it; `""` at the end. */
  #next(): string {
    const insignificant = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
    insignificant.lastIndex = this.#at;
    this.#at += insignificant.exec(this.#text)?.[0].length ?? 0;
    return this.#text[this.#at] ?? "";
  }

  #expected(what: string): MCPAdapterError {
    const lines = this.#text.slice(0, this.#at).split("\n");
    const column = (lines.at(-1)?.length ?? 0) + 1;
    const message = `the text is no JSON: expected ${what} at line ${lines.length}, column ${column}`;
    return new MCPAdapterError("config", message);
  }
}
