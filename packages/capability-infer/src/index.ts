export { type BaseVerdict, baseTable, inferFromBaseTable } from "./base-table.ts";
export type { Capability, CapabilityField, Conflict, Evidence } from "./capability.ts";
export { type InferableTool, type InferOptions, inferCapabilities } from "./infer.ts";
export type { Effect } from "./lexicon/entry.ts";
export { splitName } from "./words.ts";
