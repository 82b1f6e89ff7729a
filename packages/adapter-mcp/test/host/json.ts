import { isDeepStrictEqual } from "node:util";

/** Why a value is not JSON: where, and what stands there. */
export interface NotJson {
  readonly path: string;
  readonly reason: string;
}

export function findNotJson(
  value: unknown,
  path = "",
  parents: readonly object[] = [],
): NotJson | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return;
  if (typeof value === "number") {
    return Number.isFinite(value) ? undefined : { path, reason: "Infinity/NaN" };
  }
  if (typeof value !== "object") return { path, reason: typeof value };
  if (parents.includes(value)) return { path, reason: "circular reference" };
  if (!isPlain(value)) return { path, reason: `class:${value.constructor?.name ?? "unknown"}` };
  for (const [key, item] of Object.entries(value)) {
    const within = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
    const found = findNotJson(item, within, [...parents, value]);
    if (found) return found;
  }
  return;
}

function isPlain(value: object): boolean {
  return Array.isArray(value) || [null, Object.prototype].includes(Object.getPrototypeOf(value));
}

/** @throws TypeError if the value is not JSON; `undefined` is not */
export function assertJson(value: unknown, site: string): void {
  const found = findNotJson(value);
  if (found) throw new TypeError(`${site}: not JSON at "${found.path}" (${found.reason})`);
}

export function cloneJson<T>(value: T, site: string): T {
  assertJson(value, site);
  return JSON.parse(JSON.stringify(value));
}

export function sameJson(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other);
}
