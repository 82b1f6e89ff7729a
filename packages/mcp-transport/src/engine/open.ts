import { TRANSPORT_DEFAULTS } from "../config.ts";
import type { MCPConnection } from "../connection.ts";
import { MCPTransportError } from "../errors.ts";
import { checkOptions, wrong } from "../options.ts";
import type { OpenOptions } from "../transport.ts";
import { type EngineName, type EraChoice, loadEngine } from "./engine.ts";
import type { EngineWire } from "./engine-wire.ts";
import { LiveConnection } from "./live-connection.ts";
import { onAbort } from "./on-abort.ts";
import { Session, type SessionSettings } from "./session.ts";

const ownInfo = { name: "@x/mcp-transport", version: "unknown" };

export interface EngineChoice {
  readonly engine: EngineName;
  readonly era: EraChoice;
  readonly probeTimeoutMs: number;
  /** The handshake of before 2026-07-28 has begun. */
  readonly onInitialize?: () => void;
}

/**
 * Starts a wire and shakes hands over it, all within one deadline.
 * @throws MCPTransportError, after the wire has been closed
 */
export async function openConnection(
  wire: EngineWire,
  settings: SessionSettings,
  options: OpenOptions,
  choice: EngineChoice,
): Promise<MCPConnection> {
  const session = new Session(wire, settings, options);
  try {
    const era = eraOf(wire, choice);
    const client = await beforeDeadline(session, options, () =>
      shakeHands(session, options, { ...choice, era }),
    );
    const { handshake } = session;
    if (handshake === undefined) throw new MCPTransportError("closed", "there was no handshake");
    const info = { ...handshake, ...(wire.pid !== undefined && { pid: wire.pid }) };
    session.onClose((reason) => {
      if (reason !== undefined) void wire.close("graceful");
    });
    return new LiveConnection(info, client, session, wire);
  } catch (cause) {
    const error = openFailure(session, cause);
    if (session.own.initializing) choice.onInitialize?.();
    session.end(error);
    await wire.close("abrupt");
    throw wire.explain?.(error) ?? error;
  }
}

function eraOf({ description, modern = true }: EngineWire, { era }: EngineChoice): EraChoice {
  if (modern || era === "legacy") return era;
  if (era === "auto") return "legacy";
  throw new MCPTransportError(
    "unsupported",
    `${description}: protocol version 2026-07-28 has no transport of this kind`,
    { field: "protocol", delivery: "not_sent" },
  );
}

async function shakeHands(session: Session, options: OpenOptions, choice: EngineChoice) {
  const connect = await loadEngine(choice.engine);
  const client = await connect(session.port, {
    era: choice.era,
    probeTimeoutMs: choice.probeTimeoutMs,
    clientInfo: options.clientInfo ?? ownInfo,
    ...(options.onElicit && { onElicit: options.onElicit }),
    ...(options.roots && { roots: options.roots }),
    onDiagnostic: (error) => session.diagnostic(error),
  });
  if (client.listen !== undefined) session.own.enterModern();
  return client;
}

/** Rejects with the first that comes of deadline, signal and end of the session. */
function beforeDeadline<T>(
  session: Session,
  { timeoutMs = TRANSPORT_DEFAULTS.connectTimeoutMs, signal }: OpenOptions,
  start: () => Promise<T>,
): Promise<T> {
  const { description } = session;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      finish();
      reject(new MCPTransportError("timeout", `${description}: not open within ${timeoutMs} ms`));
    }, timeoutMs);
    const abort = (): void => {
      finish();
      reject(
        new MCPTransportError("aborted", `${description}: the caller's signal ended the opening`, {
          cause: signal?.reason,
        }),
      );
    };
    const stopListening = onAbort(signal, abort);
    const stop = session.onClose((reason) => {
      finish();
      reject(reason);
    });
    const finish = (): void => {
      clearTimeout(timer);
      stopListening();
      stop();
    };
    if (signal?.aborted) {
      abort();
      return;
    }
    start().then(resolve, reject).finally(finish);
  });
}

/**
 * For what `open` is given.
 * @param authorizes whether there is an authProvider
 * @throws MCPTransportError `config`
 */
export function checkOpenOptions(options: OpenOptions, authorizes = false): void {
  checkOptions(options, ["timeoutMs"]);
  const { authorizationResponse } = options;
  if (authorizationResponse === undefined) return;
  if (!(authorizationResponse instanceof URLSearchParams)) {
    throw wrong("authorizationResponse", "a URLSearchParams", authorizationResponse);
  }
  if (!authorizes) {
    throw new MCPTransportError("config", "authorizationResponse: needs an authProvider", {
      field: "authorizationResponse",
    });
  }
}

function openFailure(
  { description, own: { unanswered } }: Session,
  error: unknown,
): MCPTransportError {
  if (!(error instanceof MCPTransportError)) {
    const message = `${description}: could not be opened`;
    return new MCPTransportError("network", message, { cause: error });
  }
  if (error.code !== "unsupported" || error.message.startsWith(description)) return error;
  if (unanswered !== undefined) return unanswered;
  const { code, message, cause, ...fields } = error;
  return new MCPTransportError(code, `${description}: ${message}`, { ...fields, cause });
}
