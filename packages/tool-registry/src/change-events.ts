import { freezeData } from "./data.ts";

/** Ids of tools that came, changed or went. */
export interface ToolChange {
  readonly added: readonly string[];
  readonly updated: readonly string[];
  readonly removed: readonly string[];
}

export type ChangeListener = (change: ToolChange) => void;

/** Tells listeners of changes, in the order in which they happened, also of those they cause. */
export class ChangeEvents {
  readonly #listeners = new Set<ChangeListener>();
  readonly #pending: ToolChange[] = [];
  #telling = false;

  subscribe(listener: ChangeListener): () => void {
    const own: ChangeListener = (change) => listener(change);
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }

  tell(change: ToolChange): void {
    const { added, updated, removed } = change;
    if (added.length + updated.length + removed.length === 0) return;
    this.#pending.push(freezeData(change));
    if (this.#telling) return;
    this.#telling = true;
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
      for (const listener of [...this.#listeners]) notify(listener, next);
    }
    this.#telling = false;
  }
}

/** What a listener throws is nobody's but the application's: it surfaces as an uncaught error. */
function notify(listener: ChangeListener, change: ToolChange): void {
  try {
    listener(change);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
