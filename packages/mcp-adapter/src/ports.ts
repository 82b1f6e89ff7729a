/** One reason for a verdict; the same shape in capability-infer and tool-registry. */
export interface Evidence {
  readonly about: "readOnly" | "writes" | "destructive" | "idempotent" | "openWorld";
  readonly says: boolean;
  readonly from: "name" | "annotations" | "override";
  readonly trusted: boolean;
  readonly detail: string;
}

/** What a tool may do, as far as it is known; `null` is unknown. */
export interface ToolCapability {
  readonly effect: "read" | "write" | "unknown";
  readonly readOnly: boolean;
  readonly writes: boolean;
  readonly destructive: boolean | null;
  readonly idempotent: boolean | null;
  readonly openWorld: boolean | null;
  readonly because: readonly Evidence[];
}

/** What a sink may pass along with a call. */
export interface SinkCallContext {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly onProgress?:
    | ((progress: {
        readonly progress: number;
        readonly total?: number;
        readonly message?: string;
      }) => void)
    | undefined;
  /** The capability after the sink's own overrides. */
  readonly capability?: ToolCapability | undefined;
}

/** A tool as this package hands it to a sink. */
export interface SinkTool<Result> {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** The server's own schema, as it came. */
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema?: Record<string, unknown>;
  readonly annotations?: Record<string, unknown>;
  readonly source: "mcp";
  readonly sourceMetadata: { readonly server: string };
  readonly capability: ToolCapability;
  /** A call to another process cannot be rolled back. */
  readonly checkpointable: false;
  validate(args: unknown):
    | { readonly ok: true }
    | {
        readonly ok: false;
        readonly issues: readonly ValidationIssue[];
        readonly errorCode: "validation" | "schema" | "too_large";
      };
  /** Never rejects: without a connection the result is `unavailable`. */
  invoke(args: Record<string, unknown>, context?: SinkCallContext): Promise<Result>;
}

export interface ValidationIssue {
  /** JSON pointer into the arguments; `""` is the whole. */
  readonly pointer: string;
  readonly path: readonly (string | number)[];
  readonly keyword: string;
  readonly message: string;
}

export interface NamespaceChange {
  readonly added: readonly string[];
  readonly updated: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: readonly string[];
}

/**
 * Where tools are registered. `ToolRegistry` of `@x/tool-registry` fits; so does anything with this
 * method.
 */
export interface ToolSink<Result> {
  /**
   * Makes `specs` the only tools that `owner` has in `namespace`, in one step, and returns the ids
   * (`{namespace}/{tool}`) concerned. Throws, with nothing changed, if it cannot.
   */
  replaceNamespace(
    namespace: string,
    specs: readonly SinkTool<Result>[],
    owner?: string,
  ): NamespaceChange;
}

/** Compiles a schema that came from a server; `compileSchema` of `@x/tool-schema` fits. */
export type CompileSchema = (schema: unknown) => SchemaValidator;

export interface SchemaValidator {
  validate(
    value: unknown,
  ): { readonly ok: true } | { readonly ok: false; readonly issues: readonly ValidationIssue[] };
}
