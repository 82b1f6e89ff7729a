export {
  type AISDKOutput,
  type AISDKPart,
  type AISDKTool,
  aiSDKTools,
} from "./providers/ai-sdk.ts";
export {
  type AnthropicAnswer,
  type AnthropicPart,
  type AnthropicTool,
  answerAnthropic,
  anthropicParts,
  anthropicTools,
} from "./providers/anthropic.ts";
export { langChainSchema } from "./providers/langchain.ts";
export type { ImageType } from "./providers/model-parts.ts";
export { type ObjectSchema, objectSchema } from "./providers/object-schema.ts";
export {
  answerOpenAI,
  type OpenAIAnswer,
  type OpenAIPart,
  type OpenAITool,
  openAIParts,
  openAITools,
} from "./providers/openai.ts";
