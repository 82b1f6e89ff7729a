import type { FacadeCallOptions } from "./calls.ts";
import type { ListParams } from "./ports.ts";

/** A block of a result; of a type that is unknown here, whatever the server sent. */
export type McpCallToolContentBlock =
  | { type: "text"; text: string }
  | { type: "image"; data: string; mimeType: string }
  | { type: "audio"; data: string; mimeType: string }
  | {
      type: "resource";
      resource: { uri: string; text?: string; blob?: string; mimeType?: string };
    }
  | { type: string; [key: string]: unknown };

export interface CallToolResult {
  content: McpCallToolContentBlock[];
  isError?: boolean;
  [key: string]: unknown;
}

export interface MCPResourceDescriptor {
  uri: string;
  name: string;
  description?: string;
  mimeType?: string;
}

export interface MCPListedTool {
  name: string;
  description?: string;
  inputSchema?: Record<string, unknown>;
  [key: string]: unknown;
}

export interface MCPResourceContents {
  uri: string;
  mimeType?: string;
  text?: string;
  blob?: string;
  [key: string]: unknown;
}

/**
 * A client that takes names and arguments one by one, as `expectResource<MCPClientAdapter>` names
 * it; `toClientFacade` makes one of any client.
 */
export interface MCPClientAdapter {
  close(): Promise<void>;
  listTools(
    params?: ListParams,
    options?: { readonly signal?: AbortSignal },
  ): Promise<MCPListedTool[] | { tools: MCPListedTool[]; nextCursor?: string }>;
  /** The result as the server sent it, `isError` included. */
  callTool(
    name: string,
    args: Record<string, unknown>,
    options?: FacadeCallOptions,
  ): Promise<CallToolResult>;
  listResources(
    params?: ListParams,
    options?: { readonly signal?: AbortSignal },
  ): Promise<MCPResourceDescriptor[] | { resources: MCPResourceDescriptor[]; nextCursor?: string }>;
  readResource(
    uri: string | { uri: string },
    options?: { readonly signal?: AbortSignal },
  ): Promise<{ contents: MCPResourceContents[] }>;
  getPrompt?(...args: unknown[]): Promise<unknown>;
  listPrompts?(...args: unknown[]): Promise<unknown>;
}
