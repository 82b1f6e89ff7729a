import type { JsonObject } from "../connection.ts";
import { type Delivery, MCPTransportError } from "../errors.ts";
import { withDelivery } from "./flight.ts";

/** Why a session ended; without a reason it was closed by its owner. */
export interface SessionEnd {
  readonly reason?: MCPTransportError;
}

export function endError(
  { reason }: SessionEnd,
  label: string,
  delivery: Delivery,
): MCPTransportError {
  if (reason === undefined) {
    return new MCPTransportError("closed", `${label}: the connection was closed`, { delivery });
  }
  if (delivery !== "not_sent" && reason.code === "limit") {
    // Whose answer the message over the limit was, if it was one, is not known: the cause says so.
    return new MCPTransportError("limit", reason.message, { cause: reason, delivery });
  }
  if (delivery !== "not_sent") return withDelivery(reason, delivery);
  return new MCPTransportError("closed", `${label}: the connection had ended`, {
    cause: reason,
    delivery,
  });
}

export function sendError(label: string, error: unknown): MCPTransportError {
  if (error instanceof MCPTransportError) return error;
  return new MCPTransportError("network", `${label}: could not be sent`, { cause: error });
}

export function engineError(label: string, cause: unknown): MCPTransportError {
  if (!(cause instanceof MCPTransportError)) {
    return new MCPTransportError("closed", `${label}: the engine gave up`, { cause });
  }
  const { code, delivery } = cause;
  return new MCPTransportError(code, `${label}: ${cause.message}`, {
    cause,
    ...(delivery !== undefined && { delivery }),
  });
}

export function abortedBefore(label: string, { reason }: AbortSignal): MCPTransportError {
  const message = `${label}: the caller's signal had ended it before`;
  return new MCPTransportError("aborted", message, { delivery: "not_sent", cause: reason });
}

/** @throws MCPTransportError `config` for params that JSON cannot carry */
export function messageText(message: JsonObject): string {
  try {
    return JSON.stringify(message);
  } catch (cause) {
    throw new MCPTransportError("config", "the params cannot be written as JSON", {
      cause,
      field: "params",
      delivery: "not_sent",
    });
  }
}
