/** A plain object: its prototype is `null` or an `Object.prototype`, of whichever realm. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

export type Container = Record<string, unknown> | unknown[];

function isContainer(value: unknown): value is Container {
  return Array.isArray(value) || isRecord(value);
}

function entriesOf(container: Container): [string, unknown][] {
  return Object.entries(container);
}

/**
 * Copies arrays and plain objects, however deep, shared or cyclic; anything else (a `Date`, a class
 * instance) is taken over as it is. A getter becomes its value and may throw here.
 */
export function copyData<T>(value: T): T {
  const copies = new Map<Container, Container>();
  const pending: Container[] = [];
  const copyOf = (original: unknown): unknown => {
    if (!isContainer(original)) return original;
    const known = copies.get(original);
    if (known) return known;
    const copy: Container = Array.isArray(original) ? new Array(original.length) : {};
    copies.set(original, copy);
    pending.push(original);
    return copy;
  };
  const root = copyOf(value);
  for (let from = pending.pop(); from !== undefined; from = pending.pop()) {
    const to = copies.get(from) ?? {};
    for (const [key, item] of entriesOf(from)) setOwn(to, key, copyOf(item));
  }
  return root as T;
}

/** Sets an own property even where the key is `__proto__`. */
export function setOwn(target: Container, key: string, value: unknown): void {
  if (key !== "__proto__") {
    Reflect.set(target, key, value);
    return;
  }
  const own = { value, writable: true, enumerable: true, configurable: true };
  Object.defineProperty(target, key, own);
}

/** Deep equality of arrays and plain objects, in any key order; all else is compared by identity. */
export function sameData(left: unknown, right: unknown): boolean {
  const compared = new Map<Container, Container>();
  const pending: [unknown, unknown][] = [[left, right]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [a, b] = pair;
    if (Object.is(a, b)) continue;
    if (!isContainer(a) || !isContainer(b) || !sameShape(a, b)) return false;
    if (compared.get(a) === b) continue;
    compared.set(a, b);
    for (const [key, item] of entriesOf(a)) pending.push([item, Reflect.get(b, key)]);
  }
  return true;
}

function sameShape(a: Container, b: Container): boolean {
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  }
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key));
}

/** Freezes arrays and plain objects all the way down. */
export function freezeData<T>(value: T): T {
  const pending: unknown[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!isContainer(next) || Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const item of Object.values(next)) if (item !== undefined) pending.push(item);
  }
  return value;
}

/**
 * A frozen copy as JSON carries it.
 *
 * @throws what `JSON.stringify` throws: the value is cyclic, too deep, a bigint, or throws itself
 */
export function jsonData(value: Record<string, unknown>): Record<string, unknown> {
  return freezeData(JSON.parse(JSON.stringify(value)) as Record<string, unknown>);
}
