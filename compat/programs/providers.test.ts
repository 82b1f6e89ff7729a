import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { defineTool, modelTools, ToolRegistry, type ToolResult } from "@x/tool-registry";
import { jsonSchema } from "ai";
import {
  aiSDKTools,
  answerAnthropic,
  answerOpenAI,
  anthropicParts,
  anthropicTools,
  langChainSchema,
  objectSchema,
  openAIParts,
  openAITools,
} from "./providers/index.ts";

const fixture = new URL(
  "../../packages/tool-schema/test/fixtures/real-tools.json",
  import.meta.url,
);
const real: { tool: { name: string; inputSchema: Record<string, unknown> } }[] = JSON.parse(
  readFileSync(fixture, "utf8"),
);
const text = { type: "string" };
const number = { type: "number" };

test("of 667 real schemas those get what a provider asks for that lack it, the others stay", () => {
  let changed = 0;
  for (const { tool } of real) {
    const before = JSON.stringify(tool.inputSchema);
    const made = objectSchema(tool.inputSchema);
    assert.equal(JSON.stringify(tool.inputSchema), before);
    assert.equal(made.type, "object");
    assert.equal(typeof made.properties, "object");
    if (JSON.stringify(made) !== before) changed += 1;
  }
  assert.equal(real.length, 667);
  assert.equal(changed, 10); // 9 without a root, 1 with an array without items
});

const roots: [what: string, schema: Record<string, unknown>, made: Record<string, unknown>][] = [
  ["nothing", {}, { type: "object", properties: {} }],
  ["no properties", { type: "object" }, { type: "object", properties: {} }],
  ["null for properties", { type: "object", properties: null }, { type: "object", properties: {} }],
  [
    "one of two",
    {
      type: "object",
      oneOf: [
        { properties: { kind: { const: "a" }, text }, required: ["kind", "text"] },
        { properties: { kind: { const: "b" }, number }, required: ["kind"] },
      ],
    },
    {
      type: "object",
      properties: { kind: { anyOf: [{ const: "a" }, { const: "b" }] }, text, number },
      required: ["kind"],
    },
  ],
  [
    "a choice of what is required",
    {
      type: "object",
      properties: { text, number },
      anyOf: [{ required: ["text"] }, { required: ["number"] }],
    },
    { type: "object", properties: { text, number } },
  ],
  [
    "all of two, one by reference",
    {
      allOf: [{ $ref: "#/$defs/base" }, { properties: { number }, required: ["number"] }],
      $defs: { base: { type: "object", properties: { text }, required: ["text"] } },
    },
    {
      $defs: { base: { type: "object", properties: { text }, required: ["text"] } },
      type: "object",
      properties: { text, number },
      required: ["text", "number"],
    },
  ],
  [
    "a reference",
    { $ref: "#/definitions/Args", definitions: { Args: { type: "object", properties: { text } } } },
    {
      definitions: { Args: { type: "object", properties: { text } } },
      type: "object",
      properties: { text },
    },
  ],
  ["a reference to nowhere", { $ref: "#/$defs/__proto__" }, { type: "object", properties: {} }],
  [
    "what must not be",
    { type: "object", properties: { text }, not: { required: ["x"] } },
    { type: "object", properties: { text } },
  ],
  [
    "branches of a wrong type",
    { anyOf: [null, 1, true, []], allOf: "x" },
    { type: "object", properties: {} },
  ],
];

for (const [what, schema, made] of roots) {
  test(`the root of a schema: ${what}`, () => {
    assert.deepEqual(objectSchema(schema), made);
  });
}

test("an array without items gets items that say nothing; values and names are left alone", () => {
  const data = { type: "array" };
  const schema = {
    type: "object",
    properties: {
      default: { type: ["array", "null"], default: data, examples: [data] },
      type: { type: "array", items: { anyOf: [{ type: "array" }, text] } },
      fixed: { const: data, enum: [data] },
    },
  };
  assert.deepEqual(objectSchema(schema), {
    type: "object",
    properties: {
      default: { type: ["array", "null"], default: data, examples: [data], items: {} },
      type: { type: "array", items: { anyOf: [{ type: "array", items: {} }, text] } },
      fixed: { const: data, enum: [data] },
    },
  });
});

test("a property called __proto__ is one like any other", () => {
  const schema = JSON.parse('{"oneOf":[{"properties":{"__proto__":{"type":"string"}}}]}');
  const { properties } = objectSchema(schema);
  assert.deepEqual(Object.entries(properties), [["__proto__", text]]);
  assert.equal(Object.getPrototypeOf(properties), Object.prototype);
});

test("what is given may be written into, however frozen the tool's own schema is", () => {
  const inputSchema = Object.freeze({ type: "object", properties: Object.freeze({ text }) });
  assert.doesNotThrow(() => Object.assign(objectSchema(inputSchema), { written: true }));
  const { "~standard": standard } = langChainSchema(inputSchema);
  assert.equal(Object(standard).jsonSchema.input().properties.text.type, "string");
});

const png = "iVBORw0KGgo=";
const content = [
  { type: "text", text: "look" },
  { type: "image", data: png, mimeType: "image/png" },
  { type: "image", data: "Qk0=", mimeType: "image/bmp" },
  { type: "audio", data: "AAAA", mimeType: "audio/wav" },
  {
    type: "resource",
    resource: { uri: "file:///a.pdf", mimeType: "application/pdf", blob: "JVBE" },
  },
  { type: "resource_link", uri: "file:///b.txt", name: "b" },
];
const result = {
  success: true,
  data: {},
  error: null,
  errorCode: null,
  durationMs: 0,
  content,
  warnings: [],
} satisfies ToolResult;

test("each part of a result in the shape of OpenAI", () => {
  const parts = openAIParts(result);
  assert.deepEqual(
    parts.map(({ type }) => type),
    ["input_text", "input_image", "input_text", "input_text", "input_file", "input_text"],
  );
  assert.deepEqual(parts[1], {
    type: "input_image",
    image_url: `data:image/png;base64,${png}`,
    detail: "auto",
  });
  assert.match(JSON.stringify(parts[2]), /\[image: image\/bmp, 2 bytes\]/);
  assert.match(JSON.stringify(parts[5]), /file:\/\/\/b\.txt/);
});

test("each part of a result in the shape of Anthropic", () => {
  const parts = anthropicParts(result);
  assert.deepEqual(
    parts.map(({ type }) => type),
    ["text", "image", "text", "text", "document", "text"],
  );
  assert.deepEqual(parts[1], {
    type: "image",
    source: { type: "base64", media_type: "image/png", data: png },
  });
});

const registry = new ToolRegistry();
registry.register(
  "own",
  defineTool({
    name: "shout",
    description: "Shouts.",
    inputSchema: { properties: { text }, required: ["text"] },
    validate: ({ text }) =>
      typeof text === "string" ? { ok: true } : { ok: false, issues: [{ message: "no text" }] },
    invoke: (args) => String(args["text"]).toUpperCase(),
  }),
);
const tools = modelTools(registry);

test("tools for OpenAI, and an answer to each call", async () => {
  assert.deepEqual(openAITools(tools), [
    {
      type: "function",
      name: "own__shout",
      description: "Shouts.",
      parameters: { type: "object", properties: { text }, required: ["text"] },
      strict: false,
    },
  ]);
  const call = {
    type: "function_call",
    call_id: "1",
    name: "own__shout",
    arguments: '{"text":"a"}',
  };
  const output = [
    { type: "reasoning" },
    call,
    { ...call, call_id: "2", arguments: '{"te' },
    { ...call, call_id: "3", name: "own__whisper" },
    { type: "function_call" },
  ];
  const answers = await answerOpenAI(tools, { output });
  assert.deepEqual(
    answers.map(({ call_id }) => call_id),
    ["1", "2", "3"],
  );
  assert.deepEqual(answers[0]?.output, [{ type: "input_text", text: "A" }]);
  assert.match(JSON.stringify(answers[1]?.output), /no valid JSON/);
  assert.match(JSON.stringify(answers[2]?.output), /not found/);
  assert.deepEqual(await answerOpenAI(tools, { output: [{ type: "message" }] }), []);
});

test("tools for Anthropic, and an answer to each call", async () => {
  assert.deepEqual(
    anthropicTools(tools).map(({ name, input_schema: { type } }) => [name, type]),
    [["own__shout", "object"]],
  );
  const call = { type: "tool_use", id: "1", name: "own__shout", input: { text: "a" } };
  const content = [{ type: "text" }, call, { ...call, id: "2", input: { text: 1 } }];
  const { role, content: answers } = await answerAnthropic(tools, { content });
  assert.equal(role, "user");
  assert.deepEqual(
    answers.map(({ tool_use_id, is_error }) => [tool_use_id, is_error]),
    [
      ["1", false],
      ["2", true],
    ],
  );
});

test("tools for the AI SDK hold the schema as it is and tell a failure from a result", async () => {
  const made = aiSDKTools(tools, jsonSchema)["own__shout"];
  assert(made !== undefined);
  assert.deepEqual(made.inputSchema.jsonSchema, {
    type: "object",
    properties: { text },
    required: ["text"],
  });
  const good = await made.execute({ text: "a" }, {});
  assert.deepEqual(made.toModelOutput({ output: good }), {
    type: "content",
    value: [{ type: "text", text: "A" }],
  });
  const bad = made.toModelOutput({ output: await made.execute({ text: 1 }, {}) });
  assert.equal(bad.type, "error-text");
  const stopped = await made.execute({ text: "a" }, { abortSignal: AbortSignal.abort() });
  assert.equal(stopped.errorCode, "cancelled");
});
