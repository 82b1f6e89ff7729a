import { TRANSPORT_DEFAULTS } from "./config.ts";
import type { MCPConnection } from "./connection.ts";
import { engineWire } from "./engine/engine-wire.ts";
import type { Clocks } from "./engine/flight.ts";
import { type Negotiation, negotiate } from "./engine/negotiation.ts";
import { checkOpenOptions } from "./engine/open.ts";
import { checkOptions } from "./options.ts";
import { MCPTransport, type OpenOptions } from "./transport.ts";
import { negotiationOf, type TransportOptions } from "./transport-options.ts";
import type { MCPWire } from "./wire.ts";

export interface WireTransportOptions extends Pick<TransportOptions, "engine"> {
  /** What messages call it. @defaultValue "custom wire" */
  readonly description?: string;
  /** @defaultValue 300_000 */
  readonly requestTimeoutMs?: number;
  /** @defaultValue 60_000 */
  readonly idleTimeoutMs?: number;
  /** Anything but `legacy` needs engine v2. @defaultValue "legacy" */
  readonly protocol?: "legacy" | "auto" | "2026-07-28";
}

/** Opens connections over wires of your own. */
export class WireTransport extends MCPTransport {
  readonly description: string;
  readonly #createWire: () => MCPWire;
  readonly #clocks: Clocks;
  readonly #negotiation: Negotiation;

  /**
   * @param createWire called by each `open`, and again by one that tries another handshake; gives a
   * wire that was not used before
   * @throws MCPTransportError `config`
   */
  constructor(createWire: () => MCPWire, options: WireTransportOptions = {}) {
    super();
    checkOptions(options, ["requestTimeoutMs", "idleTimeoutMs"]);
    const {
      description,
      engine: _e,
      protocol: _p,
      ...clocks
    } = { ...TRANSPORT_DEFAULTS, ...options };
    this.#createWire = createWire;
    this.#clocks = clocks;
    this.#negotiation = negotiationOf(options, options);
    this.description = description ?? "custom wire";
  }

  async open(options: OpenOptions = {}): Promise<MCPConnection> {
    checkOpenOptions(options);
    return negotiate(
      () => engineWire(this.#createWire(), this.description),
      { ...this.#clocks, redact: (text) => text },
      options,
      this.#negotiation,
    );
  }
}
