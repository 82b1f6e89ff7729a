import { MCPTransportError } from "./errors.ts";

const longestTimer = 2 ** 31 - 1;

export function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : typeof value;
}

/** Says what kind of value there is instead, never the value: it may be a secret. */
export function wrong(
  field: string,
  expected: string,
  value: unknown,
  got: string = typeName(value),
): MCPTransportError {
  return new MCPTransportError("config", `${field}: expected ${expected}, got ${got}`, {
    field,
    delivery: "not_sent",
  });
}

/** @throws MCPTransportError `config` */
export function checkTimeout(field: string, value: unknown): number {
  if (typeof value === "number" && value > 0 && value <= longestTimer) return value;
  throw wrong(field, `milliseconds above 0 and up to ${longestTimer}`, value, shown(value));
}

function shown(value: unknown): string {
  return typeof value === "number" ? String(value) : typeName(value);
}

/**
 * For what JavaScript callers may pass as options.
 * @throws MCPTransportError `config`
 */
export function checkOptions(options: unknown, timeouts: readonly string[]): void {
  if (typeof options !== "object" || options === null) {
    throw wrong(
      "options",
      `an object such as { ${timeouts[0] ?? ""}: 5000 }`,
      options,
      shown(options),
    );
  }
  const given = new Map<string, unknown>(Object.entries(options));
  for (const field of timeouts) {
    const value = given.get(field);
    if (value !== undefined) checkTimeout(field, value);
  }
  const signal = given.get("signal");
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw wrong("signal", "an AbortSignal", signal);
  }
}
