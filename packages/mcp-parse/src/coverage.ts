/** The values in a tree, and how often each occurs. Null and `""` say nothing and are left out. */
type Leaves = Map<string | number | boolean, number>;

/** Trees with more values than this are not compared. */
const MAX_VALUES = 200_000;
/** Characters that are looked at before a comparison is given up. */
const MAX_STEPS = 50_000_000;

/**
 * Whether every value of a tree stands in the texts already, as often as in the tree: as a value of
 * a text that is JSON, or as a word of its own in any text. False when in doubt: then something is
 * said twice, and nothing is lost.
 */
export function isTold(value: unknown, texts: readonly string[]): boolean {
  const missing = collectLeaves(value);
  if (missing === undefined) return false;
  for (const text of texts) subtractJson(missing, text);
  if (missing.size === 0) return true;
  const whole = texts.join("\n");
  let steps = 0;
  for (const [leaf, count] of missing) {
    const word = String(leaf);
    steps += whole.length + word.length;
    if (steps > MAX_STEPS) return false;
    if (occurrences(whole, word, typeof leaf) < count) return false;
  }
  return true;
}

function subtractJson(missing: Leaves, text: string): void {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return;
  }
  if (typeof parsed !== "object") return;
  for (const [leaf, count] of collectLeaves(parsed) ?? []) {
    const left = (missing.get(leaf) ?? 0) - count;
    if (left > 0) missing.set(leaf, left);
    else missing.delete(leaf);
  }
}

/** Undefined if the tree is too large, cyclic or unreadable. */
function collectLeaves(root: unknown): Leaves | undefined {
  const leaves: Leaves = new Map();
  const pending: unknown[] = [root];
  let visited = 0;
  try {
    while (pending.length > 0) {
      visited += 1;
      if (visited > MAX_VALUES) return undefined;
      const value = pending.pop();
      if (typeof value === "object" && value !== null) {
        for (const child of Object.values(value)) pending.push(child);
      } else if (isLeaf(value)) {
        leaves.set(value, (leaves.get(value) ?? 0) + 1);
      }
    }
  } catch {
    return undefined;
  }
  return leaves;
}

function isLeaf(value: unknown): value is string | number | boolean {
  return (
    (typeof value === "string" && value !== "") ||
    typeof value === "number" ||
    typeof value === "boolean"
  );
}

/**
 * How often a word stands by itself in a text (Knuth, Morris and Pratt: linear whatever the
 * server chose both to be).
 */
function occurrences(text: string, word: string, kind: string): number {
  const borders = bordersOf(word);
  let found = 0;
  let matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    while (matched > 0 && text[at] !== word[matched]) matched = borders[matched - 1] ?? 0;
    if (text[at] === word[matched]) matched += 1;
    if (matched < word.length) continue;
    if (standsAlone(text, at - word.length + 1, at + 1, kind)) found += 1;
    matched = borders[matched - 1] ?? 0;
  }
  return found;
}

/** For each prefix, the length of its longest proper prefix that is also its end. */
function bordersOf(word: string): Int32Array {
  const borders = new Int32Array(word.length);
  let length = 0;
  for (let at = 1; at < word.length; at += 1) {
    while (length > 0 && word[at] !== word[length]) length = borders[length - 1] ?? 0;
    if (word[at] === word[length]) length += 1;
    borders[at] = length;
  }
  return borders;
}

function standsAlone(text: string, start: number, end: number, kind: string): boolean {
  const before = text[start - 1] ?? "";
  const after = text[end] ?? "";
  if (isWordCharacter(before) && isWordCharacter(text[start] ?? "")) return false;
  if (isWordCharacter(after) && isWordCharacter(text[end - 1] ?? "")) return false;
  if (kind !== "number") return true;
  const goesOn = (after === "." || after === ",") && /\d/.test(text[end + 1] ?? "");
  return !goesOn && !(before !== "" && ".,-".includes(before));
}

function isWordCharacter(character: string): boolean {
  return /^\w$/.test(character);
}
