import type { ConnectionInfo, ListKind } from "../connection.ts";
import type { EngineClient, Subscription } from "./engine.ts";
import { isObject } from "./handshake.ts";
import type { Session } from "./session.ts";

/** How long a server may take to say that it has understood. */
const acknowledgeMs = 10_000;
/** Between two attempts to listen again. */
const pauseMs = { first: 250, longest: 30_000 };

interface Listening {
  users: number;
  readonly ready: Promise<void>;
  stop(): void;
}

/**
 * Keeps a stream open for each list that somebody wants to hear of. One that the server ends is asked
 * for again; what changed meanwhile is unknown, so it counts as a change.
 */
export class Listener {
  readonly #capabilities: ConnectionInfo["capabilities"];
  readonly #client: EngineClient;
  readonly #session: Session;
  readonly #listening = new Map<ListKind, Listening>();
  #ended = false;

  constructor({ capabilities }: ConnectionInfo, client: EngineClient, session: Session) {
    this.#capabilities = capabilities;
    this.#client = client;
    this.#session = session;
    session.onClose(() => {
      this.#ended = true;
      for (const { stop } of this.#listening.values()) stop();
      this.#listening.clear();
    });
  }

  /** Resolves when the server listens, or will not, with the function that ends it. */
  async listen(kind: ListKind): Promise<() => void> {
    const capability = this.#capabilities[kind];
    if (this.#ended || !isObject(capability) || capability["listChanged"] !== true) return () => {};
    const listening = this.#listening.get(kind) ?? this.#start(kind);
    listening.users += 1;
    await listening.ready;
    let used = true;
    return () => {
      if (used) listening.users -= 1;
      used = false;
      if (listening.users > 0) return;
      listening.stop();
      if (this.#listening.get(kind) === listening) this.#listening.delete(kind);
    };
  }

  #start(kind: ListKind): Listening {
    const ending = new AbortController();
    const listening: Listening = {
      users: 0,
      ready: new Promise((resolve) => {
        void this.#keep(kind, ending.signal, resolve);
      }),
      stop: () => ending.abort(),
    };
    this.#listening.set(kind, listening);
    return listening;
  }

  async #keep(kind: ListKind, signal: AbortSignal, ready: () => void): Promise<void> {
    let again = false;
    let pause = pauseMs.first;
    while (!signal.aborted) {
      const subscription = await this.#open(kind);
      ready();
      if (subscription === undefined && !again) return;
      if (subscription !== undefined) {
        pause = pauseMs.first;
        if (again) this.#session.changed(kind);
        await endOf(subscription, signal);
      }
      again = true;
      await sleep(pause, signal);
      pause = Math.min(pause * 2, pauseMs.longest);
    }
  }

  async #open(kind: ListKind): Promise<Subscription | undefined> {
    try {
      return await this.#client.listen?.({ [`${kind}ListChanged`]: true }, acknowledgeMs);
    } catch (cause) {
      const { description } = this.#session;
      if (!this.#ended) {
        const message = `${description}: does not tell when its ${kind} change`;
        this.#session.diagnostic(new Error(message, { cause }));
      }
      return undefined;
    }
  }
}

async function endOf(subscription: Subscription, signal: AbortSignal): Promise<void> {
  const close = (): void => {
    subscription.close().catch(() => {});
  };
  if (signal.aborted) close();
  signal.addEventListener("abort", close, { once: true });
  await subscription.closed;
  signal.removeEventListener("abort", close);
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    timer.unref();
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
}
