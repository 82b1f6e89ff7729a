import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

/**
 * @typedef {import("./wires.mjs").Part} Part
 * @typedef {ReturnType<Awaited<ReturnType<typeof import("./model.mjs").startModel>>["seen"]>} Seen
 * @typedef {Awaited<ReturnType<typeof askServer>>} Reference
 */

/**
 * What the server itself says, without any framework between.
 * @param {{ command: string, args: string[] }} server
 */
export async function askServer(server) {
  const client = new Client({ name: "reference", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ ...server, stderr: "ignore" }));
  const { tools } = await client.listTools();
  /** @param {string} name @param {Record<string, unknown>} args */
  const partsOf = async (name, args) => {
    const { content } = /** @type {any} */ (await client.callTool({ name, arguments: args }));
    return content.map((/** @type {any} */ block) =>
      block.type === "image"
        ? { type: "image", mediaType: block.mimeType, data: block.data }
        : { type: "text", text: block.text },
    );
  };
  /** @type {Record<string, Part[]>} */
  const outputs = {
    "1.get-sum": await partsOf("get-sum", { a: 19, b: 23 }),
    "2.get-tiny-image": await partsOf("get-tiny-image", {}),
    "2.get-structured-content": await partsOf("get-structured-content", { location: "Chicago" }),
  };
  await client.close();
  return { tools, outputs };
}

/**
 * Ours: names, descriptions, schemas and results reach the model as the server gave them.
 * @param {Seen} seen
 * @param {Reference} reference
 * @param {{ flagged: boolean }} wire whether it says of a result that it is an error
 */
export function checkOurs(
  { offered, outputs, refusals, turns },
  { tools, outputs: wanted },
  { flagged },
) {
  assert.deepEqual(refusals, []);
  assert.equal(turns, 4);
  const byName = new Map(offered.map((tool) => [tool.name, tool]));
  assert.deepEqual([...byName.keys()].sort(), tools.map(({ name }) => `demo__${name}`).sort());
  for (const { name, title, description, inputSchema } of tools) {
    const tool = byName.get(`demo__${name}`);
    assert.equal(tool?.description, description ?? title, name);
    assert.deepEqual(tool?.schema, inputSchema, name);
  }
  for (const [call, parts] of Object.entries(wanted)) {
    assert.deepEqual(outputs.get(call)?.parts, parts, call);
  }
  const wrong = outputs.get("3.get-sum");
  const [part] = wrong?.parts ?? [];
  assert(part?.type === "text" && wrong?.parts.length === 1);
  assert.match(part.text, /a: `a` must be a number, got "19"/);
  if (flagged) assert.equal(wrong.isError, true);
}

/**
 * What became of the server's tools and results on the way to the model, for any client.
 * @param {Seen} seen
 * @param {Reference} reference
 */
export function factsOf({ offered, outputs, refusals }, { tools, outputs: wanted }) {
  const bare = (/** @type {string} */ name) => name.replace(/^demo__/, "");
  const schemas = tools.map(({ name, inputSchema }) => {
    const tool = offered.find(
      (each) => bare(each.name.replaceAll("-", "_")) === bare(name.replaceAll("-", "_")),
    );
    return likeness(tool?.schema, inputSchema);
  });
  const named = tools.filter(({ name }) => offered.some((tool) => bare(tool.name) === name));
  const texts = (/** @type {string} */ call) =>
    (outputs.get(call)?.parts ?? [])
      .map((part) => (part.type === "text" ? part.text : ""))
      .join("\n");
  const image = outputs.get("2.get-tiny-image")?.parts.find(({ type }) => type === "image");
  const [original] = wanted["2.get-tiny-image"]?.filter(({ type }) => type === "image") ?? [];
  const weather = texts("2.get-structured-content").split("temperature").length - 1;
  const failure = texts("3.get-sum");
  return [
    `${named.length} of ${tools.length}`,
    [...new Set(schemas)]
      .map((kind) => `${schemas.filter((each) => each === kind).length} ${kind}`)
      .join(", "),
    isDeepStrictEqual(image, original) ? "image" : `${texts("2.get-tiny-image").length} B of text`,
    weather === 1 ? "once" : `${weather} times`,
    /node_modules|\n +at /.test(failure) ? "stack with local paths" : failure.slice(0, 60),
    refusals.length === 0 ? "none" : refusals.join("; "),
  ];
}

/** @param {unknown} schema @param {unknown} original */
function likeness(schema, original) {
  if (isDeepStrictEqual(schema, original)) return "exact";
  if (isDeepStrictEqual(without(schema, [true]), without(original, [true]))) return "alike";
  const closed = isDeepStrictEqual(
    without(schema, [true, false]),
    without(original, [true, false]),
  );
  return closed ? "closed to other arguments" : "changed";
}

/**
 * The same without what says nothing (`$schema`, an empty `required`), and without
 * `additionalProperties` where it is one of these.
 * @param {unknown} value
 * @param {readonly unknown[]} dropped
 * @returns {unknown}
 */
function without(value, dropped) {
  if (Array.isArray(value)) return value.map((each) => without(each, dropped));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key, each]) => {
    if (key === "$schema" || (key === "required" && !Object.keys(each ?? []).length)) return false;
    return !(key === "additionalProperties" && dropped.includes(each));
  });
  return Object.fromEntries(kept.map(([key, each]) => [key, without(each, dropped)]));
}

export const factColumns = [
  "names kept",
  "schemas",
  "an image arrives as",
  "structured content",
  "of wrong arguments the model reads",
  "requests refused",
];
