import { arityOf, methodOf } from "./client-method.ts";
import type { CallStyle } from "./kit.ts";

/**
 * What a client is, told by what it has: an SDK's (`sdk1`, `sdk2`), one that follows the form of
 * SDK v2 (`like2`, as `adapter.client` does), one of `toClientFacade`, or anything else.
 */
export type ClientKind = "sdk1" | "sdk2" | "like2" | "facade" | "foreign";

/** Registered, so that two copies of this package know each other's facades. */
export const facadeMark: symbol = Symbol.for("@x/adapter-mcp/facade");

export function kindOf(client: object): ClientKind {
  const has = (name: string) => methodOf(client, name) !== undefined;
  if (Reflect.get(client, facadeMark) === true) return "facade";
  if (has("getNegotiatedProtocolVersion")) return has("request") ? "sdk2" : "like2";
  return has("getServerCapabilities") && has("request") ? "sdk1" : "foreign";
}

/** How a method of a client takes its arguments. */
export function styleOf(
  client: object,
  method: "callTool" | "readResource" | "getPrompt",
  given: CallStyle | undefined,
): CallStyle {
  const kind = kindOf(client);
  if (kind === "facade") return "positional";
  if (given !== undefined) return given;
  if (kind !== "foreign") return "object";
  const usual = arityOf(client, "callTool") >= 2 ? "positional" : "object";
  if (method !== "getPrompt") return usual;
  const arity = arityOf(client, "getPrompt");
  if (arity === 0) return usual;
  return arity >= 2 ? "positional" : "object";
}
