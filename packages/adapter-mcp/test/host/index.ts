export { createAgent, getContextSignal, reborn, runWith } from "./agent.ts";
export {
  isAbortError,
  isAfterPromptAgentError,
  isAttemptsExhaustedError,
  isContextNotFoundError,
  isDuplicateToolNameError,
  isModelNotFoundError,
  isPromptAgentAlreadyCalledError,
  isResourceNotFoundError,
  isScopeError,
  isToolLoopExceededError,
} from "./errors.ts";
export { instrument } from "./instrument.ts";
export { equipMemo, equipMemory } from "./memory.ts";
export { equipInstruction, equipSystem, promptAgent } from "./prompt.ts";
export { equipResource, expectResource } from "./resource.ts";
export { equipScope, expectScope } from "./scope.ts";
export {
  callTool,
  equipTool,
  isToolContent,
  TOOL_CONTENT_KEY,
  toolContent,
} from "./tools.ts";
