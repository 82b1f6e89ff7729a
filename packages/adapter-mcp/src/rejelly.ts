import { createEquipMCP } from "./equip.ts";
import type { EquipMCPOptions, MCPKit } from "./kit.ts";
import type { MCPClientLike } from "./ports.ts";
import { installedHost } from "./rejelly-core.ts";

/**
 * Discovers what a connected client offers, as a kit for the Rejelly agent that is running. To be
 * called inside its handler; the list of tools is remembered as long as the agent.
 *
 * Rejects with what the client rejects with, unchanged.
 *
 * @throws AdapterMCPError `core_missing`, `invalid_port`, `config`, `tools_missing`,
 * `duplicate_name`; McpProtocolError for a list that is none
 */
export async function equipMCP<Client extends MCPClientLike>(
  client: Client,
  options: EquipMCPOptions,
): Promise<MCPKit<Client>> {
  return createEquipMCP(await installedHost())(client, options);
}
