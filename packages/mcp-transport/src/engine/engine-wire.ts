import type { JsonObject } from "../connection.ts";
import { MCPTransportError } from "../errors.ts";
import type { MCPWire } from "../wire.ts";

export type RequestId = string | number;

/** What a wire tells its connection. */
export interface WireEvents {
  message(message: unknown): void;
  /** This request can get no answer any more; the connection stands. */
  lost(id: RequestId, error: MCPTransportError): void;
  /** The connection ended by itself. */
  ended(reason: MCPTransportError): void;
  diagnostic(error: Error): void;
}

export interface Sending {
  /** The message as JSON. */
  readonly text: string;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
  /** What the request has to show beside the message; only HTTP has a place for it. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called right before the first byte can leave. */
  readonly leaving: () => void;
}

/** A wire as connections use it: it says when bytes leave, and why it ended. */
export interface EngineWire {
  readonly description: string;
  readonly pid?: number | undefined;
  /** Whether each request has a stream of its own; in the modern era its end is the cancellation. */
  readonly streamPerRequest?: boolean;
  /** Whether it can carry the messages of 2026-07-28. @defaultValue true */
  readonly modern?: boolean;
  /** Rejects if nothing could be started; the connection closes it then. */
  start(events: WireEvents): Promise<void>;
  send(message: JsonObject, sending: Sending): Promise<void>;
  setProtocolVersion?(version: string): void;
  /** Resolves when what the server says of its own accord can arrive. */
  listening?(): Promise<void>;
  /** Adds what is known about the server to the error of a failed opening. */
  explain?(error: MCPTransportError): MCPTransportError;
  /**
   * Resolves when nothing is left running; may be called again. `abrupt`: there was no handshake, so
   * there is nothing the server has to save.
   */
  close(manner: "graceful" | "abrupt"): Promise<void>;
}

/** A wire of somebody else's. It cannot say when bytes leave, so they leave when they are given. */
export function engineWire(wire: MCPWire, description: string): EngineWire {
  let closing: Promise<void> | undefined;
  let diagnose = (_error: Error): void => {};
  return {
    description,
    async start(events) {
      diagnose = (error) => events.diagnostic(error);
      wire.onmessage = (message) => events.message(message);
      wire.onerror = diagnose;
      wire.onclose = () => {
        if (closing === undefined) {
          events.ended(new MCPTransportError("closed", `${description}: the wire closed`));
        }
      };
      await wire.start();
    },
    async send(message, { leaving }) {
      leaving();
      await wire.send(message);
    },
    setProtocolVersion: (version) => wire.setProtocolVersion?.(version),
    close() {
      closing ??= Promise.resolve()
        .then(() => wire.close())
        .catch((cause: unknown) => diagnose(new Error(`${description}: close failed`, { cause })));
      return closing;
    },
  };
}

/** Some servers answer with the number as a string. */
export function requestId(value: unknown): RequestId {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : String(value);
}
