import { type MCPToolDescriptor, readTools } from "@x/mcp-parse";
import type { MCPConnection } from "@x/mcp-transport";
import type { Emit } from "./event.ts";
import type { ToolPredicate } from "./filter.ts";
import { type ListLimits, type ListTimeouts, readList } from "./listing.ts";
import type { CompileSchema, ToolCapability } from "./ports.ts";
import type { MCPQuarantined } from "./quarantine.ts";
import type { ResultWarning } from "./result.ts";
import { type CatalogTool, prepareTool } from "./tool-check.ts";

/** What the last listing gave. */
export interface MCPDiscovery {
  /** In the server's order, after the filters. */
  readonly tools: readonly MCPToolDescriptor[];
  /** Entries that cannot be used, each with the reason; they cost the others nothing. */
  readonly quarantined: readonly MCPQuarantined[];
  readonly warnings: readonly ResultWarning[];
}

export interface CatalogOptions {
  readonly emit: Emit;
  readonly limits: ListLimits;
  /** `options.filter` of the adapter; always applied. */
  readonly always: ToolPredicate | undefined;
  readonly infer: (tool: MCPToolDescriptor) => ToolCapability;
}

export type Lookup =
  | { readonly found: "tool"; readonly tool: CatalogTool }
  | { readonly found: "quarantined"; readonly quarantined: MCPQuarantined }
  | { readonly found: "hidden" | "nothing" };

interface Listing {
  readonly connection: MCPConnection;
  /** By the shortest `ttlMs` of its pages (MCP 2026-07-28, Caching); without one, until a change. */
  readonly freshUntil: number;
  readonly tools: ReadonlyMap<string, CatalogTool>;
  readonly quarantined: readonly MCPQuarantined[];
  readonly warnings: readonly ResultWarning[];
}

/** The tools of one server: read from it in one flight at a time, filtered when looked at. */
export class Catalog {
  readonly #options: CatalogOptions;
  #listing: Listing | undefined;
  #filter: ToolPredicate | undefined;
  #flight: { readonly connection: MCPConnection; readonly promise: Promise<void> } | undefined;
  #broken = new Map<string, MCPQuarantined>();

  constructor(options: CatalogOptions) {
    this.#options = options;
  }

  /** Stays in force until the next one. */
  setFilter(filter: ToolPredicate): void {
    this.#filter = filter;
  }

  clear(): void {
    this.#listing = undefined;
    this.#broken = new Map();
  }

  /** The walk in flight, if there is one. */
  get loading(): Promise<void> | undefined {
    return this.#flight?.promise;
  }

  /** Whether the list of this connection has been read or is being read. */
  concerns(connection: MCPConnection): boolean {
    return this.hasListOf(connection) || this.#flight?.connection === connection;
  }

  /** Whether the list was read on this connection and is as fresh as the server wants it. */
  hasListOf(connection: MCPConnection): boolean {
    return this.#listing?.connection === connection && performance.now() < this.#listing.freshUntil;
  }

  /** Reads the whole list; concurrent calls on one connection share one walk. */
  load(connection: MCPConnection, compile: CompileSchema, timeouts: ListTimeouts): Promise<void> {
    if (this.#flight?.connection === connection) return this.#flight.promise;
    const promise = this.#read(connection, compile, timeouts).finally(() => {
      if (this.#flight?.promise === promise) this.#flight = undefined;
    });
    this.#flight = { connection, promise };
    return promise;
  }

  get discovery(): MCPDiscovery {
    return {
      tools: this.visible().map(({ descriptor }) => descriptor),
      quarantined: [...(this.#listing?.quarantined ?? []), ...this.#broken.values()],
      warnings: this.#listing?.warnings ?? [],
    };
  }

  /** The tools that pass both filters and whose schema has not failed since. */
  visible(): CatalogTool[] {
    if (!this.#listing) return [];
    return [...this.#listing.tools.values()].filter(
      ({ descriptor }) => this.#passes(descriptor) && !this.#broken.has(descriptor.name),
    );
  }

  lookup(name: string): Lookup {
    const tool = this.#listing?.tools.get(name);
    if (!tool) {
      const quarantined = this.#listing?.quarantined.find((entry) => entry.name === name);
      return quarantined ? { found: "quarantined", quarantined } : { found: "nothing" };
    }
    if (!this.#passes(tool.descriptor)) return { found: "hidden" };
    const broken = this.#broken.get(name);
    return broken ? { found: "quarantined", quarantined: broken } : { found: "tool", tool };
  }

  /** Sets aside a tool whose schema turned out to be unusable when it was first needed. */
  setAside(quarantined: MCPQuarantined & { readonly name: string }): void {
    if (this.#broken.has(quarantined.name)) return;
    this.#broken.set(quarantined.name, quarantined);
    this.#announce([quarantined]);
  }

  #passes(tool: MCPToolDescriptor): boolean {
    return (this.#options.always?.(tool) ?? true) && (this.#filter?.(tool) ?? true);
  }

  async #read(
    connection: MCPConnection,
    compile: CompileSchema,
    timeouts: ListTimeouts,
  ): Promise<void> {
    const startedAt = performance.now();
    let ttlMs = Number.POSITIVE_INFINITY;
    const listed = await readList(
      connection,
      "tools",
      async (cursor, options) => {
        const page = await connection.listTools(cursor, options);
        if (page.ttlMs !== undefined && page.ttlMs > 0) ttlMs = Math.min(ttlMs, page.ttlMs);
        return page;
      },
      this.#options.limits,
      timeouts,
    );
    const read = readTools(listed.items);
    const tools = new Map<string, CatalogTool>();
    const quarantined: MCPQuarantined[] = [...read.quarantined];
    const warnings: ResultWarning[] = [...listed.warnings, ...read.warnings];
    for (const descriptor of read.tools) {
      const prepared = prepareTool(descriptor, this.#options.infer(descriptor), compile);
      if ("quarantined" in prepared) {
        quarantined.push(prepared.quarantined);
        continue;
      }
      tools.set(descriptor.name, prepared.tool);
      if (prepared.outputProblem !== undefined) {
        warnings.push({
          code: "output_schema",
          message: `${descriptor.name}: ${prepared.outputProblem}`,
        });
      }
    }
    this.#listing = { connection, freshUntil: startedAt + ttlMs, tools, quarantined, warnings };
    this.#broken = new Map();
    this.#options.emit({
      type: "discover.end",
      durationMs: performance.now() - startedAt,
      tools: tools.size,
      quarantined: quarantined.length,
    });
    this.#announce(quarantined);
  }

  #announce(quarantined: readonly MCPQuarantined[]): void {
    for (const { name, code, path, message } of quarantined) {
      this.#options.emit({
        type: "tool.quarantined",
        ...(name !== undefined && { tool: name }),
        code,
        path,
        message,
      });
    }
  }
}
