import type { infer as Infer, ZodTypeAny } from "zod";

/** What a model is shown besides text. */
export type ContentPart =
  | { type: "text"; text: string }
  | { type: "image"; image: { url: string; detail?: "auto" | "low" | "high" } }
  | { type: "video"; video: { url: string } };

/** What `equipInstruction` takes. */
export type MessageContent = string | ContentPart[];

/** A tool's result that the host hands to the model as parts. */
export interface ToolContent {
  readonly $rejellyContent: ContentPart[];
}

/** `ToolContext` of `@rejelly/core`. */
export interface ToolContext {
  toolName: string;
  /** The arguments that the handler gets. */
  input: unknown;
  parameters: ZodTypeAny;
  description: string;
  metadata: { agentId: string; sessionId?: string; traceId?: string; [key: string]: unknown };
  readonly definition: ToolDefinition;
}

/** `ToolMiddleware` of `@rejelly/core`. */
export interface ToolMiddleware {
  name: string;
  handler: (context: ToolContext, next: () => Promise<unknown>) => Promise<unknown>;
  config?: Record<string, unknown>;
}

/** `ToolDefinition` of `@rejelly/core`; the Zod is the one at the root of your installation. */
export interface ToolDefinition<Parameters extends ZodTypeAny = ZodTypeAny> {
  name: string;
  description: string;
  parameters: Parameters;
  handler: (args: Infer<Parameters>) => Promise<unknown>;
  middlewares?: ToolMiddleware[];
}
