import { type MCPServerConfig, parseServerConfig, TRANSPORT_DEFAULTS } from "@x/mcp-transport";
import { MCPAdapterError, messageOf } from "./errors.ts";
import { readTimeout } from "./timeout.ts";

/** What is left of a config where `options.transport` says how to reach the server. */
export type MCPServerIdentity = Pick<
  MCPServerConfig,
  "name" | "connectTimeoutMs" | "requestTimeoutMs" | "idleTimeoutMs" | "trust"
>;

export type AdapterConfig = Required<MCPServerIdentity>;

/** @throws MCPAdapterError `config`, naming the field and what was expected */
export function readConfig(config: unknown): MCPServerConfig {
  try {
    return parseServerConfig(config);
  } catch (error) {
    const server = nameOf(config);
    throw new MCPAdapterError("config", messageOf(error), {
      ...(server !== undefined && { server }),
      cause: error,
    });
  }
}

/** The part of the config the adapter itself reads, its defaults filled in. */
export function adapterConfig(config: MCPServerIdentity): AdapterConfig {
  const name = nameOf(config);
  if (name === undefined || name === "" || name.includes("/")) {
    throw new MCPAdapterError("config", "name must be a string, not empty and without /");
  }
  const { trust = "none" } = config;
  if (trust !== "none" && trust !== "annotations") {
    throw new MCPAdapterError("config", 'trust must be "none" or "annotations"', { server: name });
  }
  const timeout = (field: "connectTimeoutMs" | "requestTimeoutMs" | "idleTimeoutMs") =>
    readTimeout(config[field], field) ?? TRANSPORT_DEFAULTS[field];
  return {
    name,
    trust,
    connectTimeoutMs: timeout("connectTimeoutMs"),
    requestTimeoutMs: timeout("requestTimeoutMs"),
    idleTimeoutMs: timeout("idleTimeoutMs"),
  };
}

function nameOf(config: unknown): string | undefined {
  const name: unknown =
    typeof config === "object" && config !== null && "name" in config ? config.name : undefined;
  return typeof name === "string" ? name : undefined;
}
