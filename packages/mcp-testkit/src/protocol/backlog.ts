/** Holds answers back and lets them go the last one first. */
export class Backlog {
  #held: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** Resolves when the answer may be sent: `count` are held, or the first has waited `ms`. */
  hold(count: number, ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#held.push(resolve);
      this.#timer ??= setTimeout(() => this.release(), ms);
      // Later, when everybody who holds is also waiting: they go on in the order of release.
      if (this.#held.length >= count) queueMicrotask(() => this.release());
    });
  }

  /** Lets all go. */
  release(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const held = this.#held.reverse();
    this.#held = [];
    for (const resolve of held) resolve();
  }
}
