// What frameworks make of the Zod objects for the real tools.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { asSchema, jsonSchema } from "ai";
import { zodFunction } from "openai/helpers/zod";

const [zodEntry, zod3Entry] = process.argv.slice(2);
const { toZod } = await import(zodEntry);
const { toZod3 } = await import(zod3Entry);
const file = new URL("../../packages/tool-schema/test/fixtures/real-tools.json", import.meta.url);
const tools = JSON.parse(readFileSync(file, "utf8")).map(({ tool }, index) => ({
  name: `t${index}`,
  schema: tool.inputSchema,
}));

function bare(value) {
  const { $schema: _, ...json } = JSON.parse(JSON.stringify(value));
  return json;
}

/** The same without additionalProperties, at any depth. */
function open(value) {
  if (Array.isArray(value)) return value.map(open);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== "additionalProperties");
  return Object.fromEntries(entries.map(([key, each]) => [key, open(each)]));
}

async function tally(convert, among = tools) {
  const counts = { exact: 0, additionalProperties: 0, other: 0, throws: 0 };
  for (const tool of among) {
    try {
      const json = bare(await convert(tool));
      const wanted = bare(tool.schema);
      if (isDeepStrictEqual(json, wanted)) counts.exact += 1;
      else if (isDeepStrictEqual(open(json), open(wanted))) counts.additionalProperties += 1;
      else counts.other += 1;
    } catch {
      counts.throws += 1;
    }
  }
  return Object.values(counts).join(" / ");
}

/** A client of the SDK refuses a whole list over one tool without `type: "object"`: nine here. */
const servable = tools.filter(({ schema }) => schema.type === "object");

async function throughMcpServer() {
  const server = new McpServer({ name: "echo", version: "1.0.0" });
  for (const { name, schema } of servable) {
    server.registerTool(name, { inputSchema: toZod(schema) }, (args) => ({
      content: [{ type: "text", text: JSON.stringify(args) }],
    }));
  }
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "reader", version: "1.0.0" });
  await Promise.all([server.connect(far), client.connect(near)]);
  const listed = new Map((await client.listTools()).tools.map((tool) => [tool.name, tool]));
  const target = servable.find(
    ({ schema }) => schema.additionalProperties === undefined && !schema.required,
  );
  const sent = { "no such key": { a: [null] } };
  const { content } = await client.callTool({ name: target.name, arguments: sent });
  assert.deepEqual(JSON.parse(content[0].text), sent, "arguments arrive as they were sent");
  await client.close();
  return tally(({ name }) => listed.get(name).inputSchema, servable);
}

const readme = readFileSync(
  new URL("../../packages/tool-schema/README.md", import.meta.url),
  "utf8",
);

/** The release of a package that is in use here. */
function release(name) {
  const manifest = new URL(`node_modules/${name}/package.json`, import.meta.url);
  return JSON.parse(readFileSync(manifest, "utf8")).version;
}

const all = `${tools.length} / 0 / 0 / 0`;
/** What is counted, and what has to come out: a row of the README, or all. */
const rows = [
  [
    `MCP SDK ${release("@modelcontextprotocol/sdk")} \`registerTool\``,
    await throughMcpServer(),
    "README",
  ],
  [
    `AI SDK ${release("ai")} \`asSchema\``,
    await tally(({ schema }) => asSchema(toZod(schema)).jsonSchema),
    "README",
  ],
  ["the same, toZod3", await tally(({ schema }) => asSchema(toZod3(schema)).jsonSchema)],
  [
    "AI SDK `jsonSchema`, the schema itself",
    await tally(({ schema }) => asSchema(jsonSchema(schema)).jsonSchema),
    all,
  ],
  [
    `LangChain core ${release("@langchain/core")} \`toJsonSchema\``,
    await tally(({ schema }) => toJsonSchema(toZod(schema))),
    "README",
  ],
  ["the same, toZod3", await tally(({ schema }) => toJsonSchema(toZod3(schema)))],
  [
    "LangChain OpenAI tool, the schema itself",
    await tally(
      ({ name, schema }) =>
        convertToOpenAITool({ name, description: "", schema, invoke() {}, lc_namespace: [] })
          .function.parameters,
    ),
    all,
  ],
  [
    `OpenAI ${release("openai")} \`zodFunction\` (strict)`,
    await tally(
      ({ name, schema }) => zodFunction({ name, parameters: toZod(schema) }).function.parameters,
    ),
    "README",
  ],
];
process.stdout.write(
  "| | exact / only additionalProperties differs / other / throws |\n| --- | --- |\n",
);
for (const [name, counts, wanted] of rows) {
  process.stdout.write(`| ${name} | ${counts} |\n`);
  const holds =
    wanted === "README"
      ? readme.includes(`| ${name} | ${counts} |`)
      : [undefined, counts].includes(wanted);
  if (holds) continue;
  process.stderr.write(`${name}: ${counts} is not what ${wanted} says\n`);
  process.exitCode = 1;
}
