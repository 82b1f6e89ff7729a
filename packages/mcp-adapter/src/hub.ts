import type { MCPToolAdapter } from "./adapter.ts";
import { MCPAdapterError } from "./errors.ts";
import { type HubMember, joined } from "./hub-member.ts";

/** A server of a hub that is not connected, and why. Nothing of it is left running. */
export interface MCPServerFailure {
  readonly server: string;
  /** An `MCPConnectionError` where the server was not reached. */
  readonly error: MCPAdapterError;
}

/**
 * Several servers that were connected together. Each is at any time connected, pending or failed;
 * a connection that is lost later is its adapter's to recover.
 */
export class MCPToolHub {
  readonly #members: readonly HubMember[];
  #retrying: Promise<readonly string[]> | undefined;
  #closing: Promise<void> | undefined;

  constructor(members: readonly HubMember[]) {
    this.#members = members;
  }

  /** The servers that are connected, and registered if there is a registry, by name. */
  get adapters(): ReadonlyMap<string, MCPToolAdapter> {
    return new Map(
      this.#members.flatMap(({ name, adapter, state }) =>
        adapter && state.is === "connected" ? [[name, adapter] as const] : [],
      ),
    );
  }

  get failed(): readonly MCPServerFailure[] {
    return this.#members.flatMap(({ name, state }) =>
      state.is === "failed" ? [{ server: name, error: state.error }] : [],
    );
  }

  /** The servers that are still being connected. */
  get pending(): readonly string[] {
    return this.#members.filter(({ state }) => state.is === "pending").map(({ name }) => name);
  }

  /**
   * Tries the failed servers again, all at once, except where the config is wrong. Concurrent calls
   * share one attempt. Never rejects for a server: see `failed`.
   *
   * @returns the names of those that are connected now
   * @throws MCPAdapterError `closed` after `close()`
   */
  retryFailed(): Promise<readonly string[]> {
    if (this.#closing) {
      return Promise.reject(new MCPAdapterError("closed", "the hub is closed"));
    }
    this.#retrying ??= this.#retry().finally(() => {
      this.#retrying = undefined;
    });
    return this.#retrying;
  }

  /**
   * Gives up what is being connected, takes the tools out of the registry and disconnects every
   * server, all at once. Idempotent.
   *
   * @throws MCPAdapterError when all have been tried and some did not close cleanly
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #retry(): Promise<readonly string[]> {
    const failed = this.#members.filter(({ state }) => state.is === "failed");
    await Promise.all(failed.map((member) => member.connect()));
    return failed.filter(({ state }) => state.is === "connected").map(({ name }) => name);
  }

  async #close(): Promise<void> {
    const ended = await Promise.allSettled(this.#members.map((member) => member.close()));
    const errors = ended.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
    if (errors.length > 0) throw joined("hub", "not closed cleanly", errors);
  }
}
