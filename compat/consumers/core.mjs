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

const rows = {
  "McpServer.registerTool, toZod": await throughMcpServer(),
  "AI SDK asSchema, toZod": await tally(({ schema }) => asSchema(toZod(schema)).jsonSchema),
  "AI SDK asSchema, toZod3": await tally(({ schema }) => asSchema(toZod3(schema)).jsonSchema),
  "AI SDK jsonSchema, the schema itself": await tally(
    ({ schema }) => asSchema(jsonSchema(schema)).jsonSchema,
  ),
  "LangChain toJsonSchema, toZod": await tally(({ schema }) => toJsonSchema(toZod(schema))),
  "LangChain toJsonSchema, toZod3": await tally(({ schema }) => toJsonSchema(toZod3(schema))),
  "LangChain OpenAI tool, the schema itself": await tally(
    ({ name, schema }) =>
      convertToOpenAITool({ name, description: "", schema, invoke() {}, lc_namespace: [] }).function
        .parameters,
  ),
  "OpenAI zodFunction (strict), toZod": await tally(
    ({ name, schema }) => zodFunction({ name, parameters: toZod(schema) }).function.parameters,
  ),
};
process.stdout.write(
  "| | exact / only additionalProperties differs / other / throws |\n| --- | --- |\n",
);
for (const [name, counts] of Object.entries(rows))
  process.stdout.write(`| ${name} | ${counts} |\n`);
