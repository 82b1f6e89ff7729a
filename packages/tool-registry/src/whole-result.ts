import { isContentBlock } from "./content.ts";
import { isRecord } from "./data.ts";
import type { Ran, ToolErrorCode, ToolResult } from "./result.ts";

const ERROR_CODES: ReadonlySet<unknown> = new Set<ToolErrorCode>([
  "not_found",
  "no_longer_available",
  "validation",
  "schema",
  "denied",
  "overloaded",
  "too_large",
  "timeout",
  "cancelled",
  "tool_error",
  "server_error",
  "protocol",
  "outcome_unknown",
  "unavailable",
  "unauthorized",
  "unsupported",
]);

const RAN: ReadonlySet<unknown> = new Set<Ran>(["no", "yes", "unknown"]);

/** Whether a value is a whole {@link ToolResult}. May throw what a getter throws. */
export function isToolResult(value: unknown): value is ToolResult {
  if (!isRecord(value)) return false;
  const { success, error, errorCode, data, content, warnings, durationMs, ran } = value;
  if (!isRecord(data) || !Array.isArray(content) || !Array.isArray(warnings)) return false;
  if (!content.every(isContentBlock) || typeof durationMs !== "number") return false;
  if (success === true) return error === null && errorCode === null;
  return (
    success === false && typeof error === "string" && ERROR_CODES.has(errorCode) && RAN.has(ran)
  );
}
