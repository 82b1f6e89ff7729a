import { context } from "./context.ts";
import type { Setter } from "./contract.ts";
import { assertJson, cloneJson, sameJson } from "./json.ts";

/** A slot that survives reborn. What goes in and what comes out are copies. */
export function equipMemory<T>(key: string, initial: T): [T, Setter<T>] {
  const { memory } = context();
  if (!memory.has(key)) memory.set(key, cloneJson(initial, "equipMemory"));
  const read = () => cloneJson(memory.get(key) as T, "equipMemory");
  const set: Setter<T> = (next) => {
    const value = typeof next === "function" ? (next as (previous: T) => T)(read()) : next;
    memory.set(key, cloneJson(value, "equipMemory"));
  };
  return [read(), set];
}

interface Memo<T> {
  readonly deps: readonly unknown[];
  readonly value: T;
}

/** One slot a key. Calls that overlap know nothing of each other; a failed factory leaves no trace. */
export async function equipMemo<T>(
  key: string,
  factory: () => Promise<T> | T,
  deps: readonly unknown[],
): Promise<T> {
  assertJson(deps, `equipMemo("${key}") deps`);
  const [held, hold] = equipMemory<Memo<T> | null>(`memo:${key}`, null);
  if (held && sameJson(held.deps, deps)) return held.value;
  const value = await factory();
  hold({ deps, value });
  return value;
}
