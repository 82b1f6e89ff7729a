import { engines } from "../test/engine-adapter.ts";
import { runCell } from "../test/recovery-cell.ts";
import { failures, kinds, matrixTable, mismatch, phases } from "../test/recovery-matrix.ts";

// Every cell on a real server, several at a time since most of them wait; then the table of
// docs/recovery.md. `npm run matrix [part of a row's name]`
const atATime = 6;
const part = process.argv[2] ?? "";

const cells = failures
  .filter(({ name }) => name.includes(part))
  .flatMap((failure) => phases.flatMap((phase) => kinds.map((kind) => ({ failure, phase, kind }))))
  .flatMap((cell) => engines.map((engine) => ({ ...cell, engine })));

const startedAt = performance.now();
const wrong: string[] = [];
const waiting = cells.values();

async function work(): Promise<void> {
  for (const { engine, failure, phase, kind } of waiting) {
    const label = `${failure.name}, ${phase}, ${kind}, engine ${engine}`;
    try {
      const cell = await runCell(engine, failure, phase, kind);
      const why = mismatch(cell, failure.expected(phase, kind), phase);
      if (why !== undefined) wrong.push(`${label}: ${why}: ${JSON.stringify(cell)}`);
    } catch (error) {
      wrong.push(`${label}: ${error}`);
    }
  }
}

await Promise.all(Array.from({ length: atATime }, work));
const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
console.log(matrixTable());
console.log(
  `\n${cells.length - wrong.length} of ${cells.length} cells as expected, over the engines ${engines.join(" and ")}, in ${seconds} s`,
);
for (const line of wrong) console.log(`  ${line}`);
if (wrong.length > 0) process.exitCode = 1;
