import { ToolRegistryError } from "./errors.ts";
import { quoted } from "./message.ts";
import { sha256 } from "./sha256.ts";

export interface ModelNamesOptions {
  /**
   * `namespaced`: the names are ids, `{namespace}/{name}`. `plain`: the names have no parts, and a
   * legal one stays as it is.
   *
   * @defaultValue "namespaced"
   */
  readonly kind?: "namespaced" | "plain";
}

/** Two ids that hash to one name; neither of them is translated. */
export interface NameClash {
  readonly name: string;
  readonly ids: readonly string[];
}

export interface ModelNames {
  /** @throws ToolRegistryError `not_found` for an id that was not given, `duplicate` for a clash */
  toModel(id: string): string;
  /** The id behind a name, `undefined` for a name that is none of these. */
  toId(name: string): string | undefined;
  readonly clashes: readonly NameClash[];
}

const MAX_LENGTH = 64;
const HASH_DIGITS = 10;
const MAX_READABLE = MAX_LENGTH - HASH_DIGITS - 1;
/** How much of a long namespace stays beside a tool's name that would fill the room. */
const MIN_NAMESPACE = 20;

/**
 * Base 32 without the vowels a, e, i and o (and with u, to make 32), so that no word at the end of
 * an ordinary name is mistaken for a hash.
 */
const DIGITS = "0123456789bcdfghjklmnpqrstuvwxyz";
const LOOKS_GENERATED = new RegExp(`_[${DIGITS}]{${HASH_DIGITS}}$`);
const LEGAL = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const LEGAL_PART = /^[a-zA-Z0-9_-]+$/;

/**
 * Names that every model API takes: `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`. The name of an id depends on
 * that id alone, so it is the same in any listing and after any restart. `ns/tool` becomes
 * `ns__tool` where that can be read in one way only; any other id becomes a readable part and 50
 * bits of its SHA-256. Two ids that get the same name all the same, which takes a forger about 2^25
 * tries, are both refused: see {@link ModelNames.clashes}.
 */
export function modelNames(ids: Iterable<string>, options: ModelNamesOptions = {}): ModelNames {
  const nameOf = options.kind === "plain" ? plainName : namespacedName;
  const names = new Map<string, string>();
  const holders = new Map<string, string[]>();
  for (const id of new Set(ids)) {
    const name = nameOf(id);
    names.set(id, name);
    holders.set(name, [...(holders.get(name) ?? []), id]);
  }
  const clashes = [...holders].flatMap(([name, held]) =>
    held.length > 1 ? [{ name, ids: held }] : [],
  );
  return {
    clashes,
    toModel: (id) => {
      const name = names.get(id);
      if (name === undefined) {
        throw new ToolRegistryError("not_found", `${quoted(id)} is none of the ids given`);
      }
      const held = holders.get(name) ?? [];
      if (held.length === 1) return name;
      const message = `${held.map(quoted).join(" and ")} would get the same name ${quoted(name)}`;
      throw new ToolRegistryError("duplicate", message);
    },
    toId: (name) => {
      const held = holders.get(name) ?? [];
      return held.length === 1 ? held[0] : undefined;
    },
  };
}

function namespacedName(id: string): string {
  const slash = id.indexOf("/");
  const [namespace, tool] = [id.slice(0, Math.max(slash, 0)), id.slice(slash + 1)];
  const joined = `${namespace}__${tool}`;
  return isJoinable(namespace, tool) && LEGAL.test(joined) && !LOOKS_GENERATED.test(joined)
    ? joined
    : hashedName(id, readable(namespace, tool));
}

/** Whether the joined name holds exactly one `__`, and nothing else that reads as a separator. */
function isJoinable(namespace: string, tool: string): boolean {
  return (
    LEGAL_PART.test(namespace) &&
    LEGAL_PART.test(tool) &&
    !namespace.includes("__") &&
    !tool.includes("__") &&
    !namespace.endsWith("_") &&
    !tool.startsWith("_")
  );
}

function plainName(name: string): string {
  return LEGAL.test(name) && !LOOKS_GENERATED.test(name)
    ? name
    : hashedName(name, readable("", name));
}

/** The readable part holds no `__` and ends with no `_`, so no joined name can equal a hashed one. */
function hashedName(original: string, readablePart: string): string {
  return `${readablePart}_${hash(original)}`;
}

function readable(namespace: string, tool: string): string {
  const clean = (part: string): string =>
    part
      .slice(0, 1000)
      .replace(/[^a-zA-Z0-9_-]+/g, "_")
      .replace(/_+/g, "_")
      .replace(/^_|_$/g, "");
  const name = clean(tool);
  const room = Math.max(MAX_READABLE - name.length - 1, MIN_NAMESPACE);
  const parts = [clean(namespace).slice(0, room), name].filter((part) => part !== "");
  const joined = parts.join("_").replace(/_+/g, "_");
  const start = /^[a-zA-Z_]/.test(joined) ? joined : `tool_${joined}`;
  return start.slice(0, MAX_READABLE).replace(/_$/, "");
}

/** 50 bits of the SHA-256 of the UTF-8 text; a lone surrogate counts as itself, not as U+FFFD. */
function hash(text: string): string {
  const digest = sha256(wtf8(text));
  let bits = (digest[6] ?? 0) >> 6;
  for (const [index, byte] of digest.subarray(0, 6).entries()) bits += byte * 2 ** (42 - 8 * index);
  let digits = "";
  for (let i = 0; i < HASH_DIGITS; i++) {
    digits = DIGITS.charAt(bits % 32) + digits;
    bits = Math.floor(bits / 32);
  }
  return digits;
}

function wtf8(text: string): Uint8Array {
  const encoder = new TextEncoder();
  if (!/\p{Surrogate}/u.test(text)) return encoder.encode(text);
  const bytes: number[] = [];
  for (const character of text) {
    const unit = character.charCodeAt(0);
    if (character.length === 1 && unit >= 0xd800 && unit <= 0xdfff) {
      bytes.push(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
    } else {
      bytes.push(...encoder.encode(character));
    }
  }
  return Uint8Array.from(bytes);
}
