/** Freezes plain data of any depth; it may hold itself. */
export function freezeDeep<T extends object>(data: T): T {
  const pending: unknown[] = [data];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (typeof at !== "object" || at === null || Object.isFrozen(at)) continue;
    Object.freeze(at);
    for (const inner of Object.values(at)) if (inner !== undefined) pending.push(inner);
  }
  return data;
}
