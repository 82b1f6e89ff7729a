import { describe, expect, it } from "vitest";
import { failures, kinds, mismatch, phasesOf, runCell } from "./recovery-matrix.ts";

/** The quick cells; `npm run matrix` runs all of them. */
const quick = ["stdio: kill -9", "http: restarted on its port", "http: 404 to the session"].concat([
  "http: 400 to the session",
  "http: answer stream cut",
  "http: 401",
]);

describe.each(failures.filter(({ name }) => quick.includes(name)))("$name", (failure) => {
  const cells = phasesOf(failure).flatMap((phase) => kinds.map((kind) => ({ phase, kind })));
  it.each(cells)("$phase, $kind", async ({ phase, kind }) => {
    const cell = await runCell(failure, phase, kind);
    expect([cell, mismatch(cell, failure.expected(phase, kind))]).toEqual([cell, undefined]);
  });
});
