import { AdapterMCPError } from "./errors.ts";

export type Method = (...args: readonly unknown[]) => unknown;

/** A method of a foreign object, bound to it, if there is one of that name; none of what is no object. */
export function methodOf(target: object, name: string): Method | undefined {
  const found: unknown = Object(target) === target ? Reflect.get(target, name) : undefined;
  return typeof found === "function" ? (...args) => Reflect.apply(found, target, args) : undefined;
}

/**
 * @param whose what a message calls the object
 * @throws AdapterMCPError `invalid_port`
 */
export function requiredMethod(target: object, name: string, whose: string): Method {
  const method = methodOf(target, name);
  if (method !== undefined) return method;
  throw new AdapterMCPError("invalid_port", `@x/adapter-mcp: ${whose} has no method ${name}()`);
}

/** How many parameters a method declares; 0 behind most proxies. */
export function arityOf(target: object, name: string): number {
  const found: unknown = Reflect.get(target, name);
  return typeof found === "function" ? found.length : 0;
}
