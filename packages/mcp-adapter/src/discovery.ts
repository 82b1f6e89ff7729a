import type { MCPConnection } from "@x/mcp-transport";
import type { Catalog } from "./catalog.ts";
import { type Coalesced, coalesce } from "./coalesce.ts";
import { messageOf } from "./errors.ts";
import type { Emit } from "./event.ts";
import type { Link } from "./link.ts";
import type { ListTimeouts } from "./listing.ts";
import type { CompileSchema } from "./ports.ts";
import type { MCPSinkTool, Registrations } from "./registration.ts";

export interface DiscoveryOptions {
  readonly link: Link;
  readonly catalog: Catalog;
  readonly registrations: Registrations;
  readonly emit: Emit;
  readonly timeouts: ListTimeouts;
  readonly compile: () => Promise<CompileSchema>;
  readonly sinkTools: () => MCPSinkTool[];
}

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
  async read(): Promise<void> {
    const { link, catalog, timeouts, compile } = this.#options;
    await catalog.load(link.require(), await compile(), timeouts);
    this.refresh();
  }

  /** Reads the list unless it has been read on the live connection. */
  async ensure(): Promise<void> {
    const { link, catalog } = this.#options;
    if (!catalog.hasListOf(link.require())) await this.read();
  }

  /** Brings what is registered up to date with the catalog and its filters. */
  refresh(): void {
    const { registrations, sinkTools } = this.#options;
    registrations.refresh(sinkTools(), (error) => this.#report("tools not registered", error));
  }

  async #readAgain(): Promise<void> {
    try {
      // A walk in flight may have begun before the change.
      if (this.#options.catalog.loading) await this.#options.catalog.loading;
      await this.read();
    } catch (error) {
      if (this.#options.link.state === "ready") this.#report("list not read again", error);
    }
  }

  #report(what: string, error: unknown): void {
    this.#options.emit({ type: "diagnostic", message: `${what}: ${messageOf(error)}`, error });
  }
}
