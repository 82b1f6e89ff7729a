/**
 * Whether judging a value takes no more than some number of evaluations, where each of its parts is
 * judged a bounded number of times. A value that throws when it is read is not small.
 */
export function isSmallWork(
  value: unknown,
  evaluationsOfEach: number,
  evaluationsInAll: number,
): boolean {
  try {
    return hasAtMost(value, evaluationsInAll / evaluationsOfEach);
  } catch {
    return false;
  }
}

/** Long texts count as several parts. */
function hasAtMost(value: unknown, parts: number): boolean {
  let left = parts;
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const part = pending.pop();
    left -= typeof part === "string" ? 1 + part.length / UNITS_PER_PART : 1;
    if (left < 0) return false;
    if (typeof part !== "object" || part === null) continue;
    const inside: readonly unknown[] = Array.isArray(part) ? part : Object.values(part);
    if (inside.length > left) return false;
    for (const inner of inside) pending.push(inner);
  }
  return true;
}

/** UTF-16 units of a text that are gone through in the time of one evaluation. */
const UNITS_PER_PART = 16;
