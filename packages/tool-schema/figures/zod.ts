import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import * as z3 from "zod/v3";
import * as z from "zod/v4";
import { zodToJsonSchema } from "zod-to-json-schema";
import { compileSchema } from "../src/index.ts";
import { toZod } from "../src/zod.ts";
import { toZod3 } from "../src/zod3.ts";
import { plainAjv } from "../test/plain-ajv.ts";
import { samplesFor } from "../test/samples.ts";
import { variantsOf } from "../test/variants.ts";

const rows = JSON.parse(
  readFileSync(new URL("../test/fixtures/real-tools.json", import.meta.url), "utf8"),
);
const targets = ["draft-2020-12", "draft-07", "draft-04", "openapi-3.0"] as const;

/** MCP arguments are always an object, and so is what zod-to-json-schema makes of a root. */
function isArguments(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const counts = new Map<string, number>();
const count = (name: string, by: boolean | number): void => {
  counts.set(name, (counts.get(name) ?? 0) + Number(by));
};
const times: number[] = [];
const unlike: string[] = [];

for (const { server, tool } of rows) {
  const schema = tool.inputSchema;
  const before = performance.now();
  const zod = toZod(schema);
  times.push(performance.now() - before);
  const zod3 = toZod3(schema);
  count("tools", 1);

  const wanted = (json: object) =>
    schema.$schema === undefined ? { ...json, $schema: undefined } : json;
  for (const io of ["input", "output"] as const) {
    for (const target of targets) {
      const json = JSON.parse(JSON.stringify(wanted(z.toJSONSchema(zod, { io, target }))));
      count(`z.toJSONSchema deep-equal, ${io}, ${target}`, isDeepStrictEqual(json, schema));
    }
  }

  const truth = plainAjv(schema);
  const { validate } = compileSchema(schema);
  const converted = new Map(
    [["toZod", zod] as const, ["toZod3", zod3] as const].map(([name, each]) => {
      const json = zodToJsonSchema(each as never, { $refStrategy: "none" }) as { $schema?: string };
      return [name, plainAjv(json)] as const;
    }),
  );
  const differs = new Set<string>();
  const differsForObjects = new Set<string>();
  const samples = samplesFor(schema).map(({ value }) => value);
  for (const value of [...samples, ...variantsOf(samples[0])]) {
    const fits = validate(value).ok;
    count(fits ? "valid samples" : "invalid samples", 1);
    count("validator unlike plain Ajv", fits !== truth(value));
    for (const [name, result] of [
      ["toZod", zod.safeParse(value)],
      ["toZod3", zod3.safeParse(value)],
    ] as const) {
      count(`${name}: wrong accept`, result.success && !fits);
      count(`${name}: wrong reject`, !result.success && fits);
      count(`${name}: input changed`, result.success && result.data !== value);
    }
    for (const [name, judge] of converted) {
      if (judge(value) === fits) continue;
      differs.add(name);
      if (isArguments(value)) differsForObjects.add(name);
      unlike.push(`${name} ${server} ${tool.name} ${fits} ${JSON.stringify(value).slice(0, 150)}`);
    }
  }
  for (const name of converted.keys()) {
    count(`${name}: zod-to-json-schema means the same, any value`, !differs.has(name));
    count(`${name}: zod-to-json-schema means the same, objects`, !differsForObjects.has(name));
  }
  count("instanceof ZodObject", zod instanceof z.ZodObject && zod3 instanceof z3.ZodObject);
}

for (const [name, value] of counts) console.log(`${String(value).padStart(7)}  ${name}`);
times.sort((a, b) => a - b);
console.log(`${times[333]?.toFixed(3)} ms  toZod at the median`);
if (process.argv.includes("--unlike")) console.log(unlike.join("\n"));
