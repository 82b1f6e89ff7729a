import { readArguments } from "./arguments.ts";
import { MCPAdapterError, MCPNotConnectedError } from "./errors.ts";
import { type CallSite, checkArguments, type InvokeOptions } from "./invoke.ts";
import type { NamespaceChange, SinkCallContext, SinkTool, ToolSink } from "./ports.ts";
import { failed, type MCPToolResult } from "./result.ts";
import type { CatalogTool } from "./tool-check.ts";

export type MCPToolSink = ToolSink<MCPToolResult>;
export type MCPSinkTool = SinkTool<MCPToolResult>;

/** @throws MCPAdapterError `invalid_port`, naming the missing method */
export function requireSink(sink: unknown): asserts sink is MCPToolSink {
  const method: unknown =
    typeof sink === "object" && sink !== null && "replaceNamespace" in sink
      ? sink.replaceNamespace
      : undefined;
  if (typeof method === "function") return;
  throw new MCPAdapterError(
    "invalid_port",
    "registerTools needs a sink with replaceNamespace(namespace, specs, owner), such as ToolRegistry of @x/tool-registry",
  );
}

/** What a registered tool needs of its adapter, which it holds instead of a connection. */
export interface RegisteredBy {
  readonly server: string;
  readonly site: Pick<CallSite, "catalog" | "argumentLimits">;
  invoke(
    name: string,
    args: Record<string, unknown>,
    options: InvokeOptions,
  ): Promise<MCPToolResult>;
}

/** A sink takes a namespace whole or not at all, so one tool's odd hints must not spoil the rest. */
const ANNOTATION_LIMITS = { maxBytes: 65_536, maxDepth: 16 };

/** A schema that could not be used, and hints that are no plain data, are left out. */
export function sinkTool(tool: CatalogTool, by: RegisteredBy): MCPSinkTool {
  const { descriptor, capability } = tool;
  const { name, title, description, inputSchema, outputSchema } = descriptor;
  const annotations = readArguments(descriptor.annotations ?? {}, ANNOTATION_LIMITS);
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema,
    ...(outputSchema && tool.output && { outputSchema }),
    ...(descriptor.annotations && annotations.ok && { annotations: annotations.args }),
    source: "mcp",
    sourceMetadata: { server: by.server },
    capability,
    checkpointable: false,
    validate: (args) =>
      verdict(checkArguments(by.site, tool, readArguments(args, by.site.argumentLimits))),
    invoke: (args, context) => invokeWithoutThrowing(by, name, args, context),
  };
}

function verdict(checked: ReturnType<typeof checkArguments>): ReturnType<MCPSinkTool["validate"]> {
  if (checked.ok) return { ok: true };
  const { errorCode, error, issues } = checked.failure;
  return {
    ok: false,
    issues: issues ?? [{ pointer: "", path: [], keyword: errorCode, message: error }],
    errorCode: errorCode === "schema" || errorCode === "too_large" ? errorCode : "validation",
  };
}

/** A registered tool outlives connections: without one it answers `unavailable`. */
async function invokeWithoutThrowing(
  by: RegisteredBy,
  name: string,
  args: Record<string, unknown>,
  context: SinkCallContext | undefined,
): Promise<MCPToolResult> {
  const startedAt = performance.now();
  try {
    return await by.invoke(name, args, context ? invokeOptions(context) : {});
  } catch (error) {
    if (!(error instanceof MCPNotConnectedError)) throw error;
    return failed(
      { errorCode: "unavailable", error: `unavailable: ${error.message}`, ran: "no" },
      startedAt,
    );
  }
}

function invokeOptions({
  signal,
  timeoutMs,
  onProgress,
  capability,
}: SinkCallContext): InvokeOptions {
  return {
    ...(signal && { signal }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(onProgress && { onProgress }),
    ...(capability && { capability }),
  };
}

/** Where the tools of one adapter are registered. */
export class Registrations {
  readonly #owner: string;
  readonly #namespaces = new Map<MCPToolSink, Set<string>>();

  constructor(server: string) {
    this.#owner = `mcp:${server}`;
  }

  get any(): boolean {
    return [...this.#namespaces.values()].some((namespaces) => namespaces.size > 0);
  }

  put(sink: MCPToolSink, namespace: string, tools: readonly MCPSinkTool[]): NamespaceChange {
    const change = sink.replaceNamespace(namespace, tools, this.#owner);
    const namespaces = this.#namespaces.get(sink) ?? new Set();
    this.#namespaces.set(sink, namespaces.add(namespace));
    return change;
  }

  remove(sink: MCPToolSink, namespace: string): NamespaceChange {
    const change = sink.replaceNamespace(namespace, [], this.#owner);
    this.#namespaces.get(sink)?.delete(namespace);
    return change;
  }

  /** Puts the tools everywhere they are registered; a sink that refuses costs the others nothing. */
  refresh(tools: readonly MCPSinkTool[], onRefused: (error: unknown) => void): void {
    for (const [sink, namespaces] of this.#namespaces) {
      for (const namespace of namespaces) {
        try {
          sink.replaceNamespace(namespace, tools, this.#owner);
        } catch (error) {
          onRefused(error);
        }
      }
    }
  }
}
