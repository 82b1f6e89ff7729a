import { sameData } from "./data.ts";
import type { CheckedSpec, ToolDefinition, ToolHandlers } from "./definition.ts";
import { mergeOverrides, type PlacedOverride } from "./override-merge.ts";
import type { RegisteredTool, ToolCallContext, ToolTypes } from "./tool.ts";

interface Identity<Context extends ToolCallContext> {
  readonly id: string;
  readonly namespace: string;
  readonly owner: string;
  readonly invoke: RegisteredTool<ToolTypes, Context>["invoke"];
}

/** One tool's stay in a registry: it outlives a replacement, but not a removal. */
export interface Registration<Context extends ToolCallContext> extends Identity<Context> {
  definition: ToolDefinition;
  handlers: ToolHandlers;
  tool: RegisteredTool<ToolTypes, Context>;
  removed: boolean;
}

/** A registered tool as data. */
export type ToolDescription = Omit<RegisteredTool, "invoke">;

export interface RegistrationsOptions<Context extends ToolCallContext> {
  overridesOf(id: string, source: string): readonly PlacedOverride[];
  call(
    registration: Registration<Context>,
    args: unknown,
    context: unknown,
  ): ReturnType<RegisteredTool["invoke"]>;
}

/** The registrations of a registry, by id and by namespace, in the order in which they were added. */
export class Registrations<Context extends ToolCallContext> {
  readonly #byId = new Map<string, Registration<Context>>();
  readonly #byNamespace = new Map<string, Map<string, Registration<Context>>>();
  readonly #options: RegistrationsOptions<Context>;

  constructor(options: RegistrationsOptions<Context>) {
    this.#options = options;
  }

  get(id: string): Registration<Context> | undefined {
    return this.#byId.get(id);
  }

  /** The registrations of a namespace, by name. */
  in(namespace: string): ReadonlyMap<string, Registration<Context>> {
    return this.#byNamespace.get(namespace) ?? new Map();
  }

  get size(): number {
    return this.#byId.size;
  }

  values(): IterableIterator<Registration<Context>> {
    return this.#byId.values();
  }

  add(
    namespace: string,
    { definition, handlers }: CheckedSpec,
    owner: string,
  ): Registration<Context> {
    const id = `${namespace}/${definition.name}`;
    const invoke: Identity<Context>["invoke"] = (args, context) =>
      this.#options.call(registration, args, context);
    const identity = { id, namespace, owner, invoke };
    const tool = this.#toolOf(identity, definition);
    const registration = { ...identity, definition, handlers, tool, removed: false };
    this.#byId.set(id, registration);
    const present = this.#byNamespace.get(namespace) ?? new Map<string, Registration<Context>>();
    this.#byNamespace.set(namespace, present.set(definition.name, registration));
    return registration;
  }

  /** @returns whether the definition is another one; the functions are taken over in any case */
  update(registration: Registration<Context>, { definition, handlers }: CheckedSpec): boolean {
    registration.handlers = handlers;
    if (sameData(definition, registration.definition)) return false;
    registration.definition = definition;
    registration.tool = this.#toolOf(registration, definition);
    return true;
  }

  /** @returns whether the overrides now in force make another tool of it */
  override(registration: Registration<Context>): boolean {
    const tool = this.#toolOf(registration, registration.definition);
    if (sameData(describeTool(tool), describeTool(registration.tool))) return false;
    registration.tool = tool;
    return true;
  }

  remove(registration: Registration<Context>): void {
    const { id, namespace, definition } = registration;
    registration.removed = true;
    this.#byId.delete(id);
    const present = this.#byNamespace.get(namespace);
    present?.delete(definition.name);
    if (present?.size === 0) this.#byNamespace.delete(namespace);
  }

  #toolOf(
    { id, namespace, owner, invoke }: Identity<Context>,
    definition: ToolDefinition,
  ): RegisteredTool<ToolTypes, Context> {
    const overrides = this.#options.overridesOf(id, definition.source);
    const merged = mergeOverrides(definition, overrides);
    return Object.freeze({
      id,
      namespace,
      owner,
      ...merged.definition,
      overrides: merged.applied,
      invoke,
    });
  }
}

export function describeTool<Context extends ToolCallContext>({
  invoke,
  ...description
}: RegisteredTool<ToolTypes, Context>): ToolDescription {
  return description;
}
