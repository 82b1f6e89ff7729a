import { isObject } from "./json.ts";

const MAX_VALUE = 60;
const MAX_NAME = 80;
const MAX_LISTED = 10;
const MAX_DEPTH = 3;

/** A value as JSON, cut to about 60 characters; huge, deep and cyclic values cost no more. */
export function preview(value: unknown): string {
  try {
    return cut(write(value, 0), MAX_VALUE);
  } catch {
    return "something that cannot be read";
  }
}

function write(value: unknown, depth: number): string {
  if (typeof value === "string") return JSON.stringify(cut(value, MAX_VALUE));
  if (typeof value === "bigint") return `${value}n`;
  if (Array.isArray(value)) {
    if (depth >= MAX_DEPTH) return "[…]";
    return `[${value
      .slice(0, MAX_LISTED)
      .map((item) => write(item, depth + 1))
      .join(",")}${value.length > MAX_LISTED ? ",…" : ""}]`;
  }
  if (!isObject(value)) return String(value);
  if (depth >= MAX_DEPTH) return "{…}";
  const keys = Object.keys(value);
  const shown = keys.slice(0, MAX_LISTED).map((key) => {
    return `${JSON.stringify(cut(key, MAX_NAME))}:${write(value[key], depth + 1)}`;
  });
  return `{${[...shown, ...(keys.length > MAX_LISTED ? ["…"] : [])].join(",")}}`;
}

/** Several texts, the first ten of them, and how many more there are. */
export function listed(texts: readonly string[]): string {
  const more = texts.length - MAX_LISTED;
  const shown = texts.slice(0, MAX_LISTED).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}

export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** How a message calls the value at a path: `lines[0].qty`. */
export function nameOf(path: readonly (string | number)[]): string {
  if (path.length === 0) return "the value";
  let name = "";
  for (const key of path) {
    if (typeof key === "number") name += `[${key}]`;
    else if (/^[\w$-]+$/.test(key)) name += name === "" ? key : `.${key}`;
    else name += `[${JSON.stringify(cut(key, MAX_NAME))}]`;
  }
  // The end says more than the beginning.
  return `\`${name.length > MAX_NAME ? `…${name.slice(1 - MAX_NAME)}` : name}\``;
}
