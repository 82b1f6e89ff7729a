import type { z } from "zod";
import { context, lineage } from "./context.ts";
import { HostError } from "./errors.ts";
import { assertJson } from "./json.ts";

/** Seen by this agent and its descendants until the generation ends. Values are JSON or undefined. */
export function equipScope(data: object): void {
  assertJson(withoutUndefined(data), "equipScope");
  context().draft.scopes.push(data);
}

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== undefined).map(withoutUndefined);
  if (typeof value !== "object" || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const kept = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutUndefined(item)]));
}

export function expectScope<T extends z.ZodTypeAny>(schema: T): z.infer<T> {
  const layers = [...lineage(context())].reverse().flatMap(({ draft }) => draft.scopes);
  const parsed = schema.safeParse(Object.assign({}, ...layers));
  if (parsed.success) return deepFreeze(parsed.data);
  throw new HostError("ScopeError", parsed.error.message, { cause: parsed.error });
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const item of Object.values(value)) deepFreeze(item);
  return Object.freeze(value);
}
