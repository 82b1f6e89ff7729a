const shortest = 8;
const mask = "***";
const mostAdded = 100;
// The part of `Bearer xyz` and of `--token=xyz` that is told to others.
const credential = /^(?:[a-z]+ |[^\s=]+=)(\S+)$/i;

/** Hides the values a config holds in secret wherever they turn up in a text. */
export interface Redactor {
  /** Hides this value too, if it has 8 characters or more, until 100 others have come after it. */
  add(value: string): void;
  redact(text: string): string;
  /** How many characters at the end of a text may be the beginning of a value. */
  heldBack(text: string): number;
  /** How many characters at the begin of a text may be the end of a value. */
  cutOff(text: string): number;
}

export function createRedactor(values: readonly string[] = []): Redactor {
  const fixed = values.flatMap(partsOf);
  let added: string[] = [];
  let secrets = byLength(fixed);
  return {
    add(value) {
      const parts = partsOf(value);
      if (parts.every((part) => secrets.includes(part))) return;
      added = [...new Set([...added, ...parts])].slice(-mostAdded);
      secrets = byLength([...fixed, ...added]);
    },
    redact(text) {
      let hidden = text;
      for (const secret of secrets) hidden = hidden.replaceAll(secret, mask);
      return hidden;
    },
    heldBack: (text) =>
      longestPart(secrets, (secret, length) => text.endsWith(secret.slice(0, length))),
    cutOff: (text) =>
      longestPart(secrets, (secret, length) => text.startsWith(secret.slice(-length))),
  };
}

/** The length of the longest part, less than the whole, of which the test holds. */
function longestPart(
  secrets: readonly string[],
  test: (secret: string, length: number) => boolean,
): number {
  let longest = 0;
  for (const secret of secrets) {
    for (let length = secret.length - 1; length > longest; length -= 1) {
      if (test(secret, length)) longest = length;
    }
  }
  return longest;
}

function partsOf(value: string): string[] {
  const inner = credential.exec(value)?.[1] ?? "";
  return [value, inner].filter((part) => part.length >= shortest);
}

function byLength(secrets: readonly string[]): string[] {
  return [...new Set(secrets)].sort((a, b) => b.length - a.length);
}
