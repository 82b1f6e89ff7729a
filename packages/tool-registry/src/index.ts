export {
  type Approval,
  type ApprovalOptions,
  type ApprovalRequest,
  requireApproval,
} from "./approval.ts";
export type {
  CapabilityClaims,
  CapabilityField,
  Effect,
  Evidence,
  ToolCapability,
} from "./capability.ts";
export type { ChangeListener, ToolChange } from "./change-events.ts";
export type {
  AudioContent,
  ImageContent,
  OtherContent,
  ResourceContent,
  ResourceLinkContent,
  TextContent,
  ToolContent,
} from "./content.ts";
export type { NamespaceCost, RegistryCost, ToolCost } from "./cost.ts";
export {
  defineTool,
  type JsonSchemaTool,
  type OwnToolContext,
  type SchemaTool,
  type StructuredReturn,
} from "./define-tool.ts";
export {
  ToolRegistryError,
  type ToolRegistryErrorCode,
  type ToolRegistryErrorDetails,
} from "./errors.ts";
export type { ToolFilter, ToolPredicate, ToolSelection } from "./filter.ts";
export type { NextMiddleware, ToolCall, ToolMiddleware } from "./middleware.ts";
export {
  type ModelNames,
  type ModelNamesOptions,
  modelNames,
  type NameClash,
} from "./model-names.ts";
export {
  type ModelTool,
  type ModelTools,
  type ModelToolsOptions,
  modelTools,
  type ToolLister,
} from "./model-tools.ts";
export type { AppliedOverride } from "./override-merge.ts";
export type {
  OverrideOptions,
  OverrideSource,
  SkillOverrideFile,
  ToolOverrideFile,
  UnmatchedOverride,
} from "./override-store.ts";
export {
  type OverrideDocument,
  type OverrideField,
  type OverrideFields,
  type OverridePosition,
  parseOverrides,
  type ToolOverride,
} from "./overrides.ts";
export type { ToolDescription } from "./registrations.ts";
export {
  type AppliedOverrides,
  type NamespaceChange,
  ToolRegistry,
} from "./registry.ts";
export {
  type Ran,
  type ToolErrorCode,
  type ToolFailure,
  type ToolFailureParts,
  type ToolIssue,
  type ToolResult,
  type ToolSuccess,
  type ToolSuccessParts,
  type ToolWarning,
  toolFailure,
  toolSuccess,
} from "./result.ts";
export {
  type LinkPart,
  type MediaPart,
  type ResultPart,
  resultParts,
  type TextPart,
} from "./result-parts.ts";
export { type ResultTextOptions, resultText } from "./result-text.ts";
export type {
  InputOf,
  OutputOf,
  StandardIssue,
  StandardResult,
  StandardSchema,
} from "./standard-schema.ts";
export type {
  CallArguments,
  JsonSchema,
  RegisteredTool,
  StructuredOf,
  ToolCallContext,
  ToolMap,
  ToolProgress,
  ToolSpec,
  ToolTypes,
  ToolValidation,
  TypedTools,
  TypesOf,
} from "./tool.ts";
