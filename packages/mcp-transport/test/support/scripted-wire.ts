import type { MCPWire } from "../../src/index.ts";

export interface Message {
  readonly jsonrpc?: string;
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: unknown;
}

export const handshake = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "scripted", version: "1" },
};

/** A server in the test's hand: it shakes hands, and says what the test makes it say. */
export class ScriptedWire implements MCPWire {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: unknown) => void;
  readonly sent: Message[] = [];
  closes = 0;
  readonly #initialize: unknown;

  /** @param initialize the answer to `initialize`; false for none */
  constructor(initialize: unknown = { result: handshake }) {
    this.#initialize = initialize;
  }

  async start(): Promise<void> {}

  async send(message: object): Promise<void> {
    const copy: Message = JSON.parse(JSON.stringify(message));
    this.sent.push(copy);
    if (copy.method === "initialize" && this.#initialize) {
      this.say({ id: copy.id, ...this.#initialize });
    }
  }

  async close(): Promise<void> {
    this.closes += 1;
    this.onclose?.();
  }

  say(message: unknown): void {
    const whole = typeof message === "object" && !Array.isArray(message);
    this.onmessage?.(whole ? { jsonrpc: "2.0", ...message } : message);
  }

  /** The requests sent with this method, as they came. */
  of(method: string): Message[] {
    return this.sent.filter((message) => message.method === method);
  }

  get last(): Message {
    return this.sent.at(-1) ?? {};
  }
}
