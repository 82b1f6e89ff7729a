// The assertions of the bridge that lean on the insides of Zod, against the Zod of this process.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as z3 from "zod/v3";
import * as z from "zod/v4";
import { zodToJsonSchema } from "zod-to-json-schema";

const [zodEntry, zod3Entry] = process.argv.slice(2);
const { toZod } = await import(zodEntry);
const { toZod3 } = await import(zod3Entry);
const fixtures = new URL("../../packages/tool-schema/test/fixtures/", import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(name, fixtures), "utf8"));
const rows = read("real-tools.json");
const cases = read("schemas.json").filter(({ unresolvable }) => unresolvable !== true);

const bare = ({ $schema: _, ...json }) => JSON.parse(JSON.stringify(json));
const convert = (zod) => zodToJsonSchema(zod, { $refStrategy: "none" });
const schema = {
  type: "object",
  properties: {
    page: { type: "integer", minimum: 1, description: "from 1" },
    state: { enum: ["open", 7, null] },
    author: {
      type: "object",
      properties: { login: { $ref: "#/$defs/Login" } },
      required: ["login"],
    },
    mode: { type: "string", default: "fast" },
  },
  required: ["page"],
  additionalProperties: false,
  $defs: { Login: { type: "string", minLength: 2 } },
};

const checks = {
  "zod/v4 calls itself": () => {
    const { major, minor, patch } = z.core.version;
    return [major, minor, patch].join(".");
  },
  "is a ZodObject": () => {
    assert(toZod(schema) instanceof z.ZodObject);
    assert(toZod3(schema) instanceof z3.ZodObject);
  },
  "verdicts of the cases": () => {
    for (const { id, inputSchema, accept, reject } of cases) {
      for (const zod of [toZod(inputSchema), toZod3(inputSchema)]) {
        for (const value of accept) assert.equal(zod.parse(value), value, id);
        if (id === "schema-09-only-dialect") continue;
        for (const value of reject) assert.equal(zod.safeParse(value).success, false, id);
      }
    }
  },
  issues: () => {
    const expected = [
      { path: [], code: "unrecognized_keys", keys: ["x"] },
      { path: ["page"], code: "invalid_type" },
    ];
    for (const zod of [toZod(schema), toZod3(schema)]) {
      const { issues } = zod.safeParse({ page: "1", x: 1 }).error;
      assert.equal(issues.length, 2);
      for (const [index, wanted] of expected.entries()) {
        for (const [key, value] of Object.entries(wanted)) {
          assert.deepEqual(issues[index][key], value);
        }
        assert.match(issues[index].message, /must be|not allowed/);
      }
    }
    assert.match(z.prettifyError(toZod(schema).safeParse({ page: 0 }).error), /≥ 1/);
  },
  "~standard": async () => {
    for (const zod of [toZod(schema), toZod3(schema)]) {
      const value = { page: 1 };
      assert.equal((await zod["~standard"].validate(value)).value, value);
      assert.deepEqual((await zod["~standard"].validate({ page: 0 })).issues[0].path, ["page"]);
    }
  },
  "z.toJSONSchema of the real tools": () => {
    let exact = 0;
    for (const { tool } of rows) {
      for (const io of ["input", "output"]) {
        for (const target of ["draft-2020-12", "draft-7"]) {
          const json = z.toJSONSchema(toZod(tool.inputSchema), { io, target });
          assert.deepEqual(bare(json), bare(tool.inputSchema), tool.name);
          exact += 1;
        }
      }
    }
    return `${exact}/${rows.length * 4}`;
  },
  "z.toJSONSchema at the root": () => {
    for (const each of [
      ...cases.map(({ inputSchema }) => inputSchema),
      { $ref: "#/$defs/A", $defs: { A: { type: "object" } } },
      { id: "urn:x", type: "object" },
      { anyOf: [{ type: "object" }, { type: "null" }] },
    ]) {
      assert.deepEqual(bare(z.toJSONSchema(toZod(each))), bare(each));
    }
  },
  "describe, meta, refine": () => {
    const made = toZod(schema).describe("told").meta({ title: "T" });
    const json = bare(z.toJSONSchema(made));
    assert.deepEqual(json, { ...schema, description: json.description, title: "T" });
    assert.equal(toZod(schema).describe("told").description, "told");
    assert.equal(bare(z.toJSONSchema(toZod(schema).describe("told"))).description, "told");
    assert.equal(made.safeParse({ page: 1, x: 1 }).success, false);
    const odd = toZod(schema).refine(() => false, "odd");
    assert.equal(odd.safeParse({ page: 1 }).error.issues[0].message, "odd");
    assert.deepEqual(bare(z.toJSONSchema(odd)), schema);
  },
  "shape, extend, pick, omit, partial, strict": () => {
    const zod = toZod(schema);
    assert.deepEqual(Object.keys(zod.shape), Object.keys(schema.properties));
    const made = zod.extend({ more: z.number() });
    assert.equal(made.safeParse({ page: 1, more: 1 }).success, true);
    assert.equal(made.safeParse({ page: 0, more: 1 }).success, false);
    assert.equal(made.safeParse({ page: 1 }).success, false);
    const json = bare(z.toJSONSchema(made));
    assert.deepEqual(json.properties.state, schema.properties.state);
    assert.deepEqual(json.required, ["page", "more"]);
    assert.deepEqual(bare(z.toJSONSchema(zod.pick({ page: true }))).required, ["page"]);
    assert.equal(zod.omit({ page: true }).safeParse({}).success, true);
    assert.equal(zod.partial().safeParse({}).success, true);
    assert.equal(zod.partial().safeParse({ page: "1" }).success, false);
    const open = toZod({ type: "object", properties: { a: {} } });
    assert.equal(open.strict().safeParse({ b: 1 }).success, false);
    assert.deepEqual(open.extend({}).parse({ b: 1, a: 1 }), { b: 1, a: 1 });
  },
  "zod/v3 shape, extend, pick, partial": () => {
    const zod = toZod3(schema);
    assert.equal(zod.describe("x").safeParse({ page: 1, x: 1 }).success, false);
    assert.equal(zod.extend({ more: z3.number() }).safeParse({ page: 0, more: 1 }).success, false);
    assert.equal(zod.pick({ page: true }).safeParse({ page: 1 }).success, true);
    assert.equal(zod.partial().safeParse({}).success, true);
  },
  "zod-to-json-schema of both": () => {
    for (const { tool } of rows) {
      const [json, json3] = [toZod(tool.inputSchema), toZod3(tool.inputSchema)].map(convert);
      assert.deepEqual(json, json3);
      assert.deepEqual(
        Object.keys(json.properties),
        Object.keys(tool.inputSchema.properties ?? {}),
        tool.name,
      );
    }
    assert.deepEqual(convert(toZod(schema)).properties.state, {
      anyOf: [{ enum: ["open", 7, null] }],
    });
    assert.equal(convert(toZod(schema).describe("told")).description, "told");
    return `${rows.length}/${rows.length}`;
  },
};

const result = {};
for (const [name, check] of Object.entries(checks)) {
  try {
    result[name] = (await check()) ?? "ok";
  } catch (error) {
    result[name] = `FAILED: ${String(error?.stack ?? error).slice(0, 600)}`;
  }
}
process.stdout.write(JSON.stringify(result));
