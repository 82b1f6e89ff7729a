import { describe, expect, it } from "vitest";
import { zodToJsonSchema } from "zod-to-json-schema";
import { parametersOf } from "../src/parameters.ts";

const fits = (schema: unknown, value: unknown) => parametersOf(schema).safeParse(value);

describe("parameters", () => {
  it.each([
    ["an array", []],
    ["a string", "x"],
    ["null", null],
    ["a number", 3],
  ])("are no %s, whatever the schema says", (_, value) => {
    for (const schema of [{}, true, { type: ["object", "array", "string", "null", "number"] }]) {
      expect(fits(schema, value).success).toBe(false);
    }
  });

  it("hand on the very arguments, unknown keys and odd names too", () => {
    const schema = { type: "object", properties: { a: { type: "integer", default: 3 } } };
    const args = JSON.parse('{"b":{"c":[1]},"__proto__":{"x":1},"constructor":1,"toString":null}');
    expect(fits(schema, args).data).toBe(args);
  });

  it("hold an inner object to its own schema, not to the rule for arguments", () => {
    const schema = { properties: { list: { type: "array", items: { type: "string" } }, any: {} } };
    expect(fits(schema, { list: ["a"], any: "x" }).success).toBe(true);
    expect(fits(schema, { list: [1] }).success).toBe(false);
  });

  it.each([
    ["too many bytes", () => ({ a: "x".repeat(1_000_001) }), "too large"],
    ["too many values", () => ({ a: Array.from({ length: 1_000_001 }, () => 0) }), "too large"],
    ["too many levels", () => JSON.parse(`{"a":${"[".repeat(64)}${"]".repeat(64)}}`), "too deep"],
  ])("refuse %s", (_, make, message) => {
    const result = fits({}, make());
    expect(result.error?.issues[0]?.message).toContain(message);
  });

  it("refuse a cycle", () => {
    const args: Record<string, unknown> = {};
    args["self"] = args;
    expect(fits({}, args).success).toBe(false);
  });

  it("take 64 levels and nearly a megabyte", () => {
    const args = JSON.parse(`{"a":${"[".repeat(62)}${"]".repeat(62)}}`);
    expect(fits({}, args).success).toBe(true);
    expect(fits({}, { a: "x".repeat(999_000) }).success).toBe(true);
  });

  it("are the schema again for zod-to-json-schema, the root an object", () => {
    const schema = {
      type: "object",
      description: "All of it",
      properties: {
        page: { type: "integer", minimum: 1, default: 1, description: "Which page" },
        sort: { enum: ["new", 1, null] },
      },
      required: ["page"],
      additionalProperties: false,
      anyOf: [{ required: ["sort"] }, { properties: { page: { const: 1 } } }],
    };
    const converted: Record<string, unknown> = {
      ...zodToJsonSchema(parametersOf(schema) as unknown as Parameters<typeof zodToJsonSchema>[0], {
        $refStrategy: "none",
      }),
    };
    expect(converted).toMatchObject({
      type: "object",
      properties: { page: { minimum: 1, default: 1, description: "Which page" } },
      required: ["page"],
      additionalProperties: false,
    });
    for (const keyword of ["anyOf", "oneOf", "allOf", "not", "enum"]) {
      expect(converted).not.toHaveProperty(keyword);
    }
  });

  it("are made of what a server leaves out", () => {
    expect(fits(undefined, { a: 1 }).success).toBe(true);
    expect(fits(null, {}).success).toBe(true);
  });
});
