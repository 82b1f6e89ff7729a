import { createCallResult, createRuntime } from "mcporter";
import OpenAI from "openai";
import { everything } from "../servers.ts";

const { responses } = new OpenAI();
const command = { kind: "stdio" as const, ...everything, cwd: process.cwd() };
const runtime = await createRuntime({ servers: [{ name: "demo", command }] });
const offered = await runtime.listTools("demo", { includeSchema: true });
const tools = offered.map(({ name, description, inputSchema }) => ({
  type: "function" as const,
  name,
  description: description ?? null,
  parameters: inputSchema as Record<string, unknown>,
  strict: false,
}));
const request = { model: "gpt-5", tools };
const question = "What is 19 + 23? Then show me the logo and the weather in Chicago.";
let reply = await responses.create({ ...request, input: question });
for (;;) {
  const calls = reply.output.filter((item) => item.type === "function_call");
  if (calls.length === 0) break;
  const input = await Promise.all(
    calls.map(async ({ call_id, name, arguments: json }) => {
      const raw = await runtime.callTool("demo", name, { args: JSON.parse(json) });
      const result = createCallResult(raw);
      const images = (result.images() ?? []).map(({ mimeType, data }) => ({
        type: "input_image" as const,
        image_url: `data:${mimeType};base64,${data}`,
        detail: "auto" as const,
      }));
      const text = { type: "input_text" as const, text: result.text() ?? "" };
      return { type: "function_call_output" as const, call_id, output: [text, ...images] };
    }),
  );
  reply = await responses.create({ ...request, previous_response_id: reply.id, input });
}
console.log(reply.output_text);
await runtime.close();
