import { MCPAdapterError } from "./errors.ts";

const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** @throws MCPAdapterError `config` unless `value` is missing or a number of milliseconds */
export function readTimeout(value: unknown, field: string): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" && value > 0 && value <= MAX_TIMEOUT_MS) return value;
  throw new MCPAdapterError(
    "config",
    `${field} must be a number of milliseconds from above 0 to ${MAX_TIMEOUT_MS}, got ${describe(value)}`,
  );
}

/** @throws MCPAdapterError `config` if `value` is there and no object, naming what belongs there */
export function readOptions<Options extends object>(
  value: Options | undefined,
  method: string,
): Options | Record<string, never> {
  if (value === undefined) return {};
  if (typeof value === "object" && value !== null) return value;
  throw new MCPAdapterError(
    "config",
    `${method} takes an options object, such as { timeoutMs: 10_000 }, got ${describe(value)}`,
  );
}

function describe(value: unknown): string {
  return typeof value === "number" ? String(value) : `a ${value === null ? "null" : typeof value}`;
}
