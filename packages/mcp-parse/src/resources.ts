import { list, object, optionalFields, size, text } from "./fields.ts";
import { type ItemKind, type Quarantined, readItem, readItems } from "./items.ts";
import type { JsonObject } from "./json.ts";
import type { Warning } from "./warnings.ts";

interface Described {
  /** The uri or uri template if the server gave none. */
  readonly name: string;
  readonly title?: string;
  /** `""` if the server gave none. */
  readonly description: string;
  readonly mimeType?: string;
  readonly annotations?: JsonObject;
  readonly icons?: readonly unknown[];
  readonly _meta?: JsonObject;
  /** The item as it came. */
  readonly raw: JsonObject;
}

export interface MCPResourceDescriptor extends Described {
  readonly uri: string;
  /** In bytes. */
  readonly size?: number;
}

export interface MCPResourceTemplate extends Described {
  /** RFC 6570. */
  readonly uriTemplate: string;
}

export type ResourceReading =
  | {
      readonly ok: true;
      readonly resource: MCPResourceDescriptor;
      readonly warnings: readonly Warning[];
    }
  | { readonly ok: false; readonly quarantined: Quarantined };

export type ResourceTemplateReading =
  | {
      readonly ok: true;
      readonly resourceTemplate: MCPResourceTemplate;
      readonly warnings: readonly Warning[];
    }
  | { readonly ok: false; readonly quarantined: Quarantined };

const fields = {
  name: text,
  title: text,
  description: text,
  mimeType: text,
  annotations: object,
  icons: list,
  _meta: object,
};

const resourceKind: ItemKind<MCPResourceDescriptor> = {
  noun: "resource",
  key: "uri",
  read(item, uri, label, warnings) {
    const read = optionalFields(item, { ...fields, size }, { label, warnings });
    return { name: uri, description: "", ...read, uri, raw: item };
  },
};

const templateKind: ItemKind<MCPResourceTemplate> = {
  noun: "resource template",
  key: "uriTemplate",
  read(item, uriTemplate, label, warnings) {
    const read = optionalFields(item, fields, { label, warnings });
    return { name: uriTemplate, description: "", ...read, uriTemplate, raw: item };
  },
};

/** One item of `resources/list`. Only a usable uri is essential. Never throws. */
export function readResourceDescriptor(value: unknown): ResourceReading {
  const reading = readItem(value, resourceKind);
  return reading.ok ? { ok: true, resource: reading.item, warnings: reading.warnings } : reading;
}

/** One item of `resources/templates/list`. Only a uri template is essential. Never throws. */
export function readResourceTemplate(value: unknown): ResourceTemplateReading {
  const reading = readItem(value, templateKind);
  if (!reading.ok) return reading;
  return { ok: true, resourceTemplate: reading.item, warnings: reading.warnings };
}

/**
 * The items of all pages, each on its own: a bad one costs the others nothing. Of two resources
 * with the same uri the first readable one wins. Never throws.
 */
export function readResourceDescriptors(items: readonly unknown[]): {
  resources: MCPResourceDescriptor[];
  quarantined: Quarantined[];
  warnings: Warning[];
} {
  const { items: resources, quarantined, warnings } = readItems(items, resourceKind);
  return { resources, quarantined, warnings };
}

/** As {@link readResourceDescriptors}, by uri template. */
export function readResourceTemplates(items: readonly unknown[]): {
  resourceTemplates: MCPResourceTemplate[];
  quarantined: Quarantined[];
  warnings: Warning[];
} {
  const { items: resourceTemplates, quarantined, warnings } = readItems(items, templateKind);
  return { resourceTemplates, quarantined, warnings };
}
