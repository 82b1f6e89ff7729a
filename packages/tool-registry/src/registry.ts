import { callTool } from "./call.ts";
import { ChangeEvents, type ChangeListener } from "./change-events.ts";
import { type RegistryCost, toolCost } from "./cost.ts";
import { freezeData } from "./data.ts";
import { checkSpec, checkSpecs } from "./definition.ts";
import { ToolRegistryError } from "./errors.ts";
import { type ToolFilter, toPredicate } from "./filter.ts";
import { kindOf, quoted } from "./message.ts";
import type { ToolMiddleware } from "./middleware.ts";
import { requireNamespace, requireOwner, taken } from "./namespace.ts";
import {
  type OverrideOptions,
  type OverrideSource,
  OverrideStore,
  type UnmatchedOverride,
  unmatchedAmong,
} from "./override-store.ts";
import { describeTool, Registrations, type ToolDescription } from "./registrations.ts";
import { type ToolResult, toolFailure } from "./result.ts";
import type {
  CallArguments,
  RegisteredTool,
  StructuredOf,
  ToolCallContext,
  ToolMap,
  ToolSpec,
  ToolTypes,
  TypedTools,
} from "./tool.ts";

/** The owner of what is registered without naming one. */
const APPLICATION = "application";

export interface NamespaceChange {
  readonly added: readonly string[];
  readonly updated: readonly string[];
  readonly removed: readonly string[];
  /** Same definition as before; the functions are the new ones all the same. */
  readonly unchanged: readonly string[];
}

export interface AppliedOverrides {
  /** Ids of the registered tools that the document speaks of. */
  readonly applied: readonly string[];
  /** What has no effect so far; see {@link ToolRegistry.unmatchedOverrides} for all documents. */
  readonly unmatched: readonly UnmatchedOverride[];
}

/**
 * Tools by id, `{namespace}/{name}`, in the order in which they were registered.
 *
 * With a {@link ToolMap} as `Tools`, ids, arguments and results are typed; the map is the caller's
 * word. Without it any id is accepted. Methods throw {@link ToolRegistryError} for what application
 * code does wrong and change nothing then; `invoke` never throws.
 */
export class ToolRegistry<
  Tools extends TypedTools<Tools> = ToolMap,
  Context extends ToolCallContext = ToolCallContext,
> {
  readonly #overrides = new OverrideStore();
  readonly #tools = new Registrations<Context>({
    overridesOf: (id, source) => this.#overrides.of(id, source),
    call: (registration, args, context) => callTool(registration, this.#middleware, args, context),
  });
  readonly #events = new ChangeEvents();
  #middleware: readonly ToolMiddleware<Context>[] = [];

  /**
   * Adds one tool of the application's own.
   *
   * @throws ToolRegistryError `duplicate`, `invalid_namespace`, `invalid_spec`
   */
  register(
    namespace: string,
    spec: ToolSpec<Record<string, unknown>, unknown, Context>,
  ): RegisteredTool<ToolTypes, Context> {
    requireNamespace(namespace);
    const checked = checkSpec(spec, "spec");
    const { name } = checked.definition;
    const holder = this.#tools.in(namespace).get(name);
    if (holder !== undefined) {
      const message = `${quoted(holder.id)} is registered already, by ${quoted(holder.owner)}`;
      throw new ToolRegistryError("duplicate", message);
    }
    const { id, tool } = this.#tools.add(namespace, checked, APPLICATION);
    this.#events.tell({ added: [id], updated: [], removed: [] });
    return tool;
  }

  /**
   * Makes `specs` all that `owner` has in `namespace`, in one step: what is gone is removed, what
   * stays keeps its place in the listing, what other owners have there is left alone.
   *
   * @param owner - `"application"` by default, which is also the owner of what `register` adds
   * @throws ToolRegistryError `duplicate` (two specs of one name), `id_taken` (an id of another
   * owner), `invalid_namespace`, `invalid_spec`
   */
  replaceNamespace(
    namespace: string,
    specs: readonly ToolSpec<Record<string, unknown>, unknown, Context>[],
    owner: string = APPLICATION,
  ): NamespaceChange {
    requireNamespace(namespace);
    requireOwner(owner);
    const checked = checkSpecs(specs);
    const present = this.#tools.in(namespace);
    for (const name of checked.keys()) {
      const holder = present.get(name);
      if (holder !== undefined && holder.owner !== owner) throw taken(holder, owner);
    }
    const gone = [...present.values()].filter(
      (held) => held.owner === owner && !checked.has(held.definition.name),
    );
    for (const registration of gone) this.#tools.remove(registration);
    const added: string[] = [];
    const updated: string[] = [];
    const unchanged: string[] = [];
    for (const [name, spec] of checked) {
      const held = present.get(name);
      if (held === undefined) added.push(this.#tools.add(namespace, spec, owner).id);
      else (this.#tools.update(held, spec) ? updated : unchanged).push(held.id);
    }
    const removed = gone.map(({ id }) => id);
    this.#events.tell({ added, updated, removed });
    return freezeData({ added, updated, removed, unchanged });
  }

  /** Removes a tool, whoever owns it. Returns whether it was there. */
  unregister(id: string): boolean {
    const registration = this.#tools.get(id);
    if (registration === undefined) return false;
    this.#tools.remove(registration);
    this.#events.tell({ added: [], updated: [], removed: [id] });
    return true;
  }

  get<Id extends keyof Tools & string>(id: Id): RegisteredTool<Tools[Id], Context> | undefined;
  get(id: string): RegisteredTool<ToolTypes<object>, Context> | undefined {
    return this.#tools.get(id)?.tool;
  }

  find(namespace: string, name: string): RegisteredTool<ToolTypes, Context> | undefined {
    return this.#tools.in(namespace).get(name)?.tool;
  }

  has(id: string): boolean {
    return this.#tools.get(id) !== undefined;
  }

  get size(): number {
    return this.#tools.size;
  }

  /** @throws ToolRegistryError `invalid_spec` naming the field of the filter */
  list(filter?: ToolFilter): readonly RegisteredTool<ToolTypes, Context>[] {
    return [...this].filter(toPredicate(filter));
  }

  /**
   * What the tools cost in every request that offers them to a model, in all and per namespace.
   *
   * @throws ToolRegistryError `invalid_spec` naming the field of the filter
   */
  cost(filter?: ToolFilter): RegistryCost {
    return toolCost(this, filter);
  }

  *[Symbol.iterator](): IterableIterator<RegisteredTool<ToolTypes, Context>> {
    for (const { tool } of this.#tools.values()) yield tool;
  }

  /** Never throws for what a tool or a model causes: an unknown id is a `not_found`. */
  invoke<Id extends keyof Tools & string>(
    id: Id,
    ...call: CallArguments<Tools[Id]["args"], Context>
  ): Promise<ToolResult<StructuredOf<Tools[Id]>>>;
  async invoke(id: string, args?: unknown, context?: unknown): Promise<ToolResult> {
    const registration = this.#tools.get(id);
    if (registration === undefined) {
      return toolFailure(
        "not_found",
        `tool ${typeof id === "string" ? quoted(id) : kindOf(id)} not found`,
      );
    }
    return callTool(registration, this.#middleware, args, context);
  }

  /** Puts a middleware inside those already there. It sees the calls that start from now on. */
  use(middleware: ToolMiddleware<Context>): this {
    if (typeof middleware !== "function") {
      const message = `a middleware must be a function, got ${kindOf(middleware)}`;
      throw new ToolRegistryError("invalid_spec", message, { field: "middleware" });
    }
    this.#middleware = [...this.#middleware, middleware];
    return this;
  }

  /**
   * Calls the listener after each change, when the registry is consistent again. What it throws
   * surfaces as an uncaught error, as with `EventTarget`, and disturbs neither registry nor others.
   *
   * @returns ends the subscription
   */
  onChange(listener: ChangeListener): () => void {
    return this.#events.subscribe(listener);
  }

  /**
   * Applies overrides to the tools there are and to those that will come. Field by field, a later
   * call beats an earlier one; within a call, skill files beat tool files, then the later entry wins.
   *
   * @throws ToolRegistryError `invalid_override`; nothing of the document is applied then
   */
  applyOverrides(source: OverrideSource, options: OverrideOptions): AppliedOverrides {
    const placed = this.#overrides.add(source, options, this.#sourceOf);
    const applied: string[] = [];
    const updated: string[] = [];
    for (const id of new Set(placed.map(({ tool }) => tool))) {
      const registration = this.#tools.get(id);
      if (registration === undefined) continue;
      applied.push(id);
      if (this.#tools.override(registration)) updated.push(id);
    }
    this.#events.tell({ added: [], updated, removed: [] });
    return { applied, unmatched: unmatchedAmong(placed, this.#sourceOf) };
  }

  /** The overrides that have no effect as the registry stands. */
  unmatchedOverrides(): readonly UnmatchedOverride[] {
    return unmatchedAmong(this.#overrides.all(), this.#sourceOf);
  }

  /** The tools as data, with provenance, capability and its reasons. */
  toJSON(): readonly ToolDescription[] {
    return [...this].map(describeTool);
  }

  readonly #sourceOf = (id: string): string | undefined => {
    return this.#tools.get(id)?.definition.source;
  };
}
