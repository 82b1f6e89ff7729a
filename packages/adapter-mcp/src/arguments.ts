import { isObject } from "./json.ts";

const MAX_BYTES = 1_000_000;
const MAX_DEPTH = 64;

/** Why a value cannot be the arguments of a call, whatever the schema says. */
export function faultOf(value: unknown): string | undefined {
  if (!isObject(value)) return "the arguments must be an object";
  try {
    return excessOf(value);
  } catch {
    return "the arguments throw when they are read";
  }
}

function excessOf(value: object): string | undefined {
  const pending: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 1 }];
  let size = 0;
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    size += typeof at.value === "string" ? at.value.length : 1;
    if (size > MAX_BYTES) return `the arguments are too large: at most ${MAX_BYTES} bytes`;
    if (typeof at.value !== "object" || at.value === null) continue;
    if (at.depth > MAX_DEPTH) return `the arguments are too deep: at most ${MAX_DEPTH} levels`;
    for (const [key, inner] of Object.entries(at.value)) {
      size += key.length;
      pending.push({ value: inner, depth: at.depth + 1 });
    }
  }
  return undefined;
}
