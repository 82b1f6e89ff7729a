import { ToolSchemaError } from "@x/tool-schema";
import { callsOf } from "./calls.ts";
import { McpProtocolError, type McpProtocolErrorCode, messageOf } from "./errors.ts";
import { freezeDeep } from "./freeze.ts";
import { isObject, type JsonObject, quoted } from "./json.ts";
import { listAll } from "./list.ts";
import { compileArguments } from "./parameters.ts";

export interface McpCatalogClient {
  listTools(params?: { cursor?: string }): Promise<unknown>;
}

export interface McpCallClient {
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
}

export interface McpNativeToolDescriptor {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Only of a tool that runs as a task. */
  readonly execution?: { readonly taskSupport: string };
}

export interface LoadMcpToolCatalogOptions {
  /** @defaultValue true */
  readonly autoPaginate?: boolean;
  /** A longer list is an error. @defaultValue 1_000 */
  readonly maxItems?: number;
}

export interface McpJsonSchemaValidationIssue {
  /** JSON pointer into the arguments. */
  readonly instancePath: string;
  /** Not told: always `""`. */
  readonly schemaPath: string;
  readonly keyword: string;
  readonly message: string;
}

export type McpJsonSchemaValidationResult =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly reason: "invalid_schema" | "invalid_arguments";
      readonly issues: readonly McpJsonSchemaValidationIssue[];
    };

export interface McpNormalizedCallResult {
  readonly content: readonly Readonly<Record<string, unknown>>[];
  readonly isError: boolean;
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

/**
 * The tools of a list, checked, sorted by name, copied and frozen. One bad tool refuses the list;
 * `equipMCP` is the one that leaves it out.
 *
 * @throws McpProtocolError
 */
export function normalizeMcpToolCatalog(
  tools: readonly unknown[],
): readonly McpNativeToolDescriptor[] {
  const byName = new Map<string, McpNativeToolDescriptor>();
  for (const item of tools) {
    const tool = normalizeTool(item);
    if (byName.has(tool.name)) {
      throw refused("duplicate_tool_name", "is listed twice", tool.name);
    }
    byName.set(tool.name, tool);
  }
  const sorted = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return Object.freeze(sorted);
}

function normalizeTool(item: unknown): McpNativeToolDescriptor {
  if (!isObject(item) || typeof item["name"] !== "string" || item["name"] === "") {
    const message = "a tool of the list has no name";
    throw new McpProtocolError(message, { code: "invalid_tool_name" });
  }
  const { name, title, description, execution } = item;
  if (description !== undefined && typeof description !== "string") {
    throw refused("invalid_tool_description", "its description is no string", name);
  }
  const inputSchema = item["inputSchema"] ?? { type: "object", properties: {} };
  if (!isObject(inputSchema)) {
    throw refused("invalid_tool_schema", "its inputSchema is no object", name);
  }
  const task = isObject(execution) ? execution["taskSupport"] : undefined;
  try {
    return freezeDeep({
      name,
      ...(typeof title === "string" && { title }),
      ...(description !== undefined && { description }),
      inputSchema: structuredClone(inputSchema),
      ...(typeof task === "string" && { execution: { taskSupport: task } }),
    });
  } catch (cause) {
    throw refused("invalid_tool_schema", "its inputSchema cannot be copied", name, cause);
  }
}

function refused(
  code: McpProtocolErrorCode,
  why: string,
  toolName: string,
  cause?: unknown,
): McpProtocolError {
  return new McpProtocolError(`tool ${quoted(toolName)}: ${why}`, { code, toolName, cause });
}

/**
 * All tools of a server, straight from the client: nothing is remembered.
 *
 * @throws McpProtocolError, and what the client rejects with
 */
export async function loadMcpToolCatalog(
  client: McpCatalogClient,
  options: LoadMcpToolCatalogOptions = {},
): Promise<readonly McpNativeToolDescriptor[]> {
  const { autoPaginate = true, maxItems = 1_000 } = options;
  if (!Number.isSafeInteger(maxItems) || maxItems < 1) {
    const message = `maxItems must be a positive integer, got ${maxItems}`;
    throw new McpProtocolError(message, { code: "invalid_catalog_limit" });
  }
  const items = await listAll(callsOf(client), "tools", {
    maxItems,
    warn: () => undefined,
    cut: (page) => (autoPaginate ? page : { items: page.items }),
  });
  return normalizeMcpToolCatalog(items);
}

/** Judges arguments by the server's own schema, as the tools of a kit do. Never throws. */
export function validateMcpToolArguments(
  inputSchema: Readonly<Record<string, unknown>>,
  argumentsValue: Record<string, unknown>,
): McpJsonSchemaValidationResult {
  try {
    const verdict = compileArguments(inputSchema).validate(argumentsValue);
    if (verdict.ok) return { ok: true };
    const issues = verdict.issues.map(({ pointer, keyword, message }) => ({
      instancePath: pointer,
      schemaPath: "",
      keyword,
      message,
    }));
    return { ok: false, reason: "invalid_arguments", issues };
  } catch (error) {
    const isOfValue = error instanceof ToolSchemaError && error.code === "unreadable";
    return {
      ok: false,
      reason: isOfValue ? "invalid_arguments" : "invalid_schema",
      issues: [{ instancePath: "", schemaPath: "", keyword: "schema", message: messageOf(error) }],
    };
  }
}

/**
 * A result, checked, copied and frozen, its blocks as the server sent them.
 *
 * @throws McpProtocolError `invalid_call_result` for one that breaks the protocol
 */
export function normalizeMcpCallResult(raw: unknown): McpNormalizedCallResult {
  const { content, isError = false, structuredContent } = isObject(raw) ? raw : {};
  if (!Array.isArray(content)) throw invalid("has no content");
  if (typeof isError !== "boolean") throw invalid("isError is no boolean");
  if (structuredContent !== undefined && !isObject(structuredContent)) {
    throw invalid("structuredContent is no object");
  }
  const blocks = content.map(checkedBlock);
  try {
    return freezeDeep({
      content: structuredClone(blocks),
      isError,
      ...(structuredContent && { structuredContent: structuredClone(structuredContent) }),
    });
  } catch (cause) {
    throw invalid("cannot be copied", cause);
  }
}

function checkedBlock(block: unknown, index: number): JsonObject {
  if (!isObject(block) || typeof block["type"] !== "string" || block["type"] === "") {
    throw invalid(`block ${index} has no type`);
  }
  const { type, resource } = block;
  const needed = { text: ["text"], image: ["data", "mimeType"], audio: ["data", "mimeType"] };
  const missing = new Map(Object.entries(needed))
    .get(String(type))
    ?.find((key) => typeof block[key] !== "string");
  if (missing !== undefined) throw invalid(`block ${index} (${type}) has no ${missing}`);
  if (type === "resource" && !(isObject(resource) && typeof resource["uri"] === "string")) {
    throw invalid(`block ${index} (resource) has no uri`);
  }
  return block;
}

function invalid(why: string, cause?: unknown): McpProtocolError {
  const message = `the answer to tools/call: ${why}`;
  return new McpProtocolError(message, { code: "invalid_call_result", cause });
}

/**
 * One call, its result normalized.
 *
 * @throws McpProtocolError, and what the client rejects with
 */
export async function callMcpTool(
  client: McpCallClient,
  name: string,
  argumentsValue: Record<string, unknown>,
): Promise<McpNormalizedCallResult> {
  return normalizeMcpCallResult(await callsOf(client).callTool({ name }, argumentsValue));
}
