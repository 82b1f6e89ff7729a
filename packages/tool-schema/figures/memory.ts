/**
 * Prints how many bytes stay behind when 600 schemas of more than 20 kB each were compiled, used and
 * let go. A program of its own, because the profiler of a test run keeps all code that it saw.
 */
import { compileSchema } from "../src/index.ts";

const collectGarbage = (globalThis as { gc?: () => void }).gc;
if (collectGarbage === undefined) throw new Error("run with --expose-gc");

function use(from: number, to: number): void {
  for (let index = from; index < to; index += 1) {
    const schema = {
      $id: `https://h.example/${index}`,
      description: `${index} `.repeat(5_000),
      properties: { [`name ${index}`]: { type: "string", pattern: `^${index}$` } },
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
    };
    compileSchema(schema).validate({ [`name ${index}`]: 1 });
  }
}

function heapUsed(): number {
  collectGarbage?.();
  collectGarbage?.();
  return process.memoryUsage().heapUsed;
}

use(0, 100);
const before = heapUsed();
use(100, 700);
process.stdout.write(String(heapUsed() - before));
