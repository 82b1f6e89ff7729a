import type { z } from "zod";

/** The part of `@rejelly/core` 0.1.0 that this suite drives, as its documentation states it. */

export type ContentPart =
  | { type: "text"; text: string }
  | { type: "image"; image: { url: string; detail?: "auto" | "low" | "high" } }
  | { type: "video"; video: { url: string } };
export type MessageContent = string | ContentPart[];

export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}
export interface Message {
  role: "system" | "user" | "assistant" | "tool";
  content: MessageContent | null;
  tool_calls?: ToolCall[];
  tool_call_id?: string;
}

export interface ToolContext {
  toolName: string;
  input: unknown;
  parameters: z.ZodTypeAny;
  description: string;
  metadata: { agentId: string; [key: string]: unknown };
  readonly definition: ToolDefinition;
}
export interface ToolMiddleware {
  name: string;
  handler: (context: ToolContext, next: () => Promise<unknown>) => Promise<unknown>;
  config?: Record<string, unknown>;
}
export interface ToolDefinition<T extends z.ZodTypeAny = z.ZodTypeAny> {
  name: string;
  description: string;
  parameters: T;
  handler: (args: z.infer<T>) => Promise<unknown>;
  middlewares?: ToolMiddleware[];
}

export type StreamEvent =
  | { type: "text"; content: string }
  | {
      type: "tool_call";
      toolCall: { index: number; id?: string; name?: string; arguments?: string };
    }
  | { type: "finish"; finishReason: "stop" | "tool_calls" };
export interface ModelAdapter {
  id: string;
  stream(
    messages: Message[],
    options?: { schema?: object; tools?: ToolDefinition[]; signal?: AbortSignal },
  ): AsyncGenerator<StreamEvent>;
}

export interface RebornSignal<P = unknown> {
  readonly newProps?: P | undefined;
}
export interface AgentConfig<P, R> {
  id: string;
  model?: ModelAdapter;
  maxRetries?: number;
  maxTurnSteps?: number;
  maxReborns?: number;
  handler: (props: P) => Promise<R | RebornSignal<P>>;
}
export interface AgentFunction<P, R> {
  (props?: P): Promise<R>;
  readonly id: string;
}
export interface RunWithOptions {
  providers?: Record<string, unknown>;
  model?: ModelAdapter;
  signal?: AbortSignal;
}
export interface ResourceConfig<T> {
  create: () => Promise<T>;
  destroy?: (resource: T) => Promise<void>;
  deps: unknown[];
  expose?: boolean;
}
export type Setter<T> = (next: T | ((previous: T) => T)) => void;

export interface RejellyCore {
  createAgent<P = unknown, R = unknown>(config: AgentConfig<P, R>): AgentFunction<P, R>;
  runWith<R>(run: () => Promise<R>, options?: RunWithOptions): Promise<R>;
  promptAgent<T extends z.ZodTypeAny>(schema: T): Promise<z.infer<T>>;
  reborn<P>(newProps?: P): RebornSignal<P>;
  equipTool<T extends z.ZodTypeAny>(
    tool: ToolDefinition<T>,
    options?: { middleware?: ToolMiddleware[] },
  ): void;
  equipMemory<T>(key: string, initial: T): [T, Setter<T>];
  equipMemo<T>(key: string, factory: () => Promise<T> | T, deps: readonly unknown[]): Promise<T>;
  equipResource<T>(key: string, config: ResourceConfig<T>): Promise<T>;
  expectResource<T = unknown>(key: string): T;
  expectResource<T>(key: string, options: { optional: true }): T | undefined;
  equipScope(data: object): void;
  expectScope<T extends z.ZodTypeAny>(schema: T): z.infer<T>;
  equipInstruction(content: MessageContent): void;
  equipSystem(text: string): void;
  callTool(tool: ToolDefinition, args: Record<string, unknown>): Promise<unknown>;
  getContextSignal(): AbortSignal | undefined;
  instrument<T extends object>(target: T, options: { name: string; ops: (keyof T)[] }): T;
  toolContent(parts: ContentPart[]): { $rejellyContent: ContentPart[] };
  isToolContent(value: unknown): boolean;
  readonly TOOL_CONTENT_KEY: string;
  isAbortError(error: unknown): boolean;
  isAfterPromptAgentError(error: unknown): boolean;
  isContextNotFoundError(error: unknown): boolean;
  isDuplicateToolNameError(error: unknown): boolean;
  isModelNotFoundError(error: unknown): boolean;
  isPromptAgentAlreadyCalledError(error: unknown): boolean;
  isResourceNotFoundError(error: unknown): boolean;
  isScopeError(error: unknown): boolean;
  isToolLoopExceededError(error: unknown): boolean;
  isAttemptsExhaustedError(error: unknown): boolean;
}
