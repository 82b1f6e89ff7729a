import type { JsonObject, Page, Progress } from "../connection.ts";
import { MCPTransportError } from "../errors.ts";
import { isObject } from "./handshake.ts";

/** Asked for a version it does not speak; the protocol's own code since 2026-07-28. */
const unsupportedProtocolVersion = -32022;

/** @returns the result as it came, or an error `rpc`, `invalid_result` or `unsupported` */
export function readAnswer(
  label: string,
  answer: JsonObject,
  redact: (text: string) => string,
): JsonObject | MCPTransportError {
  const { result, error } = answer;
  if (error !== undefined && error !== null) return readError(label, error, redact);
  if (isObject(result)) return result;
  return new MCPTransportError("invalid_result", `${label}: the result is not an object`);
}

/** What an answer of 2026-07-28 is beside an error. */
export type ModernAnswer =
  | { readonly kind: "complete"; readonly result: JsonObject }
  | { readonly kind: "input_required"; readonly result: JsonObject };

/** What the server needs was not offered; the protocol's own code since 2026-07-28. */
const missingCapability = -32021;

/** Reads `resultType`, which is not part of the result proper; without it, the result is complete. */
export function readModernAnswer(
  label: string,
  answer: JsonObject | MCPTransportError,
): ModernAnswer | MCPTransportError {
  if (answer instanceof MCPTransportError) {
    if (answer.rpcCode !== missingCapability) return answer;
    const { message, cause, code: _, ...fields } = answer;
    return new MCPTransportError("unsupported", message, { ...fields, cause });
  }
  const { resultType = "complete", ...result } = answer;
  if (resultType === "complete" || resultType === "input_required") {
    return { kind: resultType, result };
  }
  const shown =
    typeof resultType === "string" ? JSON.stringify(resultType.slice(0, 40)) : "unknown";
  return new MCPTransportError("invalid_result", `${label}: the result is of type ${shown}`);
}

export const tooNew =
  'the server speaks only protocol version 2026-07-28 or later; that needs engine v2: set protocol "auto" or "2026-07-28"';

function readError(
  label: string,
  error: unknown,
  redact: (text: string) => string,
): MCPTransportError {
  if (!isObject(error)) {
    const shown = typeof error === "string" ? `: ${redact(error).slice(0, 200)}` : "";
    return new MCPTransportError("invalid_result", `${label}: the error is not an object${shown}`);
  }
  const { code, message, data } = error;
  const text = typeof message === "string" ? redact(message) : "an error without a message";
  if (code === unsupportedProtocolVersion) {
    return new MCPTransportError("unsupported", `${label}: ${text}; ${tooNew}`, {
      rpcCode: code,
      rpcMessage: text,
      ...(data !== undefined && { rpcData: data }),
    });
  }
  return new MCPTransportError("rpc", `${label}: ${text}`, {
    rpcMessage: text,
    ...(typeof code === "number" && { rpcCode: code }),
    ...(data !== undefined && { rpcData: data }),
  });
}

/** @throws MCPTransportError `invalid_result`; a page that ends too early is never made up */
export function readPage(label: string, key: string, result: JsonObject): Page {
  const { [key]: items, nextCursor, ttlMs, cacheScope } = result;
  if (!Array.isArray(items)) throw invalidPage(label, `"${key}" is not a list`);
  if (nextCursor !== undefined && nextCursor !== null && typeof nextCursor !== "string") {
    throw invalidPage(label, '"nextCursor" is not a string');
  }
  return {
    items,
    ...(typeof nextCursor === "string" && { nextCursor }),
    ...(typeof ttlMs === "number" && { ttlMs }),
    ...((cacheScope === "public" || cacheScope === "private") && { cacheScope }),
  };
}

function invalidPage(label: string, what: string): MCPTransportError {
  // The server answered, so it has run whatever there was to run.
  return new MCPTransportError("invalid_result", `${label}: ${what}`, { delivery: "unknown" });
}

/** @returns nothing if the server sent no progress but something else */
export function readProgress(params: JsonObject): Progress | undefined {
  const { progress, total, message } = params;
  if (typeof progress !== "number") return undefined;
  return {
    progress,
    ...(typeof total === "number" && { total }),
    ...(typeof message === "string" && { message }),
  };
}
