import { z } from "zod";
import {
  type EquipMCPOptions,
  equipMCP,
  type MCPClientLike,
  type MCPKit,
} from "../../src/index.ts";
import type { MessageContent } from "./contract.ts";
import { core } from "./core.ts";
import { type OfferedTool, type ScriptedCall, scriptedModel } from "./scripted-model.ts";

export interface RunOptions {
  readonly equip?: Partial<EquipMCPOptions>;
  readonly inject?: Parameters<MCPKit["inject"]>[0];
  readonly signal?: AbortSignal;
  /** Happens between `inject` and the model's turn. */
  readonly meanwhile?: () => unknown;
}
export interface Run {
  readonly offered: readonly OfferedTool[];
  /** What the model got for each call, in order. */
  readonly answers: readonly MessageContent[];
}

/** An agent that equips the client, injects, and whose model makes these calls in one turn. */
export async function runCalls(
  client: MCPClientLike,
  calls: readonly ScriptedCall[] = [],
  { equip, inject, signal, meanwhile }: RunOptions = {},
): Promise<Run> {
  const model = scriptedModel(calls.length > 0 ? [{ calls }] : []);
  const agent = core.createAgent({
    id: "agent",
    model,
    handler: async () => {
      const kit = await equipMCP(client, { clientId: "client", ...equip });
      kit.inject(inject);
      await meanwhile?.();
      return core.promptAgent(z.looseObject({}));
    },
  });
  await core.runWith(() => agent({}), signal ? { signal } : {});
  const answers = (model.messages.at(-1) ?? []).flatMap(({ role, content }) =>
    role === "tool" ? [content ?? ""] : [],
  );
  return { offered: model.offered[0] ?? [], answers };
}

/** The answer to one call. */
export async function runCall(
  client: MCPClientLike,
  name: string,
  args: object = {},
  options: RunOptions = {},
): Promise<MessageContent> {
  const { answers } = await runCalls(client, [{ name, arguments: args }], options);
  const [answer] = answers;
  if (answer === undefined) throw new Error(`no answer to ${name}`);
  return answer;
}

/** Runs a handler in an agent of its own. */
export function inAgent<R>(handler: () => Promise<R>): Promise<R> {
  return core.createAgent<object, R>({ id: "agent", handler })({});
}
