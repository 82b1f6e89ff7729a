import { ToolSchemaError } from "./errors.ts";
import { type JsonObject, kindOf, pointer, put } from "./json.ts";
import type { SchemaLimits } from "./limits.ts";

interface Pending {
  readonly source: object;
  readonly copy: unknown[] | JsonObject;
  readonly keys: readonly string[];
  readonly path: string;
  position: number;
}

/**
 * A deep copy as plain JSON data, so that a schema can neither change nor run anything while it is
 * used. Properties that are undefined are left out. What stands in two places is copied twice.
 *
 * @throws ToolSchemaError `not_json`, `too_large`
 */
export function copyPlain(root: unknown, limits: SchemaLimits): unknown {
  const open: Pending[] = [];
  const ancestors = new Set<object>();
  const meter = meterOf(limits);

  const copyOf = (value: unknown, path: string): unknown => {
    if (typeof value !== "object" || value === null) return scalar(value, path, meter);
    if (ancestors.has(value)) throw notJson("it holds itself", path);
    if (!(open.length < limits.maxDepth)) throw tooLarge("maxDepth", limits, path);
    const pending = begin(value, path, meter);
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
    if (!Array.isArray(pending.copy)) meter.text(key, pending.path);
    add(pending.copy, key, copyOf(value, path));
  }
  return copy;
}

const isAscii = /^[\0-\x7f]*$/;

/** Counts what a copy holds, and stops it. */
interface Meter {
  nodes(count: number, path: string): void;
  bytes(count: number, path: string): void;
  text(value: string, path: string): void;
}

function meterOf(limits: SchemaLimits): Meter {
  const encoder = new TextEncoder();
  let nodes = 1;
  let bytes = 0;
  const meter: Meter = {
    nodes(count, path) {
      nodes += count;
      if (!(nodes <= limits.maxNodes)) throw tooLarge("maxNodes", limits, path);
    },
    bytes(count, path) {
      bytes += count;
      if (!(bytes <= limits.maxBytes)) throw tooLarge("maxBytes", limits, path);
    },
    text(value, path) {
      if (!(value.length <= limits.maxStringLength))
        throw tooLarge("maxStringLength", limits, path);
      const size = isAscii.test(value) ? value.length : encoder.encode(value).length;
      // Two quotes, and a comma or colon.
      meter.bytes(size + 3, path);
    },
  };
  return meter;
}

export function tooLarge(
  limit: keyof SchemaLimits,
  limits: SchemaLimits,
  path: string,
): ToolSchemaError {
  const where = path === "" ? "" : ` at ${path.slice(0, 200)}`;
  const message = `the schema exceeds the limit ${limit} (${limits[limit]})${where}`;
  return new ToolSchemaError("too_large", message, { path });
}

/** An object's keys are counted before any of them is read. */
function begin(source: object, path: string, meter: Meter): Pending {
  try {
    if (Array.isArray(source)) {
      meter.nodes(source.length, path);
      meter.bytes(2, path);
      const keys = Array.from(source, (_, index) => String(index));
      return { source, copy: [], keys, path, position: 0 };
    }
    const prototype: unknown = Object.getPrototypeOf(source);
    if (prototype === null || Object.getPrototypeOf(prototype) === null) {
      const keys = Object.keys(source);
      meter.nodes(keys.length, path);
      meter.bytes(2, path);
      return { source, copy: {}, keys, path, position: 0 };
    }
  } catch (cause) {
    if (cause instanceof ToolSchemaError) throw cause;
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

function scalar(value: unknown, path: string, meter: Meter): unknown {
  if (typeof value === "string") {
    meter.text(value, path);
    return value;
  }
  if (value === null || typeof value === "boolean" || Number.isFinite(value)) {
    meter.bytes(String(value).length + 1, path);
    return value;
  }
  throw notJson(`it holds ${typeof value === "number" ? String(value) : kindOf(value)}`, path);
}

function notJson(why: string, path: string, cause?: unknown): ToolSchemaError {
  const message = `the schema is not JSON: ${why}${path === "" ? "" : ` at ${path.slice(0, 200)}`}`;
  return new ToolSchemaError("not_json", message, { path, cause });
}
