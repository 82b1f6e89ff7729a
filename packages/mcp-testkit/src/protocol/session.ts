import type { Transport } from "../faults/entry.ts";
import type { Occasion } from "../faults/fault-plan.ts";
import type { JsonObject, RequestId, RpcResponse } from "../json-rpc.ts";

/** Where a client hears what answers no request of its own. */
export interface Listener {
  send(message: JsonObject): void;
  /** Ends it from our side. */
  cut(reset: boolean): void;
}

interface Running {
  readonly controller: AbortController;
  readonly occasion: Occasion;
}

/** One client as the server knows it, from its first message to its end. */
export class Session {
  readonly id: string;
  readonly transport: Transport;
  /** Set by `initialize`. */
  protocolVersion: string | undefined;
  /** Key of the half-open fault that made this session dumb. */
  dumbBy: string | undefined;
  /** Requests of the client that run. */
  readonly running: Map<RequestId, Running> = new Map();
  readonly #listeners = new Set<Listener>();
  readonly #asked = new Map<RequestId, (answer: RpcResponse) => void>();
  readonly #life = new AbortController();
  #questions = 0;

  constructor(transport: Transport, id: string) {
    this.transport = transport;
    this.id = id;
  }

  /** Aborted by `close`. */
  get signal(): AbortSignal {
    return this.#life.signal;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** Nothing runs and nobody listens. */
  get isIdle(): boolean {
    return this.running.size === 0 && this.#listeners.size === 0;
  }

  /** @returns a function that detaches the listener */
  attach(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Sends to the newest listener; dropped if there is none, which the protocol allows. */
  notify(message: JsonObject): void {
    [...this.#listeners].at(-1)?.send(message);
  }

  cutListeners(reset: boolean): void {
    for (const listener of this.#listeners) listener.cut(reset);
  }

  /**
   * Sends a request to the client and waits for its answer.
   * @returns undefined if the signal came first
   */
  async ask(
    { method, params }: { readonly method: string; readonly params?: JsonObject },
    send: (message: JsonObject) => Promise<unknown>,
    signal: AbortSignal,
  ): Promise<RpcResponse | undefined> {
    this.#questions += 1;
    const id = `server-${this.#questions}`;
    const answered = new Promise<RpcResponse | undefined>((resolve) => {
      this.#asked.set(id, resolve);
      signal.addEventListener("abort", () => resolve(undefined), { once: true });
    });
    await send({ jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) });
    const answer = await answered;
    this.#asked.delete(id);
    return answer;
  }

  /** An answer to a question of ours; others are ignored. */
  receive(response: RpcResponse): void {
    this.#asked.get(response.id)?.(response);
  }

  /** Ends what runs and whoever listens. */
  close(): void {
    this.#life.abort();
    for (const { controller } of this.running.values()) controller.abort();
    this.cutListeners(false);
  }
}
