interface Bivariant {
  receive(message: unknown, extra?: unknown): void;
}

/**
 * What carries JSON-RPC messages: the shape that the official SDKs, both lines, call `Transport`.
 * The callbacks are set before `start` and belong to the connection from then on.
 */
export interface MCPWire {
  start(): Promise<void>;
  send(message: object, options?: object): Promise<void>;
  /** Ends the wire; `onclose` is called then, too. */
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  /** Not fatal: what went wrong beside the messages. */
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Bivariant["receive"] | undefined;
  setProtocolVersion?: ((version: string) => void) | undefined;
}
