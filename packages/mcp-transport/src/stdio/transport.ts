import { type StdioServerConfig, TRANSPORT_DEFAULTS } from "../config.ts";
import type { MCPConnection } from "../connection.ts";
import { describeCommand } from "../describe.ts";
import { type Negotiation, negotiate } from "../engine/negotiation.ts";
import { checkOpenOptions } from "../engine/open.ts";
import { MCPTransportError } from "../errors.ts";
import { parseServerConfig } from "../parse-config.ts";
import { createRedactor } from "../redact.ts";
import { MCPTransport, type OpenOptions } from "../transport.ts";
import {
  checkTransportOptions,
  negotiationOf,
  type TransportOptions,
} from "../transport-options.ts";
import { StdioWire } from "./wire.ts";

/** Starts a process for each connection and speaks with it over stdin and stdout. */
export class StdioTransport extends MCPTransport {
  readonly description: string;
  readonly #config: StdioServerConfig;
  readonly #maxMessageBytes: number;
  readonly #negotiation: Negotiation;

  /** @throws MCPTransportError `config` */
  constructor(config: StdioServerConfig, options: TransportOptions = {}) {
    super();
    checkTransportOptions(options);
    const parsed = parseServerConfig(config);
    if (!("command" in parsed)) {
      throw new MCPTransportError("config", "command: is required by transport stdio", {
        field: "command",
      });
    }
    this.#config = parsed;
    this.#negotiation = negotiationOf(parsed, options);
    this.#maxMessageBytes = options.maxMessageBytes ?? TRANSPORT_DEFAULTS.maxMessageBytes;
    this.description = describeCommand(parsed);
  }

  async open(options: OpenOptions = {}): Promise<MCPConnection> {
    checkOpenOptions(options);
    const config = this.#config;
    const redactor = createRedactor([...(config.args ?? []), ...Object.values(config.env ?? {})]);
    const createWire = (): StdioWire =>
      new StdioWire({
        config,
        redactor,
        maxMessageBytes: this.#maxMessageBytes,
        onStderr: options.onStderr,
      });
    const { connectTimeoutMs, requestTimeoutMs, idleTimeoutMs } = {
      ...TRANSPORT_DEFAULTS,
      ...config,
    };
    return negotiate(
      createWire,
      { requestTimeoutMs, idleTimeoutMs, redact: redactor.redact },
      { ...options, timeoutMs: options.timeoutMs ?? connectTimeoutMs },
      this.#negotiation,
    );
  }
}
