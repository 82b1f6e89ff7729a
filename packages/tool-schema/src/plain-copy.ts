import { ToolSchemaError } from "./errors.ts";
import { type JsonObject, kindOf, pointer, put } from "./json.ts";

interface Pending {
  readonly source: object;
  readonly copy: unknown[] | JsonObject;
  readonly keys: readonly string[];
  readonly path: string;
  position: number;
}

/**
 * A deep copy as plain JSON data, so that a schema can neither change nor run anything while it is
 * used. Properties that are undefined are left out.
 *
 * @throws ToolSchemaError `not_json`
 */
export function copyPlain(root: unknown): unknown {
  const copies = new Map<object, unknown[] | JsonObject>();
  const open: Pending[] = [];
  const ancestors = new Set<object>();

  const copyOf = (value: unknown, path: string): unknown => {
    if (typeof value !== "object" || value === null) return scalar(value, path);
    if (ancestors.has(value)) throw notJson("it holds itself", path);
    const known = copies.get(value);
    if (known !== undefined) return known;
    const pending = begin(value, path);
    copies.set(value, pending.copy);
    ancestors.add(value);
    open.push(pending);
    return pending.copy;
  };

  const copy = copyOf(root, "");
  for (let pending = open.at(-1); pending !== undefined; pending = open.at(-1)) {
    const key = pending.keys[pending.position];
    if (key === undefined) {
      ancestors.delete(pending.source);
      open.pop();
      continue;
    }
    pending.position += 1;
    const path = pointer(pending.path, key);
    const value = read(pending.source, key, path);
    if (value === undefined && !Array.isArray(pending.copy)) continue;
    add(pending.copy, key, copyOf(value, path));
  }
  return copy;
}

function begin(source: object, path: string): Pending {
  try {
    if (Array.isArray(source)) {
      const keys = Array.from(source, (_, index) => String(index));
      return { source, copy: [], keys, path, position: 0 };
    }
    const prototype: unknown = Object.getPrototypeOf(source);
    if (prototype === null || Object.getPrototypeOf(prototype) === null) {
      return { source, copy: {}, keys: Object.keys(source), path, position: 0 };
    }
  } catch (cause) {
    throw notJson("it cannot be read", path, cause);
  }
  throw notJson("it holds an object with a class", path);
}

function read(source: object, key: string, path: string): unknown {
  try {
    return Reflect.get(source, key);
  } catch (cause) {
    throw notJson("it cannot be read", path, cause);
  }
}

function add(copy: unknown[] | JsonObject, key: string, value: unknown): void {
  if (Array.isArray(copy)) copy.push(value);
  else put(copy, key, value);
}

function scalar(value: unknown, path: string): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw notJson(`it holds ${typeof value === "number" ? String(value) : kindOf(value)}`, path);
}

function notJson(why: string, path: string, cause?: unknown): ToolSchemaError {
  const message = `the schema is not JSON: ${why}${path === "" ? "" : ` at ${path.slice(0, 200)}`}`;
  return new ToolSchemaError("not_json", message, { path, cause });
}
