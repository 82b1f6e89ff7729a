import type { MCPServerConfig } from "./config.ts";
import type { Negotiation } from "./engine/negotiation.ts";
import { MCPTransportError } from "./errors.ts";
import { wrong } from "./options.ts";

export interface TransportOptions {
  /** The longest message that is accepted; a longer one rejects with `limit`. @defaultValue 64 MiB */
  readonly maxMessageBytes?: number;
  /**
   * The SDK that speaks the protocol; `v2` needs the package `@modelcontextprotocol/client`.
   * @defaultValue "v1" for protocol `legacy`, else "v2"
   */
  readonly engine?: "v1" | "v2";
}

/** @throws MCPTransportError `config` */
export function checkTransportOptions(options: unknown): asserts options is TransportOptions {
  if (typeof options !== "object" || options === null) {
    throw wrong("options", 'an object such as { engine: "v1" }', options);
  }
  const bytes: unknown = Reflect.get(options, "maxMessageBytes");
  if (bytes === undefined) return;
  if (typeof bytes !== "number" || !Number.isSafeInteger(bytes) || bytes < 1) {
    throw wrong("maxMessageBytes", "a whole number of bytes above 0", bytes);
  }
}

/** @throws MCPTransportError `config`; `unsupported` for a protocol that engine v1 does not speak */
export function negotiationOf(
  { name, protocol = "legacy" }: Partial<Pick<MCPServerConfig, "name" | "protocol">>,
  { engine = protocol === "legacy" ? "v1" : "v2" }: Pick<TransportOptions, "engine">,
): Negotiation {
  if (engine !== "v1" && engine !== "v2") throw wrong("engine", '"v1" or "v2"', engine);
  if (engine === "v1" && protocol !== "legacy") {
    throw new MCPTransportError(
      "unsupported",
      `${name === undefined ? "" : `config of server ${JSON.stringify(name)}: `}engine: v1 speaks no protocol version after 2025-11-25, so protocol "${protocol}" needs engine v2 (npm install @modelcontextprotocol/client)`,
      { field: "engine", delivery: "not_sent" },
    );
  }
  return { engine, protocol, legacy: false };
}
