import { sameData } from "./data.ts";

/** How many characters of text are searched, for all values together. */
const MAX_SEARCHED = 20_000_000;
/** A longer string is not searched for: it must be one of the texts. */
const MAX_SEARCHED_STRING = 1_000;

type Scalar = string | number | boolean | null;

/**
 * Whether all values of structured content stand in the texts already: as the same JSON, or each
 * number, word and string by itself. A doubt counts as no, since saying a thing twice loses nothing.
 */
export function isInTexts(structured: unknown, texts: readonly string[]): boolean {
  if (texts.some((text) => isJsonOf(text, structured))) return true;
  const text = texts.join("\n");
  const maxStrings = MAX_SEARCHED / (text.length + 1);
  const scalars = scalarsOf(structured, maxStrings);
  if (scalars === undefined) return false;
  const numbers = new Set(text.match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g));
  const words = new Set(text.match(/\b(?:true|false|null)\b/g));
  return scalars.every((scalar) => {
    if (typeof scalar === "number") return numbers.has(String(scalar));
    if (typeof scalar === "string") return texts.includes(scalar) || holdsString(text, scalar);
    return words.has(String(scalar));
  });
}

function isJsonOf(text: string, structured: unknown): boolean {
  if (!/^\s*[[{"\d-]/.test(text)) return false;
  try {
    return sameData(JSON.parse(text), structured);
  } catch {
    return false;
  }
}

/** `undefined` if there are too many, or something is no JSON. */
function scalarsOf(root: unknown, max: number): readonly Scalar[] | undefined {
  const scalars: Scalar[] = [];
  const pending: unknown[] = [root];
  for (let visited = 0; pending.length > 0; visited++) {
    const value = pending.pop();
    if (value === null || isScalar(value)) scalars.push(value);
    else if (typeof value === "object") for (const item of Object.values(value)) pending.push(item);
    else return undefined;
    if (visited > max) return undefined;
  }
  return scalars;
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function holdsString(text: string, value: string): boolean {
  if (value === "") return true;
  if (value.length > MAX_SEARCHED_STRING) return false;
  return holdsWhole(text, value) || holdsWhole(text, JSON.stringify(value).slice(1, -1));
}

/** Whether the text holds the value, and not only inside a longer word. */
function holdsWhole(text: string, value: string): boolean {
  const joinsLeft = isWordCharacter(value.charAt(0));
  const joinsRight = isWordCharacter(value.charAt(value.length - 1));
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
    const left = joinsLeft && at > 0 && isWordCharacter(text.charAt(at - 1));
    const right = joinsRight && isWordCharacter(text.charAt(at + value.length));
    if (!left && !right) return true;
  }
  return false;
}

function isWordCharacter(character: string): boolean {
  return /[\p{L}\p{N}_]/u.test(character);
}
