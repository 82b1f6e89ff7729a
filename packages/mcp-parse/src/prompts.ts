import { list, object, optionalFields, text } from "./fields.ts";
import { type ItemKind, type Quarantined, readItem, readItems } from "./items.ts";
import { isObject, type JsonObject, own } from "./json.ts";
import type { Warning } from "./warnings.ts";

export interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  /** `""` if the server gave none. */
  readonly description: string;
  readonly required: boolean;
}

export interface MCPPromptDescriptor {
  readonly name: string;
  readonly title?: string;
  /** `""` if the server gave none. */
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  readonly icons?: readonly unknown[];
  readonly _meta?: JsonObject;
  /** The item as it came. */
  readonly raw: JsonObject;
}

export type PromptReading =
  | {
      readonly ok: true;
      readonly prompt: MCPPromptDescriptor;
      readonly warnings: readonly Warning[];
    }
  | { readonly ok: false; readonly quarantined: Quarantined };

const fields = { title: text, description: text, icons: list, _meta: object };

const promptKind: ItemKind<MCPPromptDescriptor> = {
  noun: "prompt",
  key: "name",
  read(item, name, label, warnings) {
    const { arguments: declared = [] } = optionalFields(
      item,
      { arguments: list },
      { label, warnings },
    );
    return {
      description: "",
      ...optionalFields(item, fields, { label, warnings }),
      name,
      arguments: declared.flatMap((argument, index) => {
        const path = `/arguments/${index}`;
        return readArgument(argument, `argument ${index} of ${label}`, path, warnings);
      }),
      raw: item,
    };
  },
};

function readArgument(
  value: unknown,
  label: string,
  path: string,
  warnings: Warning[],
): PromptArgument[] {
  const name = isObject(value) ? own(value, "name") : undefined;
  if (!isObject(value) || typeof name !== "string" || name === "") {
    const message = `${label} must be an object with a name; it is left out`;
    warnings.push({ code: "invalid_field", message, path });
    return [];
  }
  const texts = optionalFields(
    value,
    { title: text, description: text },
    { label, path, warnings },
  );
  return [{ description: "", ...texts, name, required: own(value, "required") === true }];
}

/** One item of `prompts/list`. Only a usable name is essential. Never throws. */
export function readPromptDescriptor(value: unknown): PromptReading {
  const reading = readItem(value, promptKind);
  return reading.ok ? { ok: true, prompt: reading.item, warnings: reading.warnings } : reading;
}

/**
 * The items of all pages, each on its own: a bad one costs the others nothing. Of two prompts with
 * the same name the first readable one wins. Never throws.
 */
export function readPromptDescriptors(items: readonly unknown[]): {
  prompts: MCPPromptDescriptor[];
  quarantined: Quarantined[];
  warnings: Warning[];
} {
  const { items: prompts, quarantined, warnings } = readItems(items, promptKind);
  return { prompts, quarantined, warnings };
}
