import { isObject, type JsonObject, kindOf, own, quoted } from "./json.ts";
import type { Warning } from "./warnings.ts";

/**
 * - `not_an_object`: the item is no object
 * - `invalid_name`, `invalid_uri`: what identifies the item is missing, empty or no string
 * - `invalid_schema`: `inputSchema` is there and neither an object nor null
 * - `duplicate_name`, `duplicate_uri`: an earlier item of the list has the same
 * - `unreadable`: reading a property threw
 */
export type QuarantineCode =
  | "not_an_object"
  | "invalid_name"
  | "invalid_uri"
  | "invalid_schema"
  | "duplicate_name"
  | "duplicate_uri"
  | "unreadable";

/** An item of a list that cannot be used, and why. */
export interface Quarantined {
  /** The name, uri or uri template, if the item has one. */
  readonly name?: string;
  readonly code: QuarantineCode;
  /** JSON pointer into the item. */
  readonly path: string;
  readonly message: string;
}

/** One kind of list item: what identifies it, and how the rest of it is read. */
export interface ItemKind<T> {
  readonly noun: string;
  readonly key: "name" | "uri" | "uriTemplate";
  /** What makes an item unusable besides its key. */
  refuse?(item: JsonObject, label: string): Omit<Quarantined, "name"> | undefined;
  /** `label` is what messages call the item. */
  read(item: JsonObject, id: string, label: string, warnings: Warning[]): T;
}

type Reading<T> =
  | { readonly ok: true; readonly id: string; readonly item: T; readonly warnings: Warning[] }
  | { readonly ok: false; readonly quarantined: Quarantined };

/** `where` is what messages call an item that has no name. */
export function readItem<T>(
  value: unknown,
  kind: ItemKind<T>,
  where: string = kind.noun,
): Reading<T> {
  try {
    return readKeyed(value, kind, where);
  } catch {
    // Only the foreign value itself can throw here; what it throws is as foreign as the rest.
    return refused({
      code: "unreadable",
      path: "",
      message: `${where} cannot be read: a property throws`,
    });
  }
}

function readKeyed<T>(value: unknown, kind: ItemKind<T>, where: string): Reading<T> {
  if (!isObject(value)) {
    const message = `${where} must be an object, got ${kindOf(value)}`;
    return refused({ code: "not_an_object", path: "", message });
  }
  const id = own(value, kind.key);
  if (typeof id !== "string" || id === "") {
    const code = kind.key === "name" ? "invalid_name" : "invalid_uri";
    const came = id === "" ? "an empty one" : kindOf(id);
    const message = `${where}: ${kind.key} must be a non-empty string, got ${came}`;
    return refused({ code, path: `/${kind.key}`, message });
  }
  const label = `${kind.noun} ${quoted(id)}`;
  const refusal = kind.refuse?.(value, label);
  if (refusal !== undefined) return refused({ name: id, ...refusal });
  const warnings: Warning[] = [];
  return { ok: true, id, item: kind.read(value, id, label, warnings), warnings };
}

function refused(quarantined: Quarantined): { ok: false; quarantined: Quarantined } {
  return { ok: false, quarantined };
}

/** Every item on its own. Of two with the same key the first readable one wins. */
export function readItems<T>(
  values: readonly unknown[],
  kind: ItemKind<T>,
): { items: T[]; quarantined: Quarantined[]; warnings: Warning[] } {
  const items = new Map<string, T>();
  const quarantined: Quarantined[] = [];
  const warnings: Warning[] = [];
  for (const [index, value] of values.entries()) {
    const reading = readItem(value, kind, `${kind.noun} ${index} of the list`);
    if (!reading.ok) quarantined.push(reading.quarantined);
    else if (items.has(reading.id)) quarantined.push(duplicate(reading.id, kind));
    else {
      items.set(reading.id, reading.item);
      for (const warning of reading.warnings) warnings.push(warning);
    }
  }
  return { items: [...items.values()], quarantined, warnings };
}

function duplicate<T>(id: string, { noun, key }: ItemKind<T>): Quarantined {
  return {
    name: id,
    code: key === "name" ? "duplicate_name" : "duplicate_uri",
    path: `/${key}`,
    message: `${noun} ${quoted(id)} is listed twice; the first one is kept`,
  };
}
