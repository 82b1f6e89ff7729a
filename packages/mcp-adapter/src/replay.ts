import type { MCPTransportError } from "@x/mcp-transport";
import type { ToolCapability } from "./ports.ts";

/**
 * When a call is sent again after the connection was lost under it.
 *
 * - `never`
 * - `safe`: if it provably never ran, or if an override or the hints of a trusted server say that
 *   the tool is read-only or idempotent
 * - a function: asked instead where the call may have run; what provably never ran is always sent
 *   again
 */
export type ReplayPolicy =
  | "never"
  | "safe"
  | ((tool: string, capability: ToolCapability) => boolean);

/** The reason why a call may be sent again, if there is one. */
export function replayReason(
  policy: ReplayPolicy,
  error: MCPTransportError,
  tool: string,
  capability: ToolCapability,
): "not_sent" | "refused" | "policy" | undefined {
  // A status is an answer, whatever it says about the session.
  if (policy === "never" || error.code === "http") return undefined;
  if (error.delivery === "not_sent" || error.delivery === "refused") return error.delivery;
  const allowed = policy === "safe" ? mayRunTwice(capability) : policy(tool, capability) === true;
  return allowed ? "policy" : undefined;
}

/** A name alone is never enough: only evidence that is trusted counts. */
function mayRunTwice({ readOnly, idempotent, because }: ToolCapability): boolean {
  return because.some(
    ({ about, says, trusted }) =>
      trusted &&
      says &&
      ((about === "readOnly" && readOnly) || (about === "idempotent" && idempotent === true)),
  );
}
