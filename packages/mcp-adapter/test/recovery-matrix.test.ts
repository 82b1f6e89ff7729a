import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { engines } from "./engine-adapter.ts";
import { runCell } from "./recovery-cell.ts";
import { failures, kinds, matrixTable, mismatch, phases } from "./recovery-matrix.ts";

/** What is quick, and not alike for two rows or kinds; `npm run matrix` runs all of it. */
const slow = ["http: gone, then refuses", "http: half-open"];
const alike = ["stdio: exits with 1", "stdio: exits with 0"];
const rows = failures.filter(({ name }) => ![...slow, ...alike].includes(name));
const cells = phases.flatMap((phase) =>
  (["read-only", "plain"] as const).flatMap((kind) =>
    engines.map((engine) => ({ phase, kind, engine })),
  ),
);

describe.concurrent.each(rows)("$name", (failure) => {
  it.each(cells)("$phase, $kind, engine $engine", async ({ phase, kind, engine }) => {
    const cell = await runCell(engine, failure, phase, kind);
    const wrong = mismatch(cell, failure.expected(phase, kind), phase);
    expect([cell, wrong]).toEqual([cell, undefined]);
  });
});

describe("the table", () => {
  it.each(["../../../docs/recovery.md", "../README.md"])(
    "stands in %s as it is printed",
    (page) => {
      expect(readFileSync(new URL(page, import.meta.url), "utf8")).toContain(
        `\n${matrixTable()}\n`,
      );
    },
  );

  it("says of read-only what it says of idempotent, and of one call what it says of three", () => {
    for (const { expected } of failures) {
      expect(expected("one call", "idempotent")).toEqual(expected("one call", "read-only"));
      for (const kind of kinds) {
        expect(expected("three calls", kind)).toEqual(expected("one call", kind));
        expect(expected("idle", kind)).toEqual(expected("idle", "plain"));
        expect(expected("discovery", kind)).toEqual(expected("discovery", "plain"));
      }
    }
  });
});
