/** How many values are written of something that `JSON.stringify` refuses. */
const MAX_VALUES = 200_000;

interface Container {
  readonly value: object;
  readonly keys: readonly string[];
  readonly close: "]" | "}";
  position: number;
}

/**
 * JSON of anything, never throwing: also of what is too deep for `JSON.stringify`, cyclic, or
 * throws when read. Those spots become `"[circular]"` and `"[unreadable]"`; after 200,000 values
 * the rest becomes `"[cut]"` and the text is not `complete`.
 */
export function writeJson(value: unknown): { readonly text: string; readonly complete: boolean } {
  try {
    return { text: JSON.stringify(value) ?? "null", complete: true };
  } catch {
    return writeIteratively(value);
  }
}

function writeIteratively(root: unknown): { text: string; complete: boolean } {
  const parts: string[] = [];
  const open: Container[] = [];
  const ancestors = new Set<object>();
  let written = 0;

  const write = (value: unknown): void => {
    written += 1;
    const next = written > MAX_VALUES ? '"[cut]"' : begin(value, ancestors);
    if (typeof next === "string") {
      parts.push(next);
      return;
    }
    parts.push(next.close === "]" ? "[" : "{");
    open.push(next);
    ancestors.add(next.value);
  };

  write(root);
  for (let container = open.at(-1); container !== undefined; container = open.at(-1)) {
    const key = container.keys[container.position];
    if (key === undefined || written > MAX_VALUES) {
      parts.push(container.close);
      ancestors.delete(container.value);
      open.pop();
      continue;
    }
    if (container.position > 0) parts.push(",");
    if (container.close === "}") parts.push(JSON.stringify(key), ":");
    container.position += 1;
    write(property(container.value, key));
  }
  return { text: parts.join(""), complete: written <= MAX_VALUES };
}

/** The text of a scalar, or the container to go into. */
function begin(value: unknown, ancestors: ReadonlySet<object>): string | Container {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (ancestors.has(value)) return '"[circular]"';
  try {
    return {
      value,
      keys: Object.keys(value),
      close: Array.isArray(value) ? "]" : "}",
      position: 0,
    };
  } catch {
    return '"[unreadable]"';
  }
}

function property(container: object, key: string): unknown {
  try {
    return Reflect.get(container, key);
  } catch {
    return "[unreadable]";
  }
}
