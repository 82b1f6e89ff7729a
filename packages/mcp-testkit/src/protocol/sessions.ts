import type { Session } from "./session.ts";

/** The sessions of a server: those it knows, and those it does not know, yet or any more. */
export class Sessions {
  readonly #known = new Map<string, Session>();
  readonly #strays = new Set<Session>();

  /** The known ones. */
  *[Symbol.iterator](): Generator<Session> {
    yield* this.#known.values();
  }

  get(id: string): Session | undefined {
    return this.#known.get(id);
  }

  knows(session: Session): boolean {
    return this.#known.get(session.id) === session;
  }

  /** Takes in a session that is not known yet, so that `closeAll` reaches what runs in it. */
  admit(session: Session): void {
    for (const stray of this.#strays) if (stray.isIdle) this.#strays.delete(stray);
    this.#strays.add(session);
  }

  know(session: Session): void {
    this.#strays.delete(session);
    this.#known.set(session.id, session);
  }

  /** Requests of the session meet 404 from now on; what runs goes on. */
  forget(session: Session): void {
    if (this.knows(session)) this.#known.delete(session.id);
    this.admit(session);
  }

  forgetAll(): void {
    for (const session of this) this.forget(session);
  }

  /** Ends all that runs in any session, and forgets them all. */
  closeAll(): void {
    for (const session of [...this.#strays, ...this]) session.close();
    this.#strays.clear();
    this.#known.clear();
  }
}
