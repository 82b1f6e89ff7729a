import { isObject } from "./json.ts";

/**
 * A text that two JSON values share if and only if they are equal. Nothing of a value is called, so
 * a property `toString` or `valueOf` is one like any other.
 */
export function canonical(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  // Makes 0 of -0.
  if (typeof value === "number") return String(value + 0);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return `${typeof value} ${String(value)}`;
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

/** Whether a value equals one of several. */
export function memberTest(members: readonly unknown[]): (value: unknown) => boolean {
  const scalars = new Set(members.filter((member) => !isContainer(member)));
  const containers = new Set(members.filter(isContainer).map(canonical));
  return (value) =>
    isContainer(value)
      ? containers.size > 0 && containers.has(canonical(value))
      : scalars.has(value);
}

function isContainer(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** The first item that equals an earlier one, and that one. */
export function firstRepeat(
  items: readonly unknown[],
): { readonly i: number; readonly j: number } | undefined {
  const seen = new Map<string, number>();
  for (const [i, item] of items.entries()) {
    const text = canonical(item);
    const j = seen.get(text);
    if (j !== undefined) return { i, j };
    seen.set(text, i);
  }
  return undefined;
}
