import { messageOf } from "./errors.ts";
import type { ValidationIssue } from "./ports.ts";

export interface ArgumentLimits {
  readonly maxBytes: number;
  readonly maxDepth: number;
}

export type ArgumentsReading =
  | { readonly ok: true; readonly args: Record<string, unknown> }
  | { readonly ok: false; readonly errorCode: "validation"; readonly issue: ValidationIssue }
  | { readonly ok: false; readonly errorCode: "too_large"; readonly message: string };

/**
 * Copies the arguments to plain JSON data, so that what is validated is what is sent. Nothing is
 * converted: a value that JSON cannot carry is refused, except that a property whose value is
 * `undefined` counts as absent.
 */
export function readArguments(value: unknown, limits: ArgumentLimits): ArgumentsReading {
  const copier = new Copier(limits);
  try {
    const copy = copier.copy(value, []);
    if (!isJsonObject(copy)) {
      return refused([], `the arguments must be an object, got ${kindOf(value)}`);
    }
    const bytes = new TextEncoder().encode(JSON.stringify(copy)).length;
    if (bytes > limits.maxBytes) return tooLarge(`${bytes} bytes`, limits);
    return { ok: true, args: copy };
  } catch (error) {
    if (error instanceof NotJson) return refused(error.path, error.message);
    if (error instanceof TooLarge) return tooLarge(error.message, limits);
    return refused([], `the arguments cannot be read: ${messageOf(error)}`);
  }
}

class NotJson extends Error {
  readonly path: readonly (string | number)[];
  constructor(path: readonly (string | number)[], message: string) {
    super(message);
    this.path = path;
  }
}

class TooLarge extends Error {}

class Copier {
  readonly #limits: ArgumentLimits;
  /** A lower bound of the bytes so far, so that a huge value is not copied to its end. */
  #size = 0;

  constructor(limits: ArgumentLimits) {
    this.#limits = limits;
  }

  copy(value: unknown, path: readonly (string | number)[]): unknown {
    this.#count(typeof value === "string" ? value.length : 1);
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number") {
      if (Number.isFinite(value)) return value;
      throw new NotJson(path, `${label(path)} is ${value}, which JSON cannot carry`);
    }
    if (typeof value !== "object") {
      throw new NotJson(path, `${label(path)} is ${kindOf(value)}, which JSON cannot carry`);
    }
    if (path.length >= this.#limits.maxDepth) {
      throw new TooLarge(`deeper than ${this.#limits.maxDepth} levels`);
    }
    if (Array.isArray(value)) {
      return Array.from(value, (item, index) => this.copy(item, [...path, index]));
    }
    return this.#copyObject(value, path);
  }

  #copyObject(value: object, path: readonly (string | number)[]): Record<string, unknown> {
    const prototype = Object.getPrototypeOf(value);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
      throw new NotJson(path, `${label(path)} is ${kindOf(value)}, not plain data`);
    }
    const copy: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(value)) {
      if (item === undefined) continue;
      this.#count(key.length);
      // defineProperty, since assigning to `__proto__` would set the prototype instead.
      Object.defineProperty(copy, key, {
        value: this.copy(item, [...path, key]),
        configurable: true,
        enumerable: true,
        writable: true,
      });
    }
    return copy;
  }

  #count(size: number): void {
    this.#size += size;
    if (this.#size > this.#limits.maxBytes) throw new TooLarge(`over ${this.#size} bytes`);
  }
}

function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") {
    const name: unknown = Object.getPrototypeOf(value)?.constructor?.name;
    return typeof name === "string" && name !== "Object" ? `a ${name}` : "an object";
  }
  return value === undefined ? "undefined" : `a ${typeof value}`;
}

function label(path: readonly (string | number)[]): string {
  return path.length === 0 ? "the arguments" : `\`${path.join(".")}\``;
}

function refused(path: readonly (string | number)[], message: string): ArgumentsReading {
  const pointer = path
    .map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
  return {
    ok: false,
    errorCode: "validation",
    issue: { pointer, path, keyword: "type", message },
  };
}

function tooLarge(found: string, limits: ArgumentLimits): ArgumentsReading {
  return {
    ok: false,
    errorCode: "too_large",
    message: `the arguments are too large (${found}): at most ${limits.maxBytes} bytes of JSON and ${limits.maxDepth} levels`,
  };
}
