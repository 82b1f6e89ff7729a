import type { ToolFilter } from "./filter.ts";
import { modelTools, type ToolLister } from "./model-tools.ts";
import type { ToolCallContext } from "./tool.ts";

/** Bytes of UTF-8 that tools take up in every request to a model, before its own wrapping. */
export interface ToolCost {
  readonly tools: number;
  /** Names, descriptions and schemas together. */
  readonly bytes: number;
  /** As the model is shown them, such as `github__list_issues`. */
  readonly names: number;
  readonly descriptions: number;
  /** Input schemas, as JSON without spaces. */
  readonly schemas: number;
}

export interface RegistryCost extends ToolCost {
  /** The most expensive first. */
  readonly namespaces: readonly NamespaceCost[];
}

export interface NamespaceCost extends ToolCost {
  readonly namespace: string;
}

const NOTHING: ToolCost = { tools: 0, bytes: 0, names: 0, descriptions: 0, schemas: 0 };

/** @throws ToolRegistryError `invalid_spec` naming the field of the filter */
export function toolCost<Context extends ToolCallContext>(
  registry: ToolLister<Context>,
  filter: ToolFilter | undefined,
): RegistryCost {
  let total = NOTHING;
  const byNamespace = new Map<string, ToolCost>();
  for (const { name, description, inputSchema, tool } of modelTools(registry, {
    ...(filter && { filter }),
  })) {
    const [names, descriptions, schemas] = [
      bytesOf(name),
      bytesOf(description),
      bytesOf(JSON.stringify(inputSchema)),
    ];
    const bytes = names + descriptions + schemas;
    const cost = { tools: 1, bytes, names, descriptions, schemas };
    total = sum(total, cost);
    const { namespace } = tool;
    byNamespace.set(namespace, sum(byNamespace.get(namespace) ?? NOTHING, cost));
  }
  const namespaces = [...byNamespace]
    .map(([namespace, cost]) => ({ namespace, ...cost }))
    .sort((a, b) => b.bytes - a.bytes);
  return { ...total, namespaces };
}

function sum(a: ToolCost, b: ToolCost): ToolCost {
  return {
    tools: a.tools + b.tools,
    bytes: a.bytes + b.bytes,
    names: a.names + b.names,
    descriptions: a.descriptions + b.descriptions,
    schemas: a.schemas + b.schemas,
  };
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
