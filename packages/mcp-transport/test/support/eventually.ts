import { vi } from "vitest";

/** Waits until the assertion holds; also in tests that run beside others. */
export function eventually(assertion: () => void): Promise<void> {
  return vi.waitFor(assertion, { timeout: 10_000, interval: 10 });
}
