/** What of a value some keyword has judged: `unevaluatedProperties` and its like take the rest. */
export interface Seen {
  readonly names: Set<string>;
  readonly indexes: Set<number>;
  /** All items before this index. */
  upTo: number;
}

export function nothingSeen(): Seen {
  return { names: new Set(), indexes: new Set(), upTo: 0 };
}

export function addSeen(to: Seen | undefined, from: Seen | undefined): void {
  if (to === undefined || from === undefined) return;
  for (const name of from.names) to.names.add(name);
  for (const index of from.indexes) to.indexes.add(index);
  to.upTo = Math.max(to.upTo, from.upTo);
}

export function seeItems(seen: Seen | undefined, upTo: number): void {
  if (seen !== undefined) seen.upTo = Math.max(seen.upTo, upTo);
}
