import type { ConnectionInfo, JsonObject } from "../connection.ts";
import { MCPTransportError } from "../errors.ts";

export type Handshake = Omit<ConnectionInfo, "pid">;

/** The version that has no handshake; every request says what the client can. */
export const modernVersion = "2026-07-28";

// The versions that have an `initialize` handshake.
const legacyVersions = ["2024-10-07", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/**
 * Reads the answer to `initialize`. Only the protocol version has to be there.
 * @returns an error `invalid_result` or `unsupported` if it is of no use
 */
export function readHandshake(label: string, result: JsonObject): Handshake | MCPTransportError {
  const { protocolVersion, serverInfo, capabilities, instructions } = result;
  if (typeof protocolVersion !== "string") {
    return new MCPTransportError("invalid_result", `${label}: the answer has no protocolVersion`);
  }
  if (!legacyVersions.includes(protocolVersion)) {
    return new MCPTransportError(
      "unsupported",
      `${label}: the server wants protocol version ${protocolVersion.slice(0, 40)}, which engine v1 does not speak`,
    );
  }
  return {
    protocolVersion,
    era: "legacy",
    server: isObject(serverInfo) ? readServer(serverInfo) : {},
    capabilities: isObject(capabilities) ? capabilities : {},
    ...(typeof instructions === "string" && { instructions }),
  };
}

/**
 * Reads the answer to `server/discover`.
 * @returns nothing if it is not one of 2026-07-28
 */
export function readDiscovery(result: JsonObject): Handshake | undefined {
  const { supportedVersions, capabilities, instructions, serverInfo, _meta } = result;
  if (!Array.isArray(supportedVersions) || !supportedVersions.includes(modernVersion)) {
    return undefined;
  }
  const meta = isObject(_meta) ? _meta["io.modelcontextprotocol/serverInfo"] : undefined;
  const server = [meta, serverInfo].find(isObject);
  return {
    protocolVersion: modernVersion,
    era: "modern",
    server: server === undefined ? {} : readServer(server),
    capabilities: isObject(capabilities) ? capabilities : {},
    ...(typeof instructions === "string" && { instructions }),
  };
}

function readServer({ name, version, title }: JsonObject): ConnectionInfo["server"] {
  return {
    ...(typeof name === "string" && { name }),
    ...(typeof version === "string" && { version }),
    ...(typeof title === "string" && { title }),
  };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
