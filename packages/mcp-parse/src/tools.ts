import { list, object, optionalFields, text } from "./fields.ts";
import { type ItemKind, type Quarantined, readItem, readItems } from "./items.ts";
import { isObject, type JsonObject, kindOf, own } from "./json.ts";
import type { Warning } from "./warnings.ts";

export interface MCPToolDescriptor {
  /** As the server calls it: not empty, otherwise of any form. */
  readonly name: string;
  readonly title?: string;
  /** `""` if the server gave none. */
  readonly description: string;
  /** The server's own object, untouched; `{ type: "object" }` where it is missing or null. */
  readonly inputSchema: JsonObject;
  /** The server's own object, untouched. */
  readonly outputSchema?: JsonObject;
  /** A claim of the server; its fields are not checked. */
  readonly annotations?: JsonObject;
  /** Holds `taskSupport`. */
  readonly execution?: JsonObject;
  readonly icons?: readonly unknown[];
  readonly _meta?: JsonObject;
  /** The item as it came, with the keys unknown here. */
  readonly raw: JsonObject;
}

export type ToolReading =
  | {
      readonly ok: true;
      readonly tool: MCPToolDescriptor;
      readonly warnings: readonly Warning[];
    }
  | { readonly ok: false; readonly quarantined: Quarantined };

const fields = {
  title: text,
  description: text,
  outputSchema: object,
  annotations: object,
  execution: object,
  icons: list,
  _meta: object,
};

const toolKind: ItemKind<MCPToolDescriptor> = {
  noun: "tool",
  key: "name",
  refuse(item, label) {
    const schema = own(item, "inputSchema");
    if (schema === undefined || schema === null || isObject(schema)) return undefined;
    const message = `${label}: inputSchema must be an object, got ${kindOf(schema)}`;
    return { code: "invalid_schema", path: "/inputSchema", message };
  },
  read(item, name, label, warnings) {
    const schema = own(item, "inputSchema");
    if (!isObject(schema)) {
      const message = `${label} has no inputSchema (${kindOf(schema)}); it takes any object`;
      warnings.push({ code: "schema_missing", message, path: "/inputSchema" });
    }
    return {
      description: "",
      ...optionalFields(item, fields, { label, warnings }),
      name,
      inputSchema: isObject(schema) ? schema : { type: "object" },
      raw: item,
    };
  },
};

/**
 * One item of `tools/list`. Only a usable name and an `inputSchema` that is an object, null or
 * missing are essential; any other field of a wrong type is left out with a warning. Never throws.
 */
export function readTool(value: unknown): ToolReading {
  const reading = readItem(value, toolKind);
  return reading.ok ? { ok: true, tool: reading.item, warnings: reading.warnings } : reading;
}

/**
 * The items of all pages, each on its own: a bad one costs the others nothing. Of two tools with
 * the same name the first readable one wins. Never throws.
 */
export function readTools(items: readonly unknown[]): {
  tools: MCPToolDescriptor[];
  quarantined: Quarantined[];
  warnings: Warning[];
} {
  const { items: tools, quarantined, warnings } = readItems(items, toolKind);
  return { tools, quarantined, warnings };
}
