import { type Schema, Validator } from "@cfworker/json-schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical } from "../src/equality.ts";
import { compileSchema as evalFree } from "../src/eval-free.ts";
import { compileSchema, ToolSchemaError } from "../src/index.ts";
import { interpreted } from "../src/interpreter.ts";
import { compilerOver } from "../src/validator.ts";
import { engines } from "./engines.ts";

const runs = { numRuns: 120, seed: 77 };
const name = fc.constantFrom("a", "b", "toString", "length", "x-1");

const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, false, 0, 1, 2, -1, 1.5, 0.3, "", "a", "ab", "b", "é"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), { maxKeys: 3 }),
  ),
})).value;

/** Sound schemas of all keywords that both engines know the same meaning of. */
const { object } = fc.letrec<{ schema: unknown; object: object }>((tie) => {
  const count = fc.nat({ max: 3 });
  const several = fc.array(tie("schema"), { minLength: 1, maxLength: 3 });
  const map = fc.dictionary(name, tie("schema"), { maxKeys: 3, noNullPrototype: true });
  const type = fc.constantFrom("string", "number", "integer", "object", "array", "boolean", "null");
  const keywords: readonly (readonly [string, fc.Arbitrary<unknown>])[] = [
    ["type", fc.oneof(type, fc.uniqueArray(type, { minLength: 1 }))],
    ["properties", map],
    ["properties", map],
    ["const", value],
    ["enum", fc.uniqueArray(value, { minLength: 1, maxLength: 4, selector: canonical })],
    ["minimum", fc.integer({ min: -1, max: 2 })],
    ["exclusiveMaximum", fc.integer({ min: 0, max: 3 })],
    ["multipleOf", fc.constantFrom(0.1, 0.5, 1, 2)],
    ["minLength", count],
    ["maxLength", count],
    ["pattern", fc.constantFrom("a", "^b", "^a?b?$", "\\p{L}")],
    ["minItems", count],
    ["maxItems", count],
    ["uniqueItems", fc.boolean()],
    ["items", tie("schema")],
    ["prefixItems", several],
    ["contains", tie("schema")],
    ["required", fc.uniqueArray(name, { maxLength: 2 })],
    ["minProperties", count],
    ["maxProperties", count],
    ["patternProperties", fc.record({ "^a": tie("schema") })],
    ["additionalProperties", tie("schema")],
    ["propertyNames", tie("schema")],
    ["dependentRequired", fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }))],
    ["dependentSchemas", map],
    ["allOf", several],
    ["anyOf", several],
    ["oneOf", several],
    ["not", tie("schema")],
    ["if", tie("schema")],
    ["then", tie("schema")],
    ["else", tie("schema")],
  ];
  const entry = fc.oneof(
    ...keywords.map(([keyword, arbitrary]) => fc.tuple(fc.constant(keyword), arbitrary)),
  );
  return {
    object: fc
      .array(entry, { maxLength: 4 })
      .map((entries) => JSON.parse(JSON.stringify(Object.fromEntries(entries)))),
    schema: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      { arbitrary: fc.boolean(), weight: 1 },
      { arbitrary: fc.record({ type }), weight: 2 },
      { arbitrary: tie("object"), weight: 4 },
    ),
  };
});

/** Undefined where Ajv throws, as it does for a value with a property `toString`. */
function ajvSays(of: unknown, given: unknown): boolean | undefined {
  const ajv = new Ajv2020({
    strict: false,
    ownProperties: true,
    logger: false,
    validateSchema: false,
  });
  try {
    return ajv.compile(of as object)(given) === true;
  } catch {
    return undefined;
  }
}

describe("for any schema and value", { timeout: 60_000 }, () => {
  it("the verdict is that of Ajv and of cfworker, where those two agree", () => {
    let agreed = 0;
    let accepted = 0;
    fc.assert(
      fc.property(object, fc.array(value, { minLength: 3, maxLength: 6 }), (made, values) => {
        const ours = compileSchema(made);
        const free = evalFree(made);
        const cfworker = new Validator(structuredClone(made) as Schema, "2020-12", true);
        for (const given of values) {
          const verdict = ours.validate(given);
          const other = free.validate(given);
          const expected = ajvSays(made, given);
          if (cfworker.validate(given).valid !== expected) continue;
          agreed += 1;
          if (expected) accepted += 1;
          expect([verdict.ok, other.ok]).toEqual([expected, expected]);
        }
      }),
      runs,
    );
    expect(agreed).toBeGreaterThan(300);
    expect(accepted).toBeGreaterThan(agreed / 10);
    expect(accepted).toBeLessThan((agreed * 9) / 10);
  });

  it("the interpreter, which stands in for Ajv where schemas are large, judges as Ajv does", () => {
    const interpret = compilerOver(() => interpreted);
    let accepted = 0;
    fc.assert(
      fc.property(object, fc.array(value, { minLength: 3, maxLength: 6 }), (inner, values) => {
        // One value after another, so that nothing of one is left for the next.
        const made = { anyOf: [inner, { type: "array", items: inner }] };
        const [ours, theirs] = [interpret(made), compileSchema(made)];
        for (const given of [...values, values]) {
          const verdict = theirs.validate(given);
          if (verdict.ok) accepted += 1;
          expect(ours.validate(given)).toEqual(verdict);
        }
      }),
      { ...runs, numRuns: 1_000 },
    );
    expect(accepted).toBeGreaterThan(300);
  });

  it("both engines give the same reasons at the same places", () => {
    /** Reasons inside a reason may come in another order. */
    const reasons = (compile: typeof compileSchema, made: unknown, given: unknown) => {
      const verdict = compile(made).validate(given);
      if (verdict.ok) return [];
      const texts = verdict.issues.map(({ pointer, message }) => {
        return `${pointer} ${message.split(/: |; /).sort().join("; ")}`;
      });
      return texts.sort();
    };
    fc.assert(
      fc.property(object, value, (made, given) => {
        expect(reasons(evalFree, made, given)).toEqual(reasons(compileSchema, made, given));
      }),
      { ...runs, numRuns: 500 },
    );
  });
});

const anything = fc.anything({
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
  withUnicodeString: true,
});

const word = fc.constantFrom(
  ..."$ref $defs $id $anchor $dynamicRef $schema type properties required items prefixItems allOf anyOf".split(
    " ",
  ),
  ..."oneOf not if then else enum const format pattern patternProperties propertyNames minimum".split(
    " ",
  ),
  ..."exclusiveMinimum multipleOf uniqueItems contains dependencies dependentSchemas nullable".split(
    " ",
  ),
  ..."unevaluatedProperties unevaluatedItems additionalItems default __proto__ constructor toString".split(
    " ",
  ),
);
const scrap = fc.oneof(
  anything,
  fc.constantFrom(
    "#",
    "#/$defs/a",
    "#/properties/__proto__",
    "object",
    "date",
    "(",
    "^(a+)+$",
    "\ud800",
  ),
  fc.double(),
);
/** What looks like a schema and may be none. */
const { mess } = fc.letrec<{ mess: unknown }>((tie) => ({
  mess: fc.oneof(
    { depthSize: "small" },
    scrap,
    fc.array(tie("mess"), { maxLength: 4 }),
    fc.array(fc.tuple(word, tie("mess")), { maxLength: 5 }).map((entries) => {
      const made = {};
      for (const [key, entry] of entries) {
        Object.defineProperty(made, key, { value: entry, enumerable: true, configurable: true });
      }
      return made;
    }),
  ),
}));

describe.each(engines)("%s: for anything at all", (_engine, compile) => {
  it("only ToolSchemaError is thrown, in time, and no prototype is touched", () => {
    const builtins = [Object, Array, String, Number, Function, RegExp, Map, Error];
    const shapes = () => builtins.map(({ prototype }) => Reflect.ownKeys(prototype).length);
    const before = shapes();
    const codes = new Map<string, number>();
    fc.assert(
      fc.property(mess, scrap, (made, given) => {
        const start = performance.now();
        let code = "judged";
        try {
          expect(typeof compile(made).validate(given).ok).toBe("boolean");
        } catch (error) {
          if (!(error instanceof ToolSchemaError)) throw error;
          code = error.code;
        }
        codes.set(code, (codes.get(code) ?? 0) + 1);
        expect(performance.now() - start).toBeLessThan(1_500);
      }),
      { numRuns: 2_000, seed: 4 },
    );
    expect(shapes()).toEqual(before);
    for (const code of ["judged", "not_json", "invalid_schema"]) {
      expect(codes.get(code), code).toBeGreaterThan(50);
    }
  });
});
