import type { ToolCapability } from "./capability.ts";
import type { AppliedOverride } from "./override-merge.ts";
import type { ToolIssue, ToolResult } from "./result.ts";

/** A JSON Schema as it came: of any draft, checked by whoever validates with it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface ToolProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** What goes along with a call. Applications may extend it by a type of their own. */
export interface ToolCallContext {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds the tool may run, from when it is invoked: waiting for an approval is free. */
  readonly timeoutMs?: number | undefined;
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
  /** Set by the registry: what the tool may do, after overrides. A caller's value is replaced. */
  readonly capability?: ToolCapability | undefined;
}

export type ToolValidation =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly issues: readonly ToolIssue[];
      /** @defaultValue "validation" */
      readonly errorCode?: "validation" | "schema" | "too_large";
    };

/** What an application, or an adapter, registers. {@link defineTool} makes one of a function. */
export interface ToolSpec<
  Args extends Record<string, unknown> = Record<string, unknown>,
  Structured = unknown,
  Context extends ToolCallContext = ToolCallContext,
> {
  /** Not empty; may hold anything, also `/`. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: Readonly<Record<string, unknown>>;
  /** Where the tool comes from, such as `"own"` or `"mcp"`. */
  readonly source: string;
  /** Provenance that may be shown: it stands in the registry's JSON. */
  readonly sourceMetadata?: Readonly<Record<string, unknown>>;
  /** Without it the effect is `unknown`. */
  readonly capability?: ToolCapability;
  /** Whether a call can be rolled back. `true` is refused for the source `"mcp"`. @defaultValue false */
  readonly checkpointable?: boolean;
  /** Called before anyone is asked, and again if a middleware changed the arguments. */
  validate?(args: Record<string, unknown>): ToolValidation | Promise<ToolValidation>;
  /**
   * Gets a copy of the arguments that it may keep. It must heed `context.signal` and
   * `context.timeoutMs` itself: only it knows what to tell the other side, and whether it ran.
   */
  invoke(args: Args, context: Context): Promise<ToolResult<Structured>>;
}

/** The types of one tool. */
export interface ToolTypes<Args extends object = Record<string, unknown>> {
  readonly args: Args;
  readonly structured?: unknown;
}

/** The types of a registry's tools, by id. */
export type ToolMap = Record<string, ToolTypes>;

/** What may be given as a {@link ToolMap}: also an interface, and arguments that are one. */
export type TypedTools<Tools> = { readonly [Id in keyof Tools]: ToolTypes<object> };

export type StructuredOf<Types> = Types extends { readonly structured: infer Structured }
  ? Structured
  : unknown;

/** The entry of a {@link ToolMap} that belongs to a spec: `TypesOf<typeof spec>`. */
export type TypesOf<Spec> =
  Spec extends ToolSpec<infer Args, infer Structured, never>
    ? { args: Args; structured: Structured }
    : never;

/** The arguments may be left out where the tool requires none. */
export type CallArguments<Args, Context> =
  Record<never, never> extends Args
    ? [args?: Args, context?: Context]
    : [args: Args, context?: Context];

/**
 * A registered tool, as it stood when it was handed out: frozen, with overrides applied. The
 * reference stays good while the registration lasts, also over a replacement by the same owner;
 * `invoke` then runs the new implementation. Once the tool is removed it answers
 * `no_longer_available` for ever, whoever takes the id later.
 */
export interface RegisteredTool<
  Types extends ToolTypes<object> = ToolTypes,
  Context extends ToolCallContext = ToolCallContext,
> {
  /** `{namespace}/{name}` */
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly owner: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly source: string;
  readonly sourceMetadata?: Readonly<Record<string, unknown>>;
  readonly capability: ToolCapability;
  readonly checkpointable: boolean;
  /** The overrides in force, by field. */
  readonly overrides: readonly AppliedOverride[];
  /** Never throws: see {@link ToolResult}. */
  invoke(...call: CallArguments<Types["args"], Context>): Promise<ToolResult<StructuredOf<Types>>>;
}
