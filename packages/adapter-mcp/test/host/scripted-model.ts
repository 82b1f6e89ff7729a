import { zodToJsonSchema } from "zod-to-json-schema";
import type { Message, ModelAdapter, StreamEvent, ToolDefinition } from "./contract.ts";

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** As a model adapter of the host puts it on the wire. */
  readonly parameters: Record<string, unknown>;
}

/** What the model says in a turn: tool calls, all at once, or its answer. */
export type Turn = { readonly calls: readonly ScriptedCall[] } | { readonly answer: unknown };
export interface ScriptedCall {
  readonly name: string;
  readonly arguments?: object | string;
}

export interface ScriptedModel extends ModelAdapter {
  /** One entry a turn. */
  readonly offered: OfferedTool[][];
  readonly messages: Message[][];
}

/** Plays the turns in order and, when they are used up, answers `{}`. */
export function scriptedModel(turns: readonly Turn[]): ScriptedModel {
  const offered: OfferedTool[][] = [];
  const messages: Message[][] = [];
  return {
    id: "scripted",
    offered,
    messages,
    async *stream(conversation, options): AsyncGenerator<StreamEvent> {
      const turn = turns[messages.length] ?? { answer: {} };
      messages.push(structuredClone(conversation));
      offered.push((options?.tools ?? []).map(offer));
      if ("answer" in turn) {
        yield { type: "text", content: JSON.stringify(turn.answer) };
        yield { type: "finish", finishReason: "stop" };
        return;
      }
      for (const [index, call] of turn.calls.entries()) {
        const { name, arguments: args = {} } = call;
        const text = typeof args === "string" ? args : JSON.stringify(args);
        const id = `call-${messages.length}-${index}`;
        yield { type: "tool_call", toolCall: { index, id, name, arguments: text } };
      }
      yield { type: "finish", finishReason: "tool_calls" };
    },
  };
}

function offer({ name, description, parameters }: ToolDefinition): OfferedTool {
  const schema = zodToJsonSchema(parameters as never, { $refStrategy: "none" });
  return { name, description, parameters: JSON.parse(JSON.stringify(schema)) };
}
