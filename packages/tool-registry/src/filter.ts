import type { Effect } from "./capability.ts";
import { isRecord } from "./data.ts";
import { ToolRegistryError } from "./errors.ts";
import { kindOf } from "./message.ts";
import type { RegisteredTool } from "./tool.ts";

/** A tool must fit every field that is given, and any one value of a list. */
export interface ToolSelection {
  /**
   * Names or globs; `*` stands for any characters. One that holds a `/` is compared with the id,
   * so that no server can name its tool into another namespace; any other with the tool's name.
   */
  readonly names?: string | readonly string[];
  readonly namespace?: string | readonly string[];
  readonly effect?: Effect | readonly Effect[];
  readonly source?: string | readonly string[];
}

export type ToolPredicate = (tool: RegisteredTool) => boolean;

export type ToolFilter = ToolSelection | ToolPredicate;

/** @throws ToolRegistryError `invalid_spec` naming the field that is not understood */
export function toPredicate(filter: ToolFilter | undefined): ToolPredicate {
  if (filter === undefined) return () => true;
  if (typeof filter === "function") return (tool) => filter(tool) === true;
  if (!isRecord(filter)) {
    throw invalidFilter("filter", `must be an object or a function, got ${kindOf(filter)}`);
  }
  const known = ["names", "namespace", "effect", "source"];
  const unknown = Object.keys(filter).find((key) => !known.includes(key));
  if (unknown !== undefined) throw invalidFilter(`filter.${unknown}`, "is no field of a filter");

  const patterns = valuesOf(filter, "names")?.map(glob);
  const namespaces = valuesOf(filter, "namespace");
  const effects = valuesOf(filter, "effect");
  const sources = valuesOf(filter, "source");
  return ({ id, namespace, name, capability, source }) =>
    (patterns?.some(({ matches, onId }) => matches(onId ? id : name)) ?? true) &&
    (namespaces?.includes(namespace) ?? true) &&
    (effects?.includes(capability.effect) ?? true) &&
    (sources?.includes(source) ?? true);
}

function valuesOf(filter: ToolSelection, field: keyof ToolSelection): string[] | undefined {
  const given: unknown = filter[field];
  if (given === undefined) return undefined;
  const values: unknown[] = Array.isArray(given) ? given : [given];
  return values.map((value) => {
    if (typeof value === "string") return value;
    throw invalidFilter(`filter.${field}`, `must be text, got ${kindOf(value)}`);
  });
}

function invalidFilter(field: string, problem: string): ToolRegistryError {
  return new ToolRegistryError("invalid_spec", `${field} ${problem}`, { field });
}

interface Glob {
  readonly onId: boolean;
  matches(text: string): boolean;
}

function glob(pattern: string): Glob {
  const [head = "", ...rest] = pattern.split("*");
  const tail = rest.pop();
  const onId = pattern.includes("/");
  if (tail === undefined) return { onId, matches: (text) => text === pattern };
  return {
    onId,
    matches: (text) => {
      if (!text.startsWith(head) || !text.endsWith(tail)) return false;
      const end = text.length - tail.length;
      let position = head.length;
      for (const middle of rest) {
        const found = text.indexOf(middle, position);
        if (found < 0) return false;
        position = found + middle.length;
      }
      return position <= end;
    },
  };
}
