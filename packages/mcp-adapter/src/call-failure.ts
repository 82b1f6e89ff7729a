import { MCPTransportError } from "@x/mcp-transport";
import { ClockStopped } from "./clock.ts";
import { MCPConnectionError, MCPNotConnectedError, messageOf } from "./errors.ts";
import type { Failure } from "./result.ts";

/**
 * What an error means to the caller of a tool: which code, and whether the tool ran.
 *
 * @param phase `waiting`: the call itself was not handed to the connection yet, so it did not run
 */
export function callFailure(error: unknown, phase: "waiting" | "calling"): Failure {
  if (error instanceof ClockStopped) {
    return error.end === "timeout" ? timedOut("no") : cancelled("no");
  }
  if (error instanceof MCPConnectionError) {
    return error.code === "unauthorized"
      ? { errorCode: "unauthorized", error: error.message, ran: "no" }
      : { errorCode: "unavailable", error: `unavailable: ${error.message}`, ran: "no" };
  }
  if (error instanceof MCPNotConnectedError) {
    return error.state === "closing" || error.state === "closed"
      ? { errorCode: "cancelled", error: "cancelled: disconnected before it was sent", ran: "no" }
      : { errorCode: "unavailable", error: `unavailable: ${error.message}`, ran: "no" };
  }
  if (!(error instanceof MCPTransportError)) {
    const ran = phase === "waiting" ? "no" : "unknown";
    return { errorCode: "protocol", error: messageOf(error), ran };
  }
  return transportFailure(error, phase);
}

function transportFailure(error: MCPTransportError, phase: "waiting" | "calling"): Failure {
  const unsent = error.delivery === "not_sent" || error.delivery === "refused";
  const sent = unsent || phase === "waiting" ? "no" : "unknown";
  const { message } = error;
  switch (error.code) {
    case "timeout":
      return timedOut(sent);
    case "aborted":
      return cancelled(sent);
    case "unauthorized":
      return { errorCode: "unauthorized", error: message, ran: "no" };
    case "unsupported":
      // A server may find out in the middle of a call what the client cannot give.
      return { errorCode: "unsupported", error: message, ran: sent };
    case "limit":
      return { errorCode: "too_large", error: message, ran: ranBeyond(error, sent) };
    case "rpc":
      return {
        errorCode: "protocol",
        error: `JSON-RPC error ${error.rpcCode}: ${message}`,
        ran: sent,
      };
    case "http":
      return { errorCode: "protocol", error: message, ran: sent };
    case "invalid_result":
      return { errorCode: "protocol", error: message, ran: sent };
    default:
      return sent === "no"
        ? { errorCode: "unavailable", error: `unavailable: ${message}`, ran: "no" }
        : {
            errorCode: "outcome_unknown",
            error: `outcome unknown: the connection was lost after the call was sent (${message})`,
            ran: "unknown",
          };
  }
}

/** An answer over the limit is one; a connection that ended over the limit may not have held it. */
function ranBeyond(error: MCPTransportError, sent: "no" | "unknown"): "no" | "yes" | "unknown" {
  if (sent === "no") return "no";
  return error.cause instanceof MCPTransportError ? "unknown" : "yes";
}

function timedOut(ran: "no" | "unknown"): Failure {
  return { errorCode: "timeout", error: "timeout: the deadline passed", ran };
}

function cancelled(ran: "no" | "unknown"): Failure {
  return { errorCode: "cancelled", error: "cancelled by the caller", ran };
}
