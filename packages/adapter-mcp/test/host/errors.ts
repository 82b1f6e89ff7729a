/** An error of the host. Its guards go by `name`, so that two copies of the host agree. */
export class HostError extends Error {
  constructor(name: string, message: string, fields: object = {}) {
    super(message);
    this.name = name;
    Object.assign(this, fields);
  }
}

const named =
  (name: string) =>
  (error: unknown): boolean =>
    error instanceof Error && error.name === name;

export const isAbortError: (error: unknown) => boolean = named("AbortError");
export const isAfterPromptAgentError: (error: unknown) => boolean = named("AfterPromptAgentError");
export const isAttemptsExhaustedError: (error: unknown) => boolean =
  named("AttemptsExhaustedError");
export const isContextNotFoundError: (error: unknown) => boolean = named("ContextNotFoundError");
export const isDuplicateToolNameError: (error: unknown) => boolean =
  named("DuplicateToolNameError");
export const isModelNotFoundError: (error: unknown) => boolean = named("ModelNotFoundError");
export const isPromptAgentAlreadyCalledError: (error: unknown) => boolean = named(
  "PromptAgentAlreadyCalledError",
);
export const isResourceNotFoundError: (error: unknown) => boolean = named("ResourceNotFoundError");
export const isScopeError: (error: unknown) => boolean = named("ScopeError");
export const isToolLoopExceededError: (error: unknown) => boolean = named("ToolLoopExceededError");
