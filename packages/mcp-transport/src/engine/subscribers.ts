import type { MCPTransportError } from "../errors.ts";

/** How much of what was said before anybody listened is kept. */
const mostEarly = 20;

/** Those who want to hear of a connection. What one of them throws hurts nobody else. */
export class Subscribers {
  readonly #byMethod = new Map<string, Set<() => void>>();
  readonly #closers = new Set<(reason?: MCPTransportError) => void>();
  readonly #diagnostics = new Set<(error: Error) => void>();
  readonly #early: Error[] = [];

  onNotification(method: string, callback: () => void): () => void {
    const callbacks = this.#byMethod.get(method) ?? new Set();
    this.#byMethod.set(method, callbacks.add(callback));
    return () => callbacks.delete(callback);
  }

  /** @returns whether anybody ever wanted to hear of it */
  notify(method: string): boolean {
    const callbacks = this.#byMethod.get(method);
    for (const callback of [...(callbacks ?? [])]) this.guard(callback);
    return callbacks !== undefined;
  }

  onClose(callback: (reason?: MCPTransportError) => void): () => void {
    this.#closers.add(callback);
    return () => this.#closers.delete(callback);
  }

  /** Tells each once. */
  close(reason?: MCPTransportError): void {
    const closers = [...this.#closers];
    this.#closers.clear();
    for (const callback of closers) this.guard(() => callback(reason));
  }

  onDiagnostic(callback: (error: Error) => void): () => void {
    this.#diagnostics.add(callback);
    for (const error of this.#early.splice(0)) this.diagnose(error);
    return () => this.#diagnostics.delete(callback);
  }

  diagnose(error: Error): void {
    if (this.#diagnostics.size === 0 && this.#early.length < mostEarly) this.#early.push(error);
    for (const callback of [...this.#diagnostics]) {
      try {
        callback(error);
      } catch {
        // There is nobody left to tell.
      }
    }
  }

  guard(callback: () => void): void {
    try {
      callback();
    } catch (cause) {
      this.diagnose(new Error("a callback threw", { cause }));
    }
  }
}
