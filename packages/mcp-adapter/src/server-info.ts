import type { ConnectionInfo, JsonObject } from "@x/mcp-transport";

/** What the server said of itself in the handshake. */
export interface MCPServerInfo {
  readonly protocolVersion: string;
  readonly era: "legacy" | "modern";
  readonly name?: string;
  readonly version?: string;
  readonly capabilities: JsonObject;
  readonly instructions?: string;
}

export function serverInfo(info: ConnectionInfo): MCPServerInfo {
  const { protocolVersion, era, server, capabilities, instructions } = info;
  return {
    protocolVersion,
    era,
    ...(server.name !== undefined && { name: server.name }),
    ...(server.version !== undefined && { version: server.version }),
    capabilities,
    ...(instructions !== undefined && { instructions }),
  };
}
