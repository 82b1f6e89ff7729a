import { compileSchema as evalFree } from "../src/eval-free.ts";
import { compileSchema } from "../src/index.ts";

/** Both engines have to give the same verdicts, refusals and words. */
export const engines: readonly (readonly [string, typeof compileSchema])[] = [
  ["ajv", compileSchema],
  ["eval-free", evalFree],
];
