import type { MCPServerConfig } from "./config.ts";
import { FallbackTransport, SseTransport, StreamableHttpTransport } from "./http/transport.ts";
import { parseServerConfig } from "./parse-config.ts";
import { StdioTransport } from "./stdio/transport.ts";
import type { MCPTransport } from "./transport.ts";
import { checkTransportOptions, type TransportOptions } from "./transport-options.ts";

export type CreateTransportOptions = TransportOptions;

/**
 * The transport that a config asks for. Nothing is started yet.
 * @throws MCPTransportError `config`; `unsupported` for a protocol that engine v1 does not speak
 */
export function createTransport(
  config: MCPServerConfig,
  options: CreateTransportOptions = {},
): MCPTransport {
  checkTransportOptions(options);
  const parsed = parseServerConfig(config);
  if ("command" in parsed) return new StdioTransport(parsed, options);
  if (parsed.transport === "sse") return new SseTransport(parsed, options);
  if (parsed.transport === undefined) return new FallbackTransport(parsed, options);
  return new StreamableHttpTransport(parsed, options);
}
