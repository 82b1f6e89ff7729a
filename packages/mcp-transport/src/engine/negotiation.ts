import { TRANSPORT_DEFAULTS } from "../config.ts";
import type { MCPConnection } from "../connection.ts";
import { MCPTransportError, type MCPTransportErrorCode } from "../errors.ts";
import type { OpenOptions } from "../transport.ts";
import type { EngineName, EraChoice } from "./engine.ts";
import type { EngineWire } from "./engine-wire.ts";
import { openConnection } from "./open.ts";
import type { SessionSettings } from "./session.ts";

export interface Negotiation {
  readonly engine: EngineName;
  readonly protocol: "legacy" | "auto" | "2026-07-28";
  /** Whether a former opening found a server of before 2026-07-28. */
  legacy: boolean;
}

/** What says nothing about the era of a server, or that there is no time to ask again. */
const final: readonly MCPTransportErrorCode[] = [
  "aborted",
  "blocked",
  "config",
  "refused",
  "spawn",
  "timeout",
];

/**
 * Opens a connection in the era that the protocol asks for. With `auto`, a server that does not answer
 * as one of 2026-07-28 has to is tried once more, over a fresh wire, with the handshake of before.
 * @throws MCPTransportError, after every wire has been closed
 */
export async function negotiate(
  createWire: () => EngineWire,
  settings: SessionSettings,
  options: OpenOptions,
  negotiation: Negotiation,
): Promise<MCPConnection> {
  const { engine, protocol } = negotiation;
  const { timeoutMs = TRANSPORT_DEFAULTS.connectTimeoutMs } = options;
  const end = performance.now() + timeoutMs;
  let undecided = true;
  let attempts = 0;
  const attempt = (era: EraChoice): Promise<MCPConnection> => {
    // All of it for the first of them.
    const left = attempts === 0 ? timeoutMs : Math.max(1, Math.ceil(end - performance.now()));
    attempts += 1;
    return openConnection(
      createWire(),
      settings,
      { ...options, timeoutMs: left },
      {
        engine,
        era,
        probeTimeoutMs: era === "auto" ? left / 2 : left,
        onInitialize: () => {
          undecided = false;
        },
      },
    );
  };
  if (protocol !== "auto") return attempt(protocol === "legacy" ? "legacy" : "modern");
  if (negotiation.legacy) {
    try {
      return await attempt("legacy");
    } catch (error) {
      if (!speaksOnlyModern(error)) throw error;
      // It has been renewed since.
      negotiation.legacy = false;
      undecided = true;
    }
  }
  const connection = await attempt("auto").catch((error: unknown) => {
    if (!undecided || !mayBeLegacy(error)) throw error;
    return attempt("legacy");
  });
  negotiation.legacy = connection.info.era === "legacy";
  return connection;
}

function mayBeLegacy(error: unknown): boolean {
  if (!(error instanceof MCPTransportError)) return false;
  if (error.code === "unauthorized") return error.httpStatus === 403;
  return !final.includes(error.code);
}

function speaksOnlyModern(error: unknown): boolean {
  return (
    error instanceof MCPTransportError && error.code === "unsupported" && error.rpcCode === -32022
  );
}
