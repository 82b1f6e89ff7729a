import type { z } from "zod";
import { zodToJsonSchema } from "zod-to-json-schema";
import { assertActive, type Context, context, draftBeforePrompt, lineage } from "./context.ts";
import type { ContentPart, Message, MessageContent, ModelAdapter, ToolCall } from "./contract.ts";
import { HostError } from "./errors.ts";
import { answerCall } from "./tools.ts";

export function equipInstruction(content: MessageContent): void {
  draftBeforePrompt("equipInstruction").instructions.push(content);
}

export function equipSystem(text: string): void {
  draftBeforePrompt("equipSystem").system.push(text);
}

/** Once a generation: the model may call tools, all calls of a turn at once, until it answers with JSON. */
export async function promptAgent<T extends z.ZodTypeAny>(schema: T): Promise<z.infer<T>> {
  const current = context();
  const { draft, limits } = current;
  if (draft.prompted) {
    throw new HostError("PromptAgentAlreadyCalledError", "promptAgent has been called already.");
  }
  draft.prompted = true;
  const model = [...lineage(current)].find((each) => each.model)?.model;
  if (!model) throw new HostError("ModelNotFoundError", "No model up the chain.");
  const messages: Message[] = [
    ...draft.system.map((content): Message => ({ role: "system", content })),
    ...draft.instructions.map((content): Message => ({ role: "user", content: parts(content) })),
  ];
  const jsonSchema = zodToJsonSchema(schema as never, { $refStrategy: "none" });
  for (let complaints = 0; complaints <= limits.retries; complaints += 1) {
    const text = await talk(model, messages, jsonSchema, current);
    const parsed = schema.safeParse(readJson(text));
    if (parsed.success) return parsed.data;
    messages.push({ role: "user", content: parts(`Output validation failed: ${parsed.error}`) });
  }
  throw new HostError("AttemptsExhaustedError", "The output never fitted the schema.");
}

/** Up to the first turn without tool calls. */
async function talk(
  model: ModelAdapter,
  messages: Message[],
  schema: object,
  current: Context,
): Promise<string> {
  for (let turn = 1; turn <= current.limits.turns; turn += 1) {
    assertActive(current);
    const { text, calls } = await ask(model, messages, schema, current);
    messages.push({
      role: "assistant",
      content: text || null,
      ...(calls.length > 0 && { tool_calls: calls }),
    });
    if (calls.length === 0) return text;
    if (turn === current.limits.turns) break;
    const answers = await Promise.all(calls.map(answerCall));
    for (const [index, { id }] of calls.entries()) {
      messages.push({ role: "tool", tool_call_id: id, content: answers[index] ?? null });
    }
  }
  throw new HostError("ToolLoopExceededError", "Too many turns.");
}

async function ask(
  model: ModelAdapter,
  messages: Message[],
  schema: object,
  { draft, controller }: Context,
): Promise<{ text: string; calls: ToolCall[] }> {
  let text = "";
  const calls = new Map<number, ToolCall>();
  const { tools } = draft;
  const options = { schema, signal: controller.signal, ...(tools.length > 0 && { tools }) };
  for await (const event of model.stream([...messages], options)) {
    if (event.type === "text") text += event.content;
    if (event.type !== "tool_call") continue;
    const { index, id = "", name = "", arguments: piece = "" } = event.toolCall;
    const call = calls.get(index) ?? { id: "", name: "", arguments: "" };
    calls.set(index, {
      id: id || call.id,
      name: name || call.name,
      arguments: call.arguments + piece,
    });
  }
  return { text, calls: [...calls.values()] };
}

function parts(content: MessageContent): ContentPart[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
