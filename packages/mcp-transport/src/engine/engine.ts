import type { JsonObject } from "../connection.ts";
import { MCPTransportError } from "../errors.ts";
import type { OpenOptions } from "../transport.ts";
import type { MCPWire } from "../wire.ts";

export type EngineName = "v1" | "v2";

/** How an opening finds the era: `auto` asks first, and shakes hands the old way if the answer is no. */
export type EraChoice = "legacy" | "auto" | "modern";

export interface EngineOptions
  extends Required<Pick<OpenOptions, "clientInfo">>,
    Pick<OpenOptions, "onElicit" | "roots"> {
  readonly era: EraChoice;
  /** How long a server may take to say which era it speaks. */
  readonly probeTimeoutMs: number;
  onDiagnostic(error: Error): void;
}

/** The streams of a modern server that say what changed. */
export interface Subscription {
  /** `local` if we closed it. */
  readonly closed: Promise<"local" | "graceful" | "remote">;
  close(): Promise<void>;
}

/** A client that has shaken hands. */
export interface EngineClient {
  /**
   * Hands the request to the port before it returns. How it ends is read from the port; what this
   * promise says counts only if the port says nothing.
   */
  request(
    method: string,
    params: JsonObject,
    signal: AbortSignal,
    headers?: Readonly<Record<string, string>>,
  ): Promise<unknown>;
  /** Only in the modern era. */
  listen?(filter: Readonly<Record<string, boolean>>, timeoutMs: number): Promise<Subscription>;
}

/** Makes a fresh client of an SDK and shakes hands. No SDK type leaves an engine. */
export type Engine = (port: MCPWire, options: EngineOptions) => Promise<EngineClient>;

/**
 * The SDK is loaded when the first connection is opened.
 * @throws MCPTransportError `unsupported` if the package of engine v2 is not installed
 */
export async function loadEngine(name: EngineName): Promise<Engine> {
  if (name === "v1") {
    const { connectV1 } = await import("./v1.ts");
    return connectV1;
  }
  try {
    const { connectV2 } = await import("./v2.ts");
    return connectV2;
  } catch (cause) {
    throw missingClient(cause);
  }
}

function missingClient(cause: unknown): MCPTransportError {
  return new MCPTransportError(
    "unsupported",
    "engine v2 needs a package that is not installed: npm install @modelcontextprotocol/client",
    { cause, delivery: "not_sent" },
  );
}
