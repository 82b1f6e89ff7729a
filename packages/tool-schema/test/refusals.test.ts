import { describe, expect, it } from "vitest";
import { ToolSchemaError, type ToolSchemaErrorCode } from "../src/index.ts";
import { engines } from "./engines.ts";

function throwing(): object {
  return Object.defineProperty({}, "type", {
    enumerable: true,
    get: () => {
      throw new Error("boom");
    },
  });
}

function cyclic(): object {
  const schema: Record<string, unknown> = { type: "object" };
  schema["properties"] = { self: schema };
  return schema;
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe.each(engines)("%s: a schema that cannot be used", (_engine, compileSchema) => {
  it.each<[string, () => unknown, ToolSchemaErrorCode, string]>([
    ["a string", () => "object", "invalid_schema", ""],
    ["a number", () => 5, "invalid_schema", ""],
    ["a list", () => [{ type: "object" }], "invalid_schema", ""],
    ["a function", () => () => true, "not_json", ""],
    ["a symbol", () => Symbol("s"), "not_json", ""],
    ["a bigint inside", () => ({ minimum: 1n }), "not_json", "/minimum"],
    ["NaN inside", () => ({ minimum: Number.NaN }), "not_json", "/minimum"],
    ["Infinity inside", () => ({ enum: [1, Number.POSITIVE_INFINITY] }), "not_json", "/enum/1"],
    ["undefined in a list", () => ({ enum: [undefined] }), "not_json", "/enum/0"],
    ["a function inside", () => ({ properties: { a: () => 1 } }), "not_json", "/properties/a"],
    ["a class inside", () => ({ default: new Date(0) }), "not_json", "/default"],
    ["a map", () => new Map(), "not_json", ""],
    ["itself inside", cyclic, "not_json", "/properties/self"],
    ["a getter that throws", throwing, "not_json", "/type"],
    ["a proxy that refuses", revoked, "not_json", ""],
    ["an unknown type", () => ({ type: "any" }), "invalid_schema", "/type"],
    [
      "a type that is no word",
      () => ({ properties: { a: { type: 5 } } }),
      "invalid_schema",
      "/properties/a/type",
    ],
    [
      "required as a flag",
      () => ({ properties: { a: { required: true } } }),
      "invalid_schema",
      "/properties/a/required",
    ],
    ["properties as a list", () => ({ properties: [] }), "invalid_schema", "/properties"],
    [
      "a property that is text",
      () => ({ properties: { a: "string" } }),
      "invalid_schema",
      "/properties/a",
    ],
    ["a negative length", () => ({ minLength: -1 }), "invalid_schema", "/minLength"],
    ["a bound that is data", () => ({ minimum: { $data: "/x" } }), "invalid_schema", "/minimum"],
    ["anyOf of nothing", () => ({ anyOf: [] }), "invalid_schema", "/anyOf"],
    [
      "a pattern that is none",
      () => ({ properties: { a: { pattern: "(?P<run>[a-z]+)" } } }),
      "invalid_pattern",
      "/properties/a/pattern",
    ],
    [
      "a pattern of names that is none",
      () => ({ patternProperties: { "a(": {} } }),
      "invalid_pattern",
      "/patternProperties/a(",
    ],
    [
      "$dynamicRef",
      () => ({ items: { $dynamicRef: "#x" } }),
      "unsupported_keyword",
      "/items/$dynamicRef",
    ],
    ["$recursiveRef", () => ({ $recursiveRef: "#" }), "unsupported_keyword", "/$recursiveRef"],
  ])("is refused at once: %s", (_, make, code, path) => {
    const error = caught(() => compileSchema(make()));
    expect(error).toMatchObject({ name: "ToolSchemaError", code, path });
    expect(error.message.length).toBeLessThan(400);
  });

  it.each([
    ["the network", "http://127.0.0.1:9/never.json"],
    ["a file", "file:///etc/passwd"],
    ["a neighbour", "other.json"],
    ["an $id, even of its own", "https://h.example/root"],
    ["an absent definition", "#/$defs/absent"],
    ["an absent name", "#absent"],
    ["an inherited property", "#/constructor"],
    ["the prototype", "#/__proto__"],
    ["a property of text", "#/title/length"],
    ["a value that is no schema", "#/title"],
    ["a list", "#/allOf"],
    ["a broken escape", "#/%"],
    ["nothing", ""],
  ])("is refused at once when it refers to %s", (_, $ref) => {
    const schema = {
      $id: "https://h.example/root",
      title: "t",
      allOf: [true],
      properties: { a: { $ref } },
    };
    const error = caught(() => compileSchema(schema));
    expect(error).toMatchObject({ code: "unresolved_ref", path: "/properties/a/$ref" });
    expect(error.message).toBe(`$ref ${JSON.stringify($ref)} points to nothing inside the schema`);
  });

  it.each([
    ["items", (inner: unknown) => ({ items: inner })],
    ["properties", (inner: unknown) => ({ properties: { a: inner } })],
    ["allOf", (inner: unknown) => ({ allOf: [inner] })],
    ["a list in const", (inner: unknown) => ({ const: [inner] })],
  ])("is refused when it nests 10,000 levels of %s", (_, wrap) => {
    let schema: unknown = { type: "string" };
    for (let level = 0; level < 10_000; level += 1) schema = wrap(schema);
    expect(caught(() => compileSchema(schema)).code).toBe("too_large");
  });

  it.each([
    ["itself", { $ref: "#" }],
    ["itself in allOf", { allOf: [{ $ref: "#" }] }],
    [
      "its reference",
      { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
    ],
  ])("is refused when it stands for %s", (_, schema) => {
    expect(caught(() => compileSchema(schema)).code).toBe("cyclic_ref");
  });

  it("shows no more than the beginning of what a server wrote", () => {
    const long = `(${"x".repeat(100_000)}`;
    for (const schema of [{ pattern: long }, { $ref: `#/${long}` }, { $schema: long }]) {
      expect(caught(() => compileSchema(schema)).message.length).toBeLessThan(250);
    }
  });
});

describe.each(engines)("%s: a value that cannot be judged", (_engine, compileSchema) => {
  const tree = { type: "object", properties: { kid: { $ref: "#" } }, required: ["id"] };

  it("because it is too deep is a coded error; the schema stays usable", () => {
    const { validate } = compileSchema(tree);
    let deep: unknown = { id: 1 };
    for (let level = 0; level < 200_000; level += 1) deep = { id: 1, kid: deep };
    expect(caught(() => validate(deep)).code).toBe("too_complex");
    expect(validate({ id: 1 }).ok).toBe(true);
  });

  it("because it holds itself is a coded error", () => {
    const value: Record<string, unknown> = { id: 1 };
    value["kid"] = value;
    expect(caught(() => compileSchema(tree).validate(value)).code).toBe("too_complex");
  });

  it("because it throws is a coded error with the cause", () => {
    const cause = new Error("boom");
    const value = Object.defineProperty({}, "kid", {
      enumerable: true,
      get: () => {
        throw cause;
      },
    });
    expect(caught(() => compileSchema(tree).validate(value))).toMatchObject({
      code: "unreadable",
      cause,
    });
  });
});

function caught(run: () => unknown): ToolSchemaError {
  try {
    run();
  } catch (error) {
    if (error instanceof ToolSchemaError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
