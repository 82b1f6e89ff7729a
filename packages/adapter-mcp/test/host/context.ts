import { AsyncLocalStorage } from "node:async_hooks";
import type { MessageContent, ModelAdapter, ToolDefinition } from "./contract.ts";
import { HostError } from "./errors.ts";

/** What a generation gathers. Gone with the next one. */
export interface Draft {
  readonly tools: ToolDefinition[];
  readonly instructions: MessageContent[];
  readonly system: string[];
  readonly scopes: object[];
  prompted: boolean;
}

interface HeldResource {
  readonly value: unknown;
  readonly deps: readonly unknown[];
  readonly expose: boolean;
  destroy(): Promise<void>;
}

/** One call of an agent, or the root that `runWith` opens. */
export interface Context {
  readonly agentId: string;
  readonly parent: Context | undefined;
  readonly model: ModelAdapter | undefined;
  readonly limits: { readonly retries: number; readonly turns: number };
  readonly controller: AbortController;
  readonly memory: Map<string, unknown>;
  readonly resources: Map<string, HeldResource>;
  readonly providers: Map<string, unknown>;
  draft: Draft;
}

const store = new AsyncLocalStorage<Context>();

export function findContext(): Context | undefined {
  return store.getStore();
}

export function context(): Context {
  const found = store.getStore();
  if (found) return found;
  throw new HostError("ContextNotFoundError", "No agent context: call this within a handler.");
}

/** @throws AfterPromptAgentError if this generation has prompted its model */
export function draftBeforePrompt(apiName: string): Draft {
  const { draft } = context();
  if (!draft.prompted) return draft;
  throw new HostError("AfterPromptAgentError", `${apiName} must come before promptAgent().`, {
    apiName,
  });
}

export function emptyDraft(): Draft {
  return { tools: [], instructions: [], system: [], scopes: [], prompted: false };
}

export function enter<R>(entered: Context, run: () => Promise<R>): Promise<R> {
  return store.run(entered, run);
}

/** From the context upwards to the root. */
export function* lineage(from: Context | undefined): Generator<Context> {
  for (let current = from; current; current = current.parent) yield current;
}

export function assertActive(from: Context): void {
  for (const { controller } of lineage(from)) {
    if (!controller.signal.aborted) continue;
    const { reason } = controller.signal;
    throw new DOMException(`Operation aborted: ${String(reason)}`, "AbortError");
  }
}

export interface ContextOptions {
  readonly agentId?: string;
  readonly model?: ModelAdapter | undefined;
  readonly retries?: number | undefined;
  readonly turns?: number | undefined;
  readonly providers?: Record<string, unknown> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Runs in a context of its own. Resources are destroyed, last first, before the promise settles. */
export async function withContext<R>(
  options: ContextOptions,
  run: (opened: Context) => Promise<R>,
): Promise<R> {
  const parent = findContext();
  const controller = new AbortController();
  const unlink = [options.signal, parent?.controller.signal].map((signal) =>
    follow(signal, controller),
  );
  const opened: Context = {
    agentId: options.agentId ?? "",
    parent,
    model: options.model,
    limits: { retries: options.retries ?? 3, turns: options.turns ?? 10 },
    controller,
    memory: new Map(),
    resources: new Map(),
    providers: new Map(Object.entries(options.providers ?? {})),
    draft: emptyDraft(),
  };
  try {
    return await run(opened);
  } finally {
    controller.abort("the agent has ended");
    for (const held of [...opened.resources.values()].reverse()) await held.destroy();
    for (const off of unlink) off();
  }
}

function follow(signal: AbortSignal | undefined, controller: AbortController): () => void {
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort);
  return () => signal?.removeEventListener("abort", abort);
}
