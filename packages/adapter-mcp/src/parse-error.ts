import { MCPParseError } from "@x/mcp-parse";
import {
  AdapterMCPError,
  McpProtocolError,
  type McpProtocolErrorCode,
  messageOf,
} from "./errors.ts";
import { quoted } from "./json.ts";

/** What a reader of lists rejects with, under the codes of this package. */
export function listError(error: unknown): unknown {
  if (!(error instanceof MCPParseError)) return error;
  return new McpProtocolError(error.message, { code: listCode(error), cause: error });
}

function listCode({ code, path }: MCPParseError): McpProtocolErrorCode {
  if (code === "limit") return "catalog_limit_exceeded";
  return path === "/nextCursor" ? "invalid_cursor" : "invalid_catalog_shape";
}

/**
 * Reads the answer to a request for one thing.
 *
 * @param name of what was asked for
 * @throws AdapterMCPError `code`; for `invalid_call_result` it is a McpProtocolError
 */
export function readAnswer<T>(
  code: "invalid_call_result" | "invalid_prompt" | "invalid_resource",
  name: string,
  read: () => T,
): T {
  try {
    return read();
  } catch (cause) {
    const message = `${quoted(name)}: ${messageOf(cause)}`;
    if (code !== "invalid_call_result") throw new AdapterMCPError(code, message, { cause });
    throw new McpProtocolError(`tool ${message}`, { code, toolName: name, cause });
  }
}

/** JSON-RPC: the server has no such method. */
const METHOD_NOT_FOUND = -32_601;

/** Whether a server says that it has no such method, however a client wraps that. */
export function isMethodNotFound(error: unknown): boolean {
  const seen = new Set<unknown>();
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at);
    if ("code" in at && at.code === METHOD_NOT_FOUND) return true;
    if (at.message.includes(String(METHOD_NOT_FOUND))) return true;
  }
  return false;
}
