import assert from "node:assert/strict";
import {
  type Cell,
  failures,
  kinds,
  mismatch,
  type Phase,
  phasesOf,
  runCell,
} from "../test/recovery-matrix.ts";

// Every cell on a real server; the table is the one in docs/recovery.md.
const header = ["lost", "while", ...kinds];
const line = (cells: readonly string[]) => console.log(`| ${cells.join(" | ")} |`);
const text = (phase: Phase, { outcomes, ran, next }: Cell) => {
  const came = [...new Set(outcomes)].join("; ");
  return phase === "idle" ? `next: ${next}` : `${came}; ran ${ran}×; next: ${next}`;
};

line(header);
line(header.map(() => "---"));
let passed = 0;
for (const failure of failures) {
  for (const phase of phasesOf(failure)) {
    const cells = await Promise.all(
      kinds.map(async (kind) => {
        const cell = await runCell(failure, phase, kind);
        const wrong = mismatch(cell, failure.expected(phase, kind));
        assert.equal(wrong, undefined, `${failure.name}, ${phase}, ${kind}: ${wrong}`);
        passed += 1;
        return text(phase, cell);
      }),
    );
    line([failure.name, phase, ...cells]);
  }
}
console.log(`\n${passed} cells, each as expected`);
