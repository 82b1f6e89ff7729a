import { unknown } from "zod";
import { type Method, methodOf } from "./client-method.ts";

/** Takes any answer, in both SDKs; whether it is one is looked at here. */
export const anything: unknown = unknown();

/**
 * `client.request`, where `name` is the SDK's own method. That method would throw away an answer
 * that it cannot read, or that breaks an output schema, after the server has done the work. What
 * the application has put in its place (a proxy, a spy, a subclass) is not passed over.
 */
export function bareRequest(client: object, name: string): Method | undefined {
  const owner = ownerOf(client, name);
  if (owner === undefined || owner !== ownerOf(client, "getServerCapabilities")) return undefined;
  const isUntouched = Reflect.get(client, name) === Reflect.get(owner, name);
  return isUntouched && owner !== client ? methodOf(client, "request") : undefined;
}

/** The object of the prototype chain that holds a property. */
function ownerOf(object: object, name: string): object | undefined {
  let at: object | null = object;
  while (at !== null && !Object.hasOwn(at, name)) at = Object.getPrototypeOf(at);
  return at ?? undefined;
}

/** A schema that keeps what it is given, so that an answer survives what is thrown after it. */
export function recorder(): { readonly schema: unknown; seen(): { value: unknown } | undefined } {
  let seen: { value: unknown } | undefined;
  const schema = unknown().transform((value) => {
    seen = { value };
    return value;
  });
  return { schema, seen: () => seen };
}
