/** Prints what guarding, compiling and judging cost, beside other validators: `npm run bench`. */
import { readFileSync } from "node:fs";
import { type Schema, Validator } from "@cfworker/json-schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as z from "zod";
import { compileSchema as evalFree } from "../src/eval-free.ts";
import { type CompiledSchema, compileSchema, ToolSchemaError } from "../src/index.ts";
import { samplesFor } from "../test/samples.ts";
import type { JsonSchemaObject } from "../test/schema-object.ts";
import { attacks } from "./attacks.ts";
import { loadInstalled } from "./installed.ts";

const rows = JSON.parse(
  readFileSync(new URL("../test/fixtures/real-tools.json", import.meta.url), "utf8"),
) as { tool: { inputSchema: JsonSchemaObject } }[];
const schemas = rows.map(({ tool }) => tool.inputSchema);
const args = schemas.map((schema) => samplesFor(schema)[0]?.value);

type Judge = (value: unknown) => unknown;

function timed(run: () => void): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Microseconds that one judgement takes, the median over tools of a mean over many. */
function judging(judges: readonly (Judge | undefined)[], rounds: number): string {
  const means = judges.flatMap((judge, index) => {
    if (judge === undefined) return [];
    const value = args[index];
    judge(value);
    const ms = timed(() => {
      for (let round = 0; round < rounds; round += 1) judge(value);
    });
    return [(1_000 * ms) / rounds];
  });
  return means.length === 0 ? "-" : `${median(means).toFixed(1)} µs`;
}

function orNothing(make: () => Judge): Judge | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

interface Rival {
  readonly name: string;
  readonly make: (schema: JsonSchemaObject) => Judge;
}

const rivals: readonly Rival[] = [
  {
    name: "plain Ajv, one instance for all",
    make: (() => {
      const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false });
      return ({ $schema: _, ...schema }: JsonSchemaObject & { $schema?: string }) =>
        ajv.compile(schema);
    })(),
  },
  {
    name: "cfworker",
    make: (schema) => {
      const validator = new Validator(structuredClone(schema) as Schema, "2020-12");
      return (value) => validator.validate(value);
    },
  },
  {
    name: "z.fromJSONSchema",
    make: (schema) => {
      const made = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
      return (value) => made.safeParse(value);
    },
  },
  {
    name: "zod-from-json-schema",
    make: (() => {
      const { convertJsonSchemaToZod } = loadInstalled<FromJsonSchema>("zod-from-json-schema");
      return (schema: JsonSchemaObject) => {
        const made = convertJsonSchemaToZod(schema);
        return (value: unknown) => made.safeParse(value);
      };
    })(),
  },
];

interface FromJsonSchema {
  convertJsonSchemaToZod(schema: unknown): { safeParse(value: unknown): unknown };
}

function benchOurs(name: string, compile: typeof compileSchema): void {
  let compiled: CompiledSchema[] = [];
  const guardMs = timed(() => {
    compiled = schemas.map((schema) => compile(schema));
  });
  const firstUseMs = timed(() => {
    for (const [index, { validate }] of compiled.entries()) validate(args[index]);
  });
  const cheap = compiled.map((each) => (each.cheap ? each.validate : undefined));
  const boxed = compiled.map((each) => (each.cheap ? undefined : each.validate));
  const count = cheap.filter((judge) => judge !== undefined).length;
  const all = `guard ${guardMs.toFixed(0)} ms + compile ${firstUseMs.toFixed(0)} ms`;
  const cheapFigure = `${judging(cheap, 300)} (${count} cheap tools)`;
  console.log(`${name}: ${all}; ${cheapFigure}, ${judging(boxed, 30)} in the time box`);
}

function benchRival({ name, make }: Rival): void {
  let judges: (Judge | undefined)[] = [];
  const ms = timed(() => {
    judges = schemas.map((schema) => orNothing(() => make(schema)));
    for (const [index, judge] of judges.entries()) judge?.(args[index]);
  });
  const failed = judges.filter((judge) => judge === undefined).length;
  console.log(`${name}: compile ${ms.toFixed(0)} ms, ${failed} thrown; ${judging(judges, 300)}`);
}

function heapUsed(): number {
  const { gc } = globalThis as { gc?: () => void };
  gc?.();
  gc?.();
  return process.memoryUsage().heapUsed;
}

function benchMemory(): void {
  const round = (): void => {
    for (const [index, schema] of schemas.slice(0, 100).entries()) {
      compileSchema(schema).validate(args[index]);
    }
  };
  for (let warm = 0; warm < 5; warm += 1) round();
  const before = heapUsed();
  for (let each = 0; each < 50; each += 1) round();
  const grown = (heapUsed() - before) / 1_000_000;
  console.log(`memory: ${grown.toFixed(1)} MB more after 50 rounds of 100 tools`);
}

function outcomeOf(compile: typeof compileSchema, schema: unknown, value: unknown): string {
  try {
    return compile(schema).validate(value).ok ? "accepted" : "rejected";
  } catch (error) {
    if (error instanceof ToolSchemaError) return error.code;
    throw error;
  }
}

function benchAttacks(): void {
  for (const { name, schema, value } of attacks) {
    const figures = [compileSchema, evalFree].map((compile) => {
      let outcome = "";
      const ms = timed(() => {
        outcome = outcomeOf(compile, schema, value);
      });
      return `${outcome} in ${ms.toFixed(0)} ms`;
    });
    console.log(`  ${name}: ${figures.join("; eval-free ")}`);
  }
}

console.log(`${schemas.length} real tools`);
benchOurs("compileSchema", compileSchema);
benchOurs("compileSchema of /eval-free", evalFree);
for (const rival of rivals) benchRival(rival);
benchMemory();
console.log("attacks");
benchAttacks();
