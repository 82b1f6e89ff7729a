import { createTransport, type MCPServerConfig } from "@x/mcp-transport";
import { MCPToolAdapter, type MCPToolAdapterOptions } from "../src/index.ts";

export const engines = ["v1", "v2"] as const;
export type Engine = (typeof engines)[number];

/** An adapter over the SDK that is named, whatever the config would choose. */
export function adapterOver(
  engine: Engine,
  config: MCPServerConfig,
  options: MCPToolAdapterOptions = {},
): MCPToolAdapter {
  return new MCPToolAdapter(config, { transport: createTransport(config, { engine }), ...options });
}
