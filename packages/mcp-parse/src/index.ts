export {
  type AudioBlock,
  type ContentBlock,
  type EmbeddedResourceBlock,
  type ImageBlock,
  isKnownBlock,
  type KnownBlock,
  type OtherBlock,
  type ResourceContents,
  type ResourceLinkBlock,
  type TextBlock,
} from "./blocks.ts";
export { readContent } from "./content.ts";
export { MCPParseError, type MCPParseErrorCode } from "./errors.ts";
export type { QuarantineCode, Quarantined } from "./items.ts";
export type { JsonObject } from "./json.ts";
export { collectPages, type Page, type PageLimits, readPage } from "./pages.ts";
export { type Prompt, type PromptMessage, readPrompt } from "./prompt-messages.ts";
export {
  type MCPPromptDescriptor,
  type PromptArgument,
  type PromptReading,
  readPromptDescriptor,
  readPromptDescriptors,
} from "./prompts.ts";
export { type Resource, readResource } from "./resource-contents.ts";
export {
  type MCPResourceDescriptor,
  type MCPResourceTemplate,
  type ResourceReading,
  type ResourceTemplateReading,
  readResourceDescriptor,
  readResourceDescriptors,
  readResourceTemplate,
  readResourceTemplates,
} from "./resources.ts";
export { type CallResult, errorText, readCallResult } from "./results.ts";
export { contentToText, type TextOptions } from "./text.ts";
export { type MCPToolDescriptor, readTool, readTools, type ToolReading } from "./tools.ts";
export { expandUriTemplate, type TemplateValues } from "./uri-templates.ts";
export type { Warning, WarningCode } from "./warnings.ts";
