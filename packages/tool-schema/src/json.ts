export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** A key that every object inherits, such as `__proto__`, is one like any other. */
export function put(object: JsonObject, key: string, value: unknown): void {
  if (!(key in object)) {
    object[key] = value;
    return;
  }
  Object.defineProperty(object, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** A JSON pointer (RFC 6901) with one more token. */
export function pointer(base: string, token: string | number): string {
  return `${base}/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** What a message calls the kind of a value. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : typeof value;
}
