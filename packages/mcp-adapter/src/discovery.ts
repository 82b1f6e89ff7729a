import type { MCPConnection } from "@x/mcp-transport";
import type { Catalog } from "./catalog.ts";
import { type Clock, startClock } from "./clock.ts";
import { type Coalesced, coalesce } from "./coalesce.ts";
import { messageOf } from "./errors.ts";
import type { Emit } from "./event.ts";
import type { Link } from "./link.ts";
import type { ListTimeouts } from "./listing.ts";
import type { CompileSchema } from "./ports.ts";
import type { Recovery } from "./recovery.ts";
import type { MCPSinkTool, Registrations } from "./registration.ts";

export interface DiscoveryOptions {
  readonly link: Link;
  readonly recovery: Recovery;
  readonly catalog: Catalog;
  readonly registrations: Registrations;
  readonly emit: Emit;
  readonly timeouts: ListTimeouts;
  readonly compile: () => Promise<CompileSchema>;
  readonly sinkTools: () => MCPSinkTool[];
}

/** Listing changes nothing on the server. */
const repeatable = () => true;

/** How long a burst of `list_changed` may last before the list is read again. */
const COALESCE_MS = 50;

/** Keeps the catalog, and what is registered from it, in step with the server. */
export class Discovery {
  readonly #options: DiscoveryOptions;
  readonly #relist: Coalesced;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
    this.#relist = coalesce(() => this.#readAgain(), COALESCE_MS);
  }

  /** Listens on a new connection for changes of the list. */
  async follow(connection: MCPConnection): Promise<void> {
    const { emit, catalog } = this.#options;
    for (const list of ["tools", "prompts", "resources"] as const) {
      await connection.onListChanged(list, () => {
        emit({ type: "list.changed", list });
        if (list === "tools" && catalog.concerns(connection)) this.#relist.trigger();
      });
    }
  }

  stop(): void {
    this.#relist.cancel();
  }

  /** Reads the list from the live connection. @throws MCPNotConnectedError, and what the walk throws */
  read(clock: Clock): Promise<void> {
    return this.#options.recovery.run(clock, (connection) => this.#load(connection), repeatable);
  }

  /** Reads the list unless it has been read on the live connection. */
  ensure(clock: Clock): Promise<void> {
    return this.#options.recovery.run(clock, (connection) => this.ensureOn(connection), repeatable);
  }

  async ensureOn(connection: MCPConnection): Promise<void> {
    if (!this.#options.catalog.hasListOf(connection)) await this.#load(connection);
  }

  /** On a new connection the list may be another one. */
  onReady(): void {
    if (this.#options.registrations.any) this.#relist.trigger();
  }

  async #load(connection: MCPConnection): Promise<void> {
    const { catalog, timeouts, compile } = this.#options;
    await catalog.load(connection, await compile(), timeouts);
    this.refresh();
  }

  /** Brings what is registered up to date with the catalog and its filters. */
  refresh(): void {
    const { registrations, sinkTools } = this.#options;
    registrations.refresh(sinkTools(), (error) => this.#report("tools not registered", error));
  }

  async #readAgain(): Promise<void> {
    const { catalog, link, timeouts } = this.#options;
    const clock = startClock(timeouts.timeoutMs, undefined);
    try {
      // A walk in flight may have begun before the change.
      await catalog.loading?.catch(() => undefined);
      await this.read(clock);
    } catch (error) {
      if (link.state === "ready") this.#report("list not read again", error);
    } finally {
      clock.stop();
    }
  }

  #report(what: string, error: unknown): void {
    this.#options.emit({ type: "diagnostic", message: `${what}: ${messageOf(error)}`, error });
  }
}
