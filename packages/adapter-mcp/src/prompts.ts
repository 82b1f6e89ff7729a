import {
  type ContentBlock,
  type MCPPromptDescriptor as Listed,
  readPrompt,
  readPromptDescriptors,
} from "@x/mcp-parse";
import type { Calls } from "./calls.ts";
import { listAll, type Warn } from "./list.ts";
import { readAnswer } from "./parse-error.ts";
import { partOf } from "./parts.ts";
import type { ContentPart, MessageContent } from "./tool-definition.ts";

export interface MCPPromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required: boolean;
}

export interface MCPPromptDescriptor {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments: readonly MCPPromptArgument[];
}

export interface MCPPrompt {
  readonly description?: string;
  readonly messages: readonly {
    readonly role: string;
    readonly content: readonly ContentBlock[];
  }[];
  /** The messages as `equipInstruction` takes them: a lone text as a string, else parts. */
  asInstruction(): MessageContent;
}

export interface MCPPromptsKit {
  /** All prompts of all pages; none if the server has no prompts. */
  list(): Promise<readonly MCPPromptDescriptor[]>;
  /** Arguments that are no strings are sent as their JSON; those that are `undefined` are not. */
  get(name: string, args?: Readonly<Record<string, unknown>>): Promise<MCPPrompt>;
}

export interface PromptsSite {
  readonly calls: Calls;
  signal(): AbortSignal | undefined | Promise<AbortSignal | undefined>;
  readonly warn: Warn;
}

export function promptsKit({ calls, signal, warn }: PromptsSite): MCPPromptsKit {
  return Object.freeze({
    async list() {
      const items = await listAll(calls, "prompts", { signal: await signal(), warn });
      const { prompts, quarantined, warnings } = readPromptDescriptors(items);
      warn("prompts/list", [...quarantined, ...warnings]);
      return prompts.map(describe);
    },
    async get(name: string, args: Readonly<Record<string, unknown>> = {}) {
      const answer = await calls.getPrompt(name, texts(args), await signal());
      const { description, messages, warnings } = readAnswer("invalid_prompt", name, () =>
        readPrompt(answer),
      );
      warn("prompts/get", warnings, name);
      return {
        ...(description !== undefined && { description }),
        messages,
        asInstruction: () => instruction(messages.flatMap(({ content }) => content.map(partOf))),
      };
    },
  });
}

function describe({ name, title, description, arguments: args }: Listed): MCPPromptDescriptor {
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== "" && { description }),
    arguments: args.map(({ description: about, ...argument }) => ({
      ...argument,
      ...(about !== "" && { description: about }),
    })),
  };
}

/** MCP takes nothing but strings here. */
function texts(args: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(args).flatMap(([key, value]): [string, string][] => {
    if (typeof value === "string") return [[key, value]];
    const text: unknown = JSON.stringify(value);
    return typeof text === "string" ? [[key, text]] : [];
  });
  return Object.fromEntries(entries);
}

function instruction(parts: readonly ContentPart[]): MessageContent {
  const said = parts.filter((part) => part.type !== "text" || part.text !== "");
  const [first] = said;
  if (first === undefined) return "";
  return said.length === 1 && first.type === "text" ? first.text : said;
}
