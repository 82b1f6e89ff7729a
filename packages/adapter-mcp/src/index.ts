export type { CallTarget, FacadeCallOptions } from "./calls.ts";
export type {
  CallToolResult,
  MCPClientAdapter,
  MCPListedTool,
  MCPResourceContents,
  MCPResourceDescriptor,
  McpCallToolContentBlock,
} from "./client-adapter.ts";
export { createEquipMCP, type EquipMCP } from "./equip.ts";
export {
  AdapterMCPError,
  type AdapterMCPErrorCode,
  type AdapterMCPErrorDetails,
  McpProtocolError,
  type McpProtocolErrorCode,
  type McpProtocolErrorPayload,
} from "./errors.ts";
export type { AdapterMCPEvent, OmittedTool, OnEvent } from "./event.ts";
export { toClientFacade } from "./facade.ts";
export { type FromMCPToolOptions, fromMCPTool, type MCPToolDescriptor } from "./from-mcp-tool.ts";
export {
  callMcpTool,
  type LoadMcpToolCatalogOptions,
  loadMcpToolCatalog,
  type McpCallClient,
  type McpCatalogClient,
  type McpJsonSchemaValidationIssue,
  type McpJsonSchemaValidationResult,
  type McpNativeToolDescriptor,
  type McpNormalizedCallResult,
  normalizeMcpCallResult,
  normalizeMcpToolCatalog,
  validateMcpToolArguments,
} from "./gateway.ts";
export type { CallStyle, EquipMCPOptions, InjectOptions, MCPKit } from "./kit.ts";
export type { AgentHost, CallParams, ListParams, MCPClientLike, PromptParams } from "./ports.ts";
export type {
  MCPPrompt,
  MCPPromptArgument,
  MCPPromptDescriptor,
  MCPPromptsKit,
} from "./prompts.ts";
export { equipMCP } from "./rejelly.ts";
export { type RejellyCore, rejellyHost } from "./rejelly-core.ts";
export type {
  ContentPart,
  MessageContent,
  ToolContent,
  ToolContext,
  ToolDefinition,
  ToolMiddleware,
} from "./tool-definition.ts";
