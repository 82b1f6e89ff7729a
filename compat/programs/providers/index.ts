export { type AISDKPart, type AISDKTool, aiSDKTools } from "./ai-sdk.ts";
export {
  type AnthropicAnswer,
  type AnthropicPart,
  type AnthropicTool,
  answerAnthropic,
  anthropicParts,
  anthropicTools,
} from "./anthropic.ts";
export { langChainSchema } from "./langchain.ts";
export { type ObjectSchema, objectSchema } from "./object-schema.ts";
export {
  answerOpenAI,
  type OpenAIAnswer,
  type OpenAIPart,
  type OpenAITool,
  openAIParts,
  openAITools,
} from "./openai.ts";
